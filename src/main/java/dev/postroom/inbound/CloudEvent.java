package dev.postroom.inbound;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One event as it came in: its attributes at the top level and its data below {@code /data},
 * whichever of the two forms it had.
 *
 * <p>Pure: immutable, as long as nobody changes the object it was made of.
 */
public final class CloudEvent {

  private final ObjectNode content;

  /**
   * @param content with id, source and type
   */
  CloudEvent(ObjectNode content) {
    this.content = content;
  }

  /** Unique among its source's events, and the same at every delivery. */
  String id() {
    return content.path("id").textValue();
  }

  /** What happened, in the words of its source. */
  String type() {
    return content.path("type").textValue();
  }

  /**
   * The text, number or truth value at that place.
   *
   * @throws Unfit if there is none
   */
  String text(JsonPointer place) {
    JsonNode found = content.at(place);
    if (!found.isValueNode() || found.isNull()) {
      throw new Unfit(
          place.toString(),
          "This source makes its messages from " + place + ", where the event has no text.");
    }
    return found.asText();
  }

  /** Without the data: bodies are not logged. */
  @Override
  public String toString() {
    return "CloudEvent[type=" + type() + "]";
  }
}
