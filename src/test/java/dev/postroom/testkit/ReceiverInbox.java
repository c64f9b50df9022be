package dev.postroom.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a receiver that keeps an inbox has after these deliveries: the events in the order of their
 * first arrival, each id once, and what is wrong with that order (H2, H3, H5).
 */
public final class ReceiverInbox {
  private final Map<String, List<JsonNode>> rooms = new LinkedHashMap<>();
  private final List<String> faults = new ArrayList<>();
  private int repeats;

  private ReceiverInbox() {}

  /** Of deliveries in structured mode. */
  public static ReceiverInbox of(List<WebhookTrap.Delivery> deliveries) {
    ReceiverInbox inbox = new ReceiverInbox();
    Set<String> known = new HashSet<>();
    Map<String, String> bodies = new HashMap<>();
    Map<String, Long> last = new HashMap<>();
    for (WebhookTrap.Delivery delivery : deliveries) {
      String body = delivery.body().toString();
      String first = bodies.putIfAbsent(delivery.id(), body);
      if (first != null && !first.equals(body)) {
        inbox.faults.add(delivery.id() + " came with other content");
      }
      if (!known.add(delivery.id())) {
        inbox.repeats++;
        continue;
      }
      JsonNode data = json(body).path("data");
      String room = data.path("room").asText() + ":" + data.path("epoch").asText();
      long seq = data.path("seq").asLong();
      if (seq != last.getOrDefault(room, 0L) + 1) {
        inbox.faults.add(room + ": " + seq + " after " + last.get(room));
      }
      last.put(room, seq);
      inbox.rooms.computeIfAbsent(data.path("room").asText(), r -> new ArrayList<>()).add(data);
    }
    return inbox;
  }

  private static JsonNode json(String body) {
    try {
      return RoomClient.JSON.readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** When the message of a delivery was accepted. */
  public static String acceptedAt(WebhookTrap.Delivery delivery) {
    return json(delivery.body().toString()).path("data").path("acceptedAt").asText();
  }

  /** The texts of a room, in the order in which they first came. */
  public List<String> texts(String room) {
    return rooms.getOrDefault(room, List.of()).stream().map(d -> d.path("text").asText()).toList();
  }

  /** First deliveries, over all rooms. */
  public int size() {
    return rooms.values().stream().mapToInt(List::size).sum();
  }

  /** First deliveries out of order, and ids that came with two contents. */
  public List<String> faults() {
    return faults;
  }

  /** Deliveries of an id that had come before. */
  public int repeats() {
    return repeats;
  }
}
