package dev.postroom.receiving;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A webhook's body in the structured form.
 *
 * @param id the same at every delivery of this event
 * @param source the room as a URI: where {@code id} is unique and {@code seq} counts
 * @param epoch in which {@code seq} is comparable
 * @param late that it fills a hole which was reported before
 */
record Event(
    String id, String source, String type, String epoch, long seq, boolean late, JsonNode data) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static Event read(byte[] body) throws IOException {
    return of(JSON.readTree(body));
  }

  static Event of(JsonNode event) throws IOException {
    JsonNode data = event.path("data");
    if (!event.path("id").isTextual() || !event.path("type").isTextual()) {
      throw new IOException("no CloudEvent");
    }
    return new Event(
        event.path("id").asText(),
        event.path("source").asText(),
        event.path("type").asText(),
        data.path("epoch").asText(),
        // A string, with leading zeros.
        event.path("sequence").asLong(),
        event.path("late").asBoolean(),
        data);
  }

  boolean isMessage() {
    return type.equals("dev.postroom.message.accepted.v1");
  }

  boolean isGap() {
    return type.equals("dev.postroom.room.gap.v1");
  }

  String room() {
    return data.path("room").asText();
  }

  /** The numbers that will not come, or come late. */
  List<Long> missing() {
    List<Long> numbers = new ArrayList<>();
    data.path("missing").forEach(number -> numbers.add(number.asLong()));
    return numbers;
  }
}
