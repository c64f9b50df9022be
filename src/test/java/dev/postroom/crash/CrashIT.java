package dev.postroom.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.LeftServer;
import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.RoomApi;
import dev.postroom.testkit.Seed;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The packaged service, killed again and again while 50 clients use it. */
class CrashIT {
  private static final int KILLS = 28;
  private static final int MEMBERS = 35;
  private static final int POSTERS = 15;
  private static final int ROOMS = 5;
  private static final int MOST_ACKS = 600;

  /** When the service is killed, counted from its latest launch. */
  private enum Moment {
    /** Its database is being started, or has been taken over. */
    DATABASE,
    /** It has begun to answer. */
    LIVE,
    /** It has acknowledged the first command. */
    FIRST,
    /** It has acknowledged some hundred. */
    AT_WORK
  }

  private final long seed = Seed.pick("CrashIT");
  private final Random chance = new Random(seed);
  private final PostroomProcess postroom = PostroomProcess.embedded().unbounded();
  private final Load load = new Load();

  @Test
  @DisplayName("A1-A4, N1-N3, R1, R3, S5: kill -9 at random moments under load from 50 clients")
  void killed() {
    long start = System.nanoTime();
    Map<Moment, Integer> kills = new EnumMap<>(Moment.class);
    try (postroom;
        load) {
      postroom.start();
      RoomApi api = new RoomApi(postroom.uri("/"));
      String token = api.token("auditor");
      begin(api, token);
      load.awaitAcks(1);
      for (int kill = 1; kill <= KILLS; kill++) {
        // The first kill is one of work under way; what was drawn is for the launches behind it.
        Moment moment = kill == 1 ? Moment.AT_WORK : draw();
        long before = load.acks();
        await(moment);
        postroom.kill9();
        boolean power = chance.nextInt(5) == 0;
        if (power) {
          LeftServer.kill(postroom.data());
        }
        kills.merge(moment, 1, Integer::sum);
        System.out.printf(
            "kill %d: %s%s after %d acks (%.1f s)%n",
            kill, moment, power ? " + database" : "", load.acks() - before, seconds(start));
        assertNoSurprise();
        postroom.launch();
      }
      postroom.awaitReady();
      load.awaitAcks(MOST_ACKS);
      load.finish();
      long messages = load.prove(api, token);
      assertNoSurprise();
      System.out.printf(
          "%d messages from %d clients, %d kills %s, refusals %s, %d resumes, %.1f s%n",
          messages,
          MEMBERS + POSTERS,
          KILLS,
          kills,
          load.refusals(),
          load.members().stream().mapToInt(member -> member.resumes()).sum(),
          seconds(start));
    }
  }

  private void begin(RoomApi api, String token) {
    URI ws = URI.create("ws://127.0.0.1:" + postroom.port() + "/ws");
    for (int room = 0; room < ROOMS; room++) {
      api.make(token, "case-" + room);
    }
    for (int i = 0; i < MEMBERS; i++) {
      String participant = "member-" + i;
      int atOnce = 1 + chance.nextInt(6);
      load.member(List.of(ws), api.token(participant), participant, "case-" + i % ROOMS, atOnce);
    }
    for (int i = 0; i < POSTERS; i++) {
      String participant = "poster-" + i;
      load.poster(postroom.uri("/"), api.token(participant), participant, "case-" + i % ROOMS);
    }
  }

  private Moment draw() {
    return switch (chance.nextInt(10)) {
      case 0 -> Moment.DATABASE;
      case 1 -> Moment.LIVE;
      case 2, 3 -> Moment.FIRST;
      default -> Moment.AT_WORK;
    };
  }

  private void await(Moment moment) {
    switch (moment) {
      case DATABASE -> {
        long old = databasePid();
        whileAlive().until(() -> databasePid() != old && databasePid() != 0);
      }
      case LIVE -> whileAlive().until(() -> postroom.status("/q/health/live") == 200);
      case FIRST -> awaitAcks(1);
      case AT_WORK -> awaitAcks(1 + chance.nextInt(MOST_ACKS));
    }
  }

  private void awaitAcks(int further) {
    long target = load.acks() + further;
    whileAlive().until(() -> load.acks() >= target);
  }

  private ConditionFactory whileAlive() {
    return Awaitility.await("moment")
        .atMost(Duration.ofSeconds(90))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .failFast(
            () -> {
              if (!postroom.alive()) {
                throw new AssertionError("ended by itself: " + postroom.errors());
              }
            });
  }

  private long databasePid() {
    return LeftServer.of(postroom.data()).map(ProcessHandle::pid).orElse(0L);
  }

  /** What nobody foresaw is logged; nothing of the kind may have happened. */
  private void assertNoSurprise() {
    String surprises =
        (postroom.output() + postroom.errors())
            .lines()
            .filter(line -> line.contains(" ERROR ") || line.contains("Unforeseen"))
            .reduce("", (a, b) -> a + "\n" + b);
    assertEquals("", surprises, "seed " + seed);
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }
}
