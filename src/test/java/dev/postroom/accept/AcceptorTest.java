package dev.postroom.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.access.Principal;
import dev.postroom.access.Role;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.room.MessageLog;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import dev.postroom.room.Rooms;
import dev.postroom.testkit.PgResource;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole way of a command, wired as in the default run: everybody may write and make rooms. */
@QuarkusTest
@QuarkusTestResource(PgResource.class)
class AcceptorTest {
  @Inject Acceptor acceptor;
  @Inject RoomChanges changes;
  @Inject Rooms rooms;
  @Inject MessageLog log;
  @Inject MeterRegistry meters;

  private final String room = "room-" + UUID.randomUUID();

  @Test
  @DisplayName("the first send makes the room; the answer is what is stored")
  void firstSend() {
    Outcome.Accepted accepted = accepted(send("ann", "k1", "hello"));
    assertEquals(1, accepted.message().seq());
    assertEquals(1, accepted.head());
    assertEquals(List.of(accepted.message()), stored());
  }

  @Test
  @DisplayName("A1, A2, ACC-01: the first of two is sent again and gets its first result")
  void repeatOfAnOlderOne() {
    Outcome.Accepted first = accepted(send("ann", "k1", "one"));
    accepted(send("ann", "k2", "two"));
    Outcome.Accepted again = accepted(send("ann", "k1", "one"));
    assertTrue(again.duplicate());
    assertEquals(first.message(), again.message());
    assertEquals(2, again.head());
    assertEquals(2, stored().size());
  }

  @Test
  @DisplayName("A5, ACC-05, ACC-06, ACC-10: copies in flight at once are all acknowledged")
  void copiesAtOnce() {
    List<Uni<Outcome>> inFlight = new ArrayList<>();
    for (int n = 0; n < 20; n++) {
      inFlight.add(acceptor.accept(submission("socket " + n, "ann", "k1", "hello")));
    }
    List<Outcome.Accepted> accepted =
        inFlight.stream().map(AcceptorTest::await).map(AcceptorTest::accepted).toList();
    assertEquals(1, accepted.stream().map(Outcome.Accepted::message).distinct().count());
    assertEquals(1, accepted.stream().filter(outcome -> !outcome.duplicate()).count());
  }

  @Test
  @DisplayName("A3, ACC-09: other content is a conflict that shows the first")
  void conflict() {
    Outcome.Accepted first = accepted(send("ann", "k1", "yes"));
    Outcome.Conflict conflict = assertInstanceOf(Outcome.Conflict.class, send("ann", "k1", "no"));
    assertEquals(first.message().messageId(), conflict.messageId());
    assertEquals(first.message().seq(), conflict.seq());
    assertEquals(1, stored().size());
  }

  @Test
  @DisplayName("ACC-09: the same text after normalisation is other content")
  void normalisation() {
    accepted(send("ann", "k1", "caf\u00e9"));
    assertInstanceOf(Outcome.Conflict.class, send("ann", "k1", "cafe\u0301"));
  }

  @Test
  @DisplayName("ifHead: accepted while it is the head, stale_head with the head otherwise")
  void ifHead() {
    assertInstanceOf(Outcome.Accepted.class, await(acceptor.accept(ifHead("k1", 0))));
    Outcome.StaleHead stale =
        assertInstanceOf(Outcome.StaleHead.class, await(acceptor.accept(ifHead("k2", 0))));
    assertEquals(1, stale.head());
    // A repeat is a repeat, whatever the head is by now.
    assertTrue(accepted(await(acceptor.accept(ifHead("k1", 0)))).duplicate());
  }

  @Test
  @DisplayName(
      "R9: 2 x 1,000 sends at once are numbered 1 to 2,000, each sender's in its order (N2)")
  void twoTabs() {
    List<Uni<Outcome>> inFlight = new ArrayList<>();
    for (int n = 0; n < 1_000; n++) {
      inFlight.add(acceptor.accept(unlimited("tab 1", "r9a", n)));
      inFlight.add(acceptor.accept(unlimited("tab 2", "r9b", n)));
    }
    inFlight.forEach(AcceptorTest::await);
    List<RoomMessage> stored = stored();
    assertEquals(
        LongStream.rangeClosed(1, 2_000).boxed().toList(),
        stored.stream().map(RoomMessage::seq).toList());
    for (String tab : List.of("r9a", "r9b")) {
      assertEquals(
          LongStream.range(0, 1_000).mapToObj(n -> "k" + n).toList(),
          stored.stream()
              .filter(message -> message.authorName().equals(tab))
              .map(RoomMessage::clientMessageId)
              .toList());
    }
  }

