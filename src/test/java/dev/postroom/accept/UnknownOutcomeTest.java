package dev.postroom.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.postroom.access.Principal;
import dev.postroom.db.Availability;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.room.MessageLog;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import dev.postroom.room.Rooms;
import dev.postroom.testkit.CommitCutter;
import dev.postroom.testkit.CommitCutter.Cut;
import dev.postroom.testkit.CutterResource;
import dev.postroom.testkit.Seed;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The connection to the database dies around COMMIT, or the database goes away altogether. */
@QuarkusTest
@TestProfile(CutterResource.InBetween.class)
class UnknownOutcomeTest {
  private static final int CUTS = 200;

  CommitCutter cutter;

  @Inject Acceptor acceptor;
  @Inject Availability availability;
  @Inject Rooms rooms;
  @Inject MessageLog log;

  @Test
  @DisplayName("A8, C4, I3: 200 cuts around COMMIT: nothing lost, nothing twice, no wrong failure")
  void cutsAroundCommit() {
    Random random = new Random(Seed.pick("cutsAroundCommit"));
    String room = "cut-" + UUID.randomUUID();
    Map<String, RoomMessage> acknowledged = new HashMap<>();
    int sent = 0;
    for (int n = 0; n < CUTS; n++) {
      cutter.arm(Cut.values()[n % Cut.values().length]);
      List<Uni<Outcome>> burst = new ArrayList<>();
      for (int i = random.nextInt(1, 7); i > 0; i--) {
        burst.add(acceptor.accept(submission("origin " + random.nextInt(3), room, "k" + sent++)));
      }
      for (Uni<Outcome> uni : burst) {
        Outcome.Accepted accepted = assertInstanceOf(Outcome.Accepted.class, await(uni));
        assertFalse(accepted.duplicate(), "our own message is not a repeat");
        acknowledged.put(accepted.message().clientMessageId(), accepted.message());
      }
      Awaitility.await().pollDelay(Duration.ZERO).until(() -> !cutter.isArmed());
    }
    assertEquals(CUTS, cutter.cuts());
    List<RoomMessage> stored =
        await(log.after(await(rooms.find(new RoomId(room))), 0, Integer.MAX_VALUE));
    assertEquals(sent, stored.size());
    assertEquals(sent, stored.get(stored.size() - 1).seq());
    assertEquals(
        acknowledged,
        stored.stream().collect(Collectors.toMap(RoomMessage::clientMessageId, m -> m)));
  }

  @Test
  @DisplayName("S3: away is unavailable, and back by itself; the same id finds its place")
  void away() {
    String room = "away-" + UUID.randomUUID();
    await(acceptor.accept(submission("o", room, "k1")));
    cutter.away(true);
    try {
      assertEquals(
          ErrorCode.UNAVAILABLE,
          assertInstanceOf(
                  Outcome.Refused.class, await(acceptor.accept(submission("o", room, "k2"))))
              .code());
      Awaitility.await().until(availability::isAway);
    } finally {
      cutter.away(false);
    }
    Awaitility.await().until(() -> !availability.isAway());
    Outcome.Accepted accepted =
        assertInstanceOf(
            Outcome.Accepted.class, await(acceptor.accept(submission("o", room, "k2"))));
    assertEquals(2, accepted.message().seq());
  }

  private static Submission submission(String origin, String room, String id) {
    return new Submission(
        origin, new Principal("p-" + id, "Ann", Map.of(), false, null), room, id, "text", null);
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(60));
  }
}
