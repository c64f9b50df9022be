package dev.postroom.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What a client has been answered: first results, refusals, and wrongs. Safe for any thread. */
final class Results {
  private static final List<String> RESULT = List.of("messageId", "epoch", "seq", "acceptedAt");

  private final Map<String, JsonNode> acks = new LinkedHashMap<>();
  private final Map<String, Integer> refusals = new TreeMap<>();
  private final List<String> wrongs = new ArrayList<>();
  private final Consumer<JsonNode> onFirst;

  /**
   * @param onFirst is given each command's first result, on the client's thread
   */
  Results(Consumer<JsonNode> onFirst) {
    this.onFirst = onFirst;
  }

  /** Every result of a command must be the first one again (A2). */
  void acked(JsonNode ack) {
    String id = ack.path("clientMessageId").asText();
    JsonNode first;
    synchronized (this) {
      first = acks.putIfAbsent(id, ack);
    }
    if (first == null) {
      onFirst.accept(ack);
    } else if (!RESULT.stream().allMatch(field -> first.path(field).equals(ack.path(field)))) {
      wrong("two results of " + id + ": " + first + " and " + ack);
    }
  }

  synchronized void refused(JsonNode error) {
    if (error.path("temporary").asBoolean()) {
      refusals.merge(error.path("code").asText(), 1, Integer::sum);
    } else {
      wrongs.add("error " + error);
    }
  }

  synchronized void wrong(String what) {
    wrongs.add(what);
  }

  synchronized Map<String, JsonNode> acks() {
    return new LinkedHashMap<>(acks);
  }

  synchronized Map<String, Integer> refusals() {
    return new TreeMap<>(refusals);
  }

  synchronized List<String> wrongs() {
    return List.copyOf(wrongs);
  }
}
