package dev.postroom.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.Member;
import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.RoomApi;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The packaged service, told to stop while 50 clients on both transports use it. */
class ShutdownIT {
  private static final int MEMBERS = 35;
  private static final int POSTERS = 15;
  private static final int ROOMS = 5;
  private static final int SIGTERM = 128 + 15;
  private static final int SIGINT = 128 + 2;

  /** A pod has 30 s by default. */
  private static final Duration GRACE = Duration.ofSeconds(25);

  private final PostroomProcess postroom = PostroomProcess.embedded().unbounded();
  private final Load load = new Load();

  @Test
  @DisplayName("S4, PR-48: a node that is told to stop says goodbye, and answers what it has taken")
  void stopped() {
    try (postroom;
        load) {
      postroom.start();
      RoomApi api = new RoomApi(postroom.uri("/"));
      String token = api.token("auditor");
      begin(api);
      load.awaitAcks(1_000);
      try (HealthWatch health = new HealthWatch(postroom)) {
        Awaitility.await().until(() -> health.ready().equals(List.of(200)));
        long start = System.nanoTime();
        assertEquals(SIGTERM, postroom.stop());
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        System.out.printf("stopped in %s, %s%n", took, load.refusals());
        assertTrue(took.compareTo(GRACE) < 0, took.toString());
        assertEquals(List.of(200, 503), health.ready().stream().filter(at -> at > 0).toList());
      }
      assertNothingWentWrong();
      for (Member member : load.members()) {
        Awaitility.await("told of its end").until(() -> !member.endings().isEmpty());
        assertEquals("drain 1012", member.endings().get(0));
      }
      assertTrue(Load.refusals(load.posters(), "unavailable") > 0, load.refusals().toString());

      postroom.start();
      load.awaitAcks(500);
      load.finish();
      load.prove(api, token);
      // Whoever had been accepted was told so: nobody had to find it out by a repeat.
      assertEquals(0, load.repeats());

      assertEquals(SIGINT, postroom.interrupt());
      assertNothingWentWrong();
    }
  }

  private void begin(RoomApi api) {
    URI ws = URI.create("ws://127.0.0.1:" + postroom.port() + "/ws");
    for (int i = 0; i < MEMBERS; i++) {
      String participant = "member-" + i;
      load.member(List.of(ws), api.token(participant), participant, "case-" + i % ROOMS, 4);
    }
    for (int i = 0; i < POSTERS; i++) {
      String participant = "poster-" + i;
      load.poster(postroom.uri("/"), api.token(participant), participant, "case-" + i % ROOMS);
    }
  }

  private void assertNothingWentWrong() {
    assertEquals("", postroom.errors());
    String output = postroom.output();
    assertFalse(output.contains(" ERROR ") || output.contains("\tat "), output);
  }
}
