package dev.postroom.inbound;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pure: literal text with places of an event in it, each a JSON pointer in braces: {@code
 * mirror-{/data/room}}. Two opening braces are one that is meant literally; an opening brace
 * without a slash behind it is literal too.
 *
 * <p>Immutable.
 */
final class Template {

  private final List<Part> parts;

  private Template(List<Part> parts) {
    this.parts = parts;
  }

  /**
   * Reads the written form.
   *
   * @throws IllegalArgumentException if a place has no end or is no JSON pointer
   */
  static Template parse(String text) {
    List<Part> parts = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      if (text.startsWith("{{", at)) {
        literal.append('{');
        at += 2;
      } else if (text.startsWith("{/", at)) {
        int end = text.indexOf('}', at);
        if (end < 0) {
          throw new IllegalArgumentException("{/… has no closing brace");
        }
        parts.add(literally(literal.toString()));
        literal.setLength(0);
        JsonPointer place = JsonPointer.compile(text.substring(at + 1, end));
        parts.add(event -> event.text(place));
        at = end + 1;
      } else {
        literal.append(text.charAt(at++));
      }
    }
    parts.add(literally(literal.toString()));
    return new Template(List.copyOf(parts));
  }

  /** What it makes of every event, or null if that depends on the event. */
  @Nullable String fixed() {
    return parts.size() == 1 && parts.get(0) instanceof Literal literal ? literal.text : null;
  }

  private static Part literally(String text) {
    return new Literal(text);
  }

  /**
   * The text for this event.
   *
   * @throws Unfit if the event has nothing at one of the places
   */
  String fill(CloudEvent event) {
    StringBuilder text = new StringBuilder();
    parts.forEach(part -> text.append(part.of(event)));
    return text.toString();
  }

  private interface Part {
    String of(CloudEvent event);
  }

  private record Literal(String text) implements Part {
    @Override
    public String of(CloudEvent event) {
      return text;
    }
  }
}
