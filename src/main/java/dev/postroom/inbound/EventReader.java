package dev.postroom.inbound;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Pure: requests as CloudEvents 1.0, in structured form (one JSON object) or in binary form
 * (headers {@code ce-…} and the data as the body, in JSON). Stateless.
 */
public final class EventReader {

  private static final String STRUCTURED = "application/cloudevents+json";
  private static final String PREFIX = "ce-";
  private static final List<String> NEEDED = List.of("id", "source", "type");

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // Errors must not show what was sent.
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          // Numbers become text as they were written.
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private EventReader() {}

  /** Whether a body of that type can be read: JSON, by whichever name. */
  public static boolean reads(String mediaType) {
    String name = essence(mediaType);
    return name.equals("application/json")
        || (name.endsWith("+json") && !name.equals("application/cloudevents-batch+json"));
  }

  /**
   * One event.
   *
   * @param mediaType one that {@link #reads}
   * @param headers the request's, with names in lower case, each with its only value
   * @throws Unfit if it is none
   */
  public static CloudEvent read(String mediaType, Map<String, String> headers, byte[] body) {
    boolean structured = essence(mediaType).equals(STRUCTURED);
    ObjectNode content = structured ? structured(body) : binary(mediaType, headers, body);
    String prefix = structured ? "" : PREFIX;
    if (!"1.0".equals(content.path("specversion").textValue())) {
      throw new Unfit(
          prefix + "specversion",
          structured
              ? "The event's specversion must be \"1.0\"."
              : "Send the event as "
                  + STRUCTURED
                  + ", or its attributes as ce-… headers with"
                  + " ce-specversion 1.0.");
    }
    for (String name : NEEDED) {
      String value = content.path(name).textValue();
      if (value == null || value.isEmpty() || !UTF_8.newEncoder().canEncode(value)) {
        throw new Unfit(prefix + name, "The event needs " + name + ", a string that is not empty.");
      }
    }
    return new CloudEvent(content);
  }

  private static ObjectNode structured(byte[] body) {
    if (parse(body) instanceof ObjectNode event) {
      return event;
    }
    throw new Unfit(null, "The body is not one CloudEvent as a JSON object.");
  }

  private static ObjectNode binary(String mediaType, Map<String, String> headers, byte[] body) {
    ObjectNode event = JSON.createObjectNode();
    headers.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX)) {
            event.put(name.substring(PREFIX.length()), decoded(value));
          }
        });
    event.put("datacontenttype", mediaType);
    event.remove("data");
    if (body.length > 0) {
      event.set("data", parse(body));
    }
    return event;
  }

  private static JsonNode parse(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new Unfit(null, "The body cannot be read as JSON.");
    } catch (IOException e) {
      throw new UncheckedIOException("bytes in memory do not fail", e);
    }
  }

  private static String essence(String mediaType) {
    return mediaType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }

  /** As CloudEvents has it: {@code %} and two hexadecimal digits are a byte of UTF-8. */
  private static String decoded(String value) {
    if (value.indexOf('%') < 0) {
      return value;
    }
    byte[] raw = value.getBytes(UTF_8);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length);
    for (int i = 0; i < raw.length; i++) {
      int high = raw[i] == '%' && i + 2 < raw.length ? Character.digit(raw[i + 1], 16) : -1;
      int low = high < 0 ? -1 : Character.digit(raw[i + 2], 16);
      if (low < 0) {
        bytes.write(raw[i]);
      } else {
        bytes.write(high << 4 | low);
        i += 2;
      }
    }
    return bytes.toString(UTF_8);
  }
}
