package dev.postroom.protocol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.postroom.protocol.ClientFrame.Position;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads one client frame in one pass over its tokens.
 *
 * <p>The type of the frame may come last, so every field that any frame knows is first kept as it
 * was found, right or {@link Wrong}; a wrong one matters only if this frame has the field. For the
 * same reason an error can name room and id even if they come after the fault. One instance a
 * frame.
 */
final class FrameReader {
  /** 2^53 - 1: what every JSON reader, browsers included, holds exactly. */
  static final long MAX_INTEGER = (1L << 53) - 1;

  static final int MAX_NESTING = 32;
  static final int MAX_STRING_CHARS = 1 << 20;
  static final int MAX_NUMBER_CHARS = 1000;
  static final int MAX_NAME_CHARS = 1024;

  /** Longer ones, or others than printable ASCII, are never valid and are not sent back. */
  private static final int MAX_ECHO_CHARS = 128;

  /**
   * Names are not kept from one frame to the next: they are a stranger's, and a table of them could
   * be filled on purpose.
   */
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_NESTING)
                  .maxStringLength(MAX_STRING_CHARS)
                  .maxNumberLength(MAX_NUMBER_CHARS)
                  .maxNameLength(MAX_NAME_CHARS)
                  .build())
          .build();

  private @Nullable Object type;
  private @Nullable Object room;
  private @Nullable Object clientMessageId;
  private @Nullable Object text;
  private @Nullable Object ifHead;
  private @Nullable Object before;
  private @Nullable Object limit;
  private @Nullable Object token;
  private @Nullable Object cursor;

  Decoded read(String frame) {
    try (JsonParser json = JSON.createParser(frame)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return badFrame("A frame is one JSON object.", null);
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        field(json);
      }
      if (json.nextToken() != null) {
        return badFrame("Something follows the JSON object. Send one object a frame.", null);
      }
      return new Decoded.Frame(frame());
    } catch (Fault e) {
      return malformed(e.code, e.answer, e.field);
    } catch (IOException | RuntimeException e) {
      // The exception's own message quotes the client's text, so it goes nowhere.
      return badFrame("The frame cannot be read as JSON" + position(e) + ".", null);
    }
  }

  private void field(JsonParser json) throws IOException {
    String name = json.currentName();
    JsonToken value = json.nextToken();
    switch (name) {
      case "type" -> type = string(name, json, value);
      case "room" -> room = string(name, json, value);
      case "clientMessageId" -> clientMessageId = string(name, json, value);
      case "text" -> text = string(name, json, value);
      case "token" -> token = string(name, json, value);
      case "ifHead" -> ifHead = integer(name, json, value);
      case "before" -> before = integer(name, json, value);
      case "limit" -> limit = integer(name, json, value);
      case "cursor" -> cursor = position(name, json, value);
      default -> json.skipChildren();
    }
  }

  private ClientFrame frame() throws Fault {
    String word = required("type", type);
    return switch (word) {
      case "join" -> new ClientFrame.Join(required("room", room), optional(cursor));
      case "leave" -> new ClientFrame.Leave(required("room", room));
      case "send" -> send();
      case "history" ->
          new ClientFrame.History(
              required("room", room), this.<Long>required("before", before), limit());
      case "auth" -> new ClientFrame.Auth(required("token", token));
      case "ping" -> new ClientFrame.Ping();
      default ->
          throw new Fault(
              ErrorCode.BAD_FRAME,
              "Unknown type. Known are join, leave, send, history, auth and ping.",
              "type");
    };
  }

  /** The id last: a frame that does not parse is told so before a field breaks its rule (A6). */
  private ClientFrame send() throws Fault {
    String inRoom = required("room", room);
    String body = required("text", text);
    Long head = optional(ifHead);
    if (!(clientMessageId instanceof String id)) {
      throw new Fault(
          ErrorCode.INVALID,
          "clientMessageId must be a string of 1 to 128 printable ASCII characters.",
          "clientMessageId");
    }
    return new ClientFrame.Send(inRoom, id, body, head);
  }

  /** More than an int can hold is more than any page: the server's own bound applies anyway. */
  private @Nullable Integer limit() throws Fault {
    Long wanted = optional(limit);
    return wanted == null ? null : (int) Math.min(wanted, Integer.MAX_VALUE);
  }

  private <T> T required(String name, @Nullable Object found) throws Fault {
    T value = optional(found);
    if (value == null) {
      throw new Fault(ErrorCode.BAD_FRAME, "The field " + name + " is missing.", name);
    }
    return value;
  }

  @SuppressWarnings("unchecked") // a field is Wrong or of the one type that its reader makes
  private <T> @Nullable T optional(@Nullable Object found) throws Fault {
    if (found instanceof Wrong wrong) {
      throw new Fault(
          ErrorCode.BAD_FRAME, "The field " + wrong.field + " must be " + wrong.rule, wrong.field);
    }
    return (T) found;
  }

  private static @Nullable Object string(String name, JsonParser json, JsonToken value)
      throws IOException {
    return switch (value) {
      case VALUE_STRING -> json.getText();
      case VALUE_NULL -> null;
      default -> wrong(name, "a string.", json);
    };
  }

  private static @Nullable Object integer(String name, JsonParser json, JsonToken value)
      throws IOException {
    String rule = "an integer from 0 to 9007199254740991.";
    return switch (value) {
      case VALUE_NULL -> null;
      case VALUE_NUMBER_INT -> {
        // Longer than a long is told by length: no number is computed for the asking.
        if (json.getTextLength() > 18) {
          yield wrong(name, rule, json);
        }
        long number = json.getLongValue();
        yield number < 0 || number > MAX_INTEGER ? wrong(name, rule, json) : (Object) number;
      }
      default -> wrong(name, rule, json);
    };
  }

  private static @Nullable Object position(String name, JsonParser json, JsonToken value)
      throws IOException {
    if (value == JsonToken.VALUE_NULL) {
      return null;
    }
    if (value != JsonToken.START_OBJECT) {
      return wrong(name, "an object of epoch and after.", json);
    }
    Object epoch = null;
    Object after = null;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String inner = json.currentName();
      JsonToken innerValue = json.nextToken();
      switch (inner) {
        case "epoch" -> epoch = string("cursor.epoch", json, innerValue);
        case "after" -> after = integer("cursor.after", json, innerValue);
        default -> json.skipChildren();
      }
    }
    if (epoch instanceof Wrong) {
      return epoch;
    }
    if (after instanceof Wrong) {
      return after;
    }
    if (epoch == null || after == null) {
      return new Wrong(name + (epoch == null ? ".epoch" : ".after"), "there: a cursor is both.");
    }
    return new Position((String) epoch, (Long) after);
  }

  private static Wrong wrong(String name, String rule, JsonParser json) throws IOException {
    json.skipChildren();
    return new Wrong(name, rule);
  }

  private Decoded badFrame(String message, @Nullable String field) {
    return malformed(ErrorCode.BAD_FRAME, message, field);
  }

  private Decoded malformed(ErrorCode code, String message, @Nullable String field) {
    return new Decoded.Malformed(code, message, field, echo(room), echo(clientMessageId));
  }

  private static @Nullable String echo(@Nullable Object found) {
    return found instanceof String value
            && !value.isEmpty()
            && value.length() <= MAX_ECHO_CHARS
            && value.chars().allMatch(c -> c >= ' ' && c <= '~')
        ? value
        : null;
  }

  private static String position(Exception e) {
    if (e instanceof JsonProcessingException fault && fault.getLocation() != null) {
      long at = fault.getLocation().getCharOffset();
      return at < 0 ? "" : " (near character " + at + ")";
    }
    return "";
  }

  /** A field whose value is of another type than its name asks for. */
  private record Wrong(String field, String rule) {}

  /** Ends the reading of a frame; never leaves this class. */
  private static final class Fault extends Exception {
    private static final long serialVersionUID = 1L;
    private final ErrorCode code;
    private final String answer;
    private final String field;

    Fault(ErrorCode code, String answer, String field) {
      super(answer, null, false, false);
      this.code = code;
      this.answer = answer;
      this.field = field;
    }
  }
}
