package dev.postroom.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.Member;
import dev.postroom.testkit.Poster;
import dev.postroom.testkit.RoomApi;
import dev.postroom.testkit.RoomClient;
import dev.postroom.testkit.Sender;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.awaitility.Awaitility;

/**
 * Clients under steady load, and what must be true of them and the tables in the end.
 *
 * <p>Each client has a few commands on their way and hands over its next one when one is answered,
 * so the service sets the pace. Safe for any thread.
 */
final class Load implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final List<Client> clients = new ArrayList<>();
  private final AtomicLong acks = new AtomicLong();
  private volatile boolean feeding = true;

  /** A client on WebSocket, which reads the room too. */
  Member member(List<URI> nodes, String token, String participant, String room, int atOnce) {
    return (Member)
        begin(participant, room, atOnce, onFirst -> new Member(nodes, token, room, onFirst));
  }

  /** A client over HTTP. */
  void poster(URI node, String token, String participant, String room) {
    begin(participant, room, 1, onFirst -> new Poster(node, token, room, onFirst));
  }

  private Sender begin(
      String participant,
      String room,
      int atOnce,
      Function<Consumer<JsonNode>, Sender> connection) {
    Client client = new Client(participant, room);
    client.sender =
        connection.apply(
            ack -> {
              acks.incrementAndGet();
              if (feeding) {
                client.handOver();
              }
            });
    clients.add(client);
    for (int i = 0; i < atOnce; i++) {
      client.handOver();
    }
    return client.sender;
  }

  /** Commands that were answered with success, each counted once. */
  long acks() {
    return acks.get();
  }

  /** Returns when so many further commands were acknowledged. */
  void awaitAcks(long further) {
    long target = acks() + further;
    Awaitility.await(further + " further acks")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> acks() >= target);
  }

  List<Member> members() {
    return senders(Member.class);
  }

  List<Poster> posters() {
    return senders(Poster.class);
  }

  private <T extends Sender> List<T> senders(Class<T> type) {
    return clients.stream()
        .map(client -> client.sender)
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  /** How often these were told to try again, with one of these codes. */
  static int refusals(List<? extends Sender> senders, String... codes) {
    int refusals = 0;
    for (Sender sender : senders) {
      Map<String, Integer> counts = sender.refusals();
      for (String code : codes) {
        refusals += counts.getOrDefault(code, 0);
      }
    }
    return refusals;
  }

  Map<String, Integer> refusals() {
    Map<String, Integer> all = new TreeMap<>();
    for (Client client : clients) {
      client.sender.refusals().forEach((code, count) -> all.merge(code, count, Integer::sum));
    }
    return all;
  }

  /** Commands whose first result came by a repeat: an answer before it was lost. */
  long repeats() {
    return clients.stream()
        .flatMap(client -> client.sender.acks().values().stream())
        .filter(ack -> ack.path("duplicate").asBoolean())
        .count();
  }

  /** No further commands; returns when all are acknowledged and every member has read them all. */
  void finish() {
    feeding = false;
    Awaitility.await("every command acknowledged")
        .atMost(PATIENCE)
        .until(
            () -> clients.stream().filter(client -> !client.sender.settled()).toList(),
            List::isEmpty);
    Awaitility.await("every member has read its room")
        .atMost(PATIENCE)
        .until(
            () ->
                clients.stream()
                    .filter(client -> client.sender instanceof Member)
                    .allMatch(each -> ((Member) each.sender).after() >= handedOver(each.room)));
  }

  private long handedOver(String room) {
    return clients.stream()
        .filter(client -> client.room.equals(room))
        .mapToLong(client -> client.handedOver.get())
        .sum();
  }

  /**
   * After {@link #finish}: every command is in its room exactly once, as its ack said, numbers are
   * 1 to n (N1) and rise in the order in which a client sent (N2), every member was shown what the
   * table has, field by field (N3, R1), so is whoever joins now, nobody saw a wrong, the audit is
   * clean (S5).
   *
   * @param token of somebody who may read all the rooms
   * @return messages in all rooms
   */
  long prove(RoomApi api, String token) {
    long messages = 0;
    for (String room : rooms()) {
      messages += prove(api, token, room);
    }
    assertEquals(messages, acks());
    return messages;
  }

  private Set<String> rooms() {
    Set<String> rooms = new TreeSet<>();
    clients.forEach(client -> rooms.add(client.room));
    return rooms;
  }

  private long prove(RoomApi api, String token, String room) {
    List<JsonNode> messages = api.messages(token, room);
    Map<String, JsonNode> byKey = new HashMap<>();
    for (JsonNode message : messages) {
      String key = key(message.path("author").path("id"), message.path("clientMessageId"));
      assertEquals(null, byKey.put(key, message), "stored twice: " + key);
      assertEquals(byKey.size(), message.path("seq").asLong(), "numbers of " + room);
    }
    assertEquals(handedOver(room), messages.size(), "messages in " + room);
    String epoch = api.make(token, room).path("epoch").asText();
    for (Client client : clients) {
      if (client.room.equals(room)) {
        client.proveAcks(byKey, epoch);
        client.proveView(messages);
      }
    }
    proveSnapshot(api, token, room, epoch, messages);
    JsonNode audit = api.audit(token, room);
    assertTrue(audit.path("clean").asBoolean(), audit.toString());
    return messages.size();
  }

  /** Somebody who joins for the first time is shown the newest of the table. */
  private static void proveSnapshot(
      RoomApi api, String token, String room, String epoch, List<JsonNode> messages) {
    try (RoomClient fresh = RoomClient.connect(api.ws(), token)) {
      fresh.await("welcome");
      fresh.join(room);
      JsonNode snapshot = fresh.await("snapshot");
      assertEquals(epoch, snapshot.path("epoch").asText(), room);
      assertEquals(messages.size(), snapshot.path("after").asInt(), room);
      List<JsonNode> newest = new ArrayList<>();
      snapshot.path("messages").forEach(newest::add);
      int older = messages.size() - newest.size();
      assertEquals(messages.subList(older, messages.size()), newest, room);
      assertEquals(older > 0, snapshot.path("earlier").asBoolean(), room);
      assertEquals(messages.isEmpty(), newest.isEmpty(), room);
    }
  }

  private static String key(JsonNode participant, JsonNode id) {
    return participant.asText() + "/" + id.asText();
  }

  @Override
  public void close() {
    feeding = false;
    clients.parallelStream().forEach(client -> client.sender.close());
  }

  /** One client with what it has sent. */
  private static final class Client {
    final String participant;
    final String room;
    final AtomicInteger handedOver = new AtomicInteger();
    volatile Sender sender;

    Client(String participant, String room) {
      this.participant = participant;
      this.room = room;
    }

    /** Synchronized, so that ids are handed over in the order of their numbers. */
    synchronized void handOver() {
      int n = handedOver.getAndIncrement();
      sender.send("k" + n, text(n));
    }

    /** A text that only this command has, of any length and more than ASCII. */
    String text(int n) {
      return participant + " says " + n + " é\u200f😀\r\n".repeat(n % 40);
    }

    @Override
    public String toString() {
      return "%s in %s: %d of %d acknowledged, %s"
          .formatted(participant, room, sender.acks().size(), handedOver.get(), sender.refusals());
    }

    void proveAcks(Map<String, JsonNode> table, String epoch) {
      String who = participant + " in " + room;
      assertEquals(List.of(), sender.wrongs(), who);
      Map<String, JsonNode> results = sender.acks();
      assertEquals(handedOver.get(), results.size(), who);
      long last = 0;
      for (int n = 0; n < handedOver.get(); n++) {
        JsonNode ack = results.get("k" + n);
        JsonNode message = table.get(participant + "/k" + n);
        for (String field : List.of("messageId", "seq", "acceptedAt")) {
          assertEquals(message.path(field), ack.path(field), who + ": " + field + " of k" + n);
        }
        assertEquals(text(n), message.path("text").asText());
        assertEquals(epoch, ack.path("epoch").asText(), who);
        assertTrue(message.path("seq").asLong() > last, who + ": k" + n + " overtook");
        last = message.path("seq").asLong();
      }
    }

    void proveView(List<JsonNode> messages) {
      if (!(sender instanceof Member member)) {
        return;
      }
      String who = participant + " in " + room;
      NavigableMap<Long, JsonNode> view = new TreeMap<>(member.view());
      assertEquals(1, member.epochs(), who + ": epochs");
      assertEquals(1, member.snapshots(), who + ": snapshots");
      assertEquals(messages.size(), member.after(), who);
      if (messages.isEmpty()) {
        return;
      }
      assertEquals(messages.size() - view.firstKey() + 1, view.size(), who + ": without holes");
      view.forEach(
          (seq, shown) -> assertEquals(messages.get((int) (seq - 1)), shown, who + ": as stored"));
    }
  }
}