  @Test
  @DisplayName("A6: rules before rights, rights before the key")
  void orderOfChecks() {
    Outcome.Refused rules = refused(await(acceptor.accept(submission("s", "ann", "", "hello"))));
    assertEquals(ErrorCode.INVALID, rules.code());
    assertEquals("clientMessageId", rules.field());
    assertNull(await(acceptor.refusal(submission("s", "ann", "k1", "hello"))));
    assertEquals(
        ErrorCode.TOO_LARGE,
        await(acceptor.refusal(submission("s", "ann", "k1", "x".repeat(16_385)))).code());
  }

  @Test
  @DisplayName("ACC-14: who sends too fast is told when to come again, and finds its place then")
  void rate() {
    List<Submission> sent = new ArrayList<>();
    List<Uni<Outcome>> inFlight = new ArrayList<>();
    for (int n = 0; n < 1_000; n++) {
      sent.add(submission("s" + n, "fast", "k" + n, "x"));
      inFlight.add(acceptor.accept(sent.get(n)));
    }
    List<Submission> refused = new ArrayList<>();
    long pause = 0;
    for (int n = 0; n < 1_000; n++) {
      if (await(inFlight.get(n)) instanceof Outcome.Refused one) {
        assertEquals(ErrorCode.RATE_LIMITED, one.code());
        assertTrue(one.retryAfterMs() > 0);
        refused.add(sent.get(n));
        pause = Math.max(pause, one.retryAfterMs());
      }
    }
    assertFalse(refused.isEmpty());
    await(Uni.createFrom().nullItem().onItem().delayIt().by(Duration.ofMillis(pause)));
    Outcome.Accepted first = accepted(await(acceptor.accept(refused.get(0))));
    assertFalse(first.duplicate());
    assertEquals(1_000 - refused.size() + 1, first.message().seq());
  }

  @Test
  @DisplayName("R4, REC-11: a room closed and made again begins anew, also for old keys")
  void closedAndMadeAgain() {
    Outcome.Accepted before = accepted(send("ann", "k1", "hello"));
    assertTrue(await(changes.close(await(rooms.find(new RoomId(room))))));
    Outcome.Accepted after = accepted(send("ann", "k1", "hello"));
    assertEquals(1, after.message().seq());
    assertNotEquals(before.message().epoch(), after.message().epoch());
    assertFalse(after.duplicate());
  }

  @ParameterizedTest
  @DisplayName("A7, TXT-07: Unicode is stored and returned byte for byte")
  @ValueSource(
      strings = {
        "\u202eright to left\u202c \u200f\u061c",
        "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67\u200d\ud83d\udc66\ud83c\udff4\udb40\udc67",
        "line\r\nline\rline\n\ttab",
        "\\u0000",
        "<script>alert(1)</script> & \u2028\u2029\ufeff\uffff\u0001\u007f\u0085",
        "e\u0301 \u00e9 \ufb01 \u1e9e"
      })
  void unicode(String text) {
    accepted(send("ann", "k1", text));
    assertEquals(text, stored().get(0).text());
    assertTrue(accepted(send("ann", "k1", text)).duplicate());
  }

  @Test
  @DisplayName("A7, TXT-07: as many combining marks as a text can have")
  void combiningMarks() {
    String text = "a" + "\u0301".repeat(8_191);
    accepted(send("ann", "k1", text));
    assertEquals(text, stored().get(0).text());
  }

  @Test
  void metricsAreThere() {
    send("ann", "k1", "hello");
    send("ann", "k1", "hello");
    send("ann", "k1", "other");
    assertTrue(meters.get("postroom.accepted").counter().count() >= 1);
    assertTrue(meters.get("postroom.duplicates").counter().count() >= 1);
    assertTrue(meters.get("postroom.conflicts").counter().count() >= 1);
    assertTrue(meters.get("postroom.batch.size").summary().count() >= 1);
    assertTrue(meters.get("postroom.accept").timer().count() >= 3);
  }

  private Submission ifHead(String id, long head) {
    return new Submission("s", principal("ann", "Ann"), room, id, "x", head);
  }

  /** Another participant for every 200 messages, so that the rate does not count. */
  private Submission unlimited(String origin, String name, int n) {
    return new Submission(
        origin, principal(name + n / 200, name), room, "k" + n, "text " + n, null);
  }

  private Submission submission(String origin, String who, String id, String text) {
    return new Submission(origin, principal(who + room, who), room, id, text, null);
  }

  private static Principal principal(String participant, String name) {
    return new Principal(participant, name, Map.of("*", Role.OWNER), false, null);
  }

  private Outcome send(String who, String id, String text) {
    return await(acceptor.accept(submission("s", who, id, text)));
  }

  private List<RoomMessage> stored() {
    Room found = await(rooms.find(new RoomId(room)));
    return await(log.after(found, 0, 10_000));
  }

  private static Outcome.Accepted accepted(Outcome outcome) {
    return assertInstanceOf(Outcome.Accepted.class, outcome);
  }

  private static Outcome.Refused refused(Outcome outcome) {
    return assertInstanceOf(Outcome.Refused.class, outcome);
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(60));
  }
}
