package dev.postroom.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.HandOverPoint;
import dev.postroom.testkit.LaneGate;
import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.TestPostgres;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A real node is killed, or stands still past its lease, or loses its database, at every {@link
 * HandOverPoint}. Each time nothing is lost, first deliveries are in order, and only what had been
 * sent without being marked comes twice (H2).
 */
class HandOverCrashIT {
  private static final int LEASE_SECONDS = 3;

  private static TestPostgres postgres;
  private static EmbeddedPg.Database database;
  private static PostroomProcess node;
  private static LaneGate gate;

  private HandOverScene scene;

  @BeforeAll
  static void start() {
    postgres = TestPostgres.started();
    database = postgres.database("handover");
    node = another().start();
    gate = new LaneGate(database);
  }

  @AfterAll
  static void stop() {
    node.close();
    postgres.close();
  }

  private static PostroomProcess another() {
    return PostroomProcess.on(database)
        .env("POSTROOM_WEBHOOK_ALLOW", "127.0.0.0/8")
        .env("POSTROOM_SECRETS_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
        .env("POSTROOM_RELAY_LEASE", LEASE_SECONDS + "S")
        .env("POSTROOM_RELAY_SWEEP", "1S")
        .env("POSTROOM_RELAY_CIRCUIT_MAX", "1S");
  }

  @BeforeEach
  void room() {
    if (!node.alive()) {
      node.start();
    }
    scene = new HandOverScene(database, gate, node);
  }

  @AfterEach
  void close() {
    node.resume();
    scene.close();
  }

  @ParameterizedTest
  @DisplayName("kill -9: H1, H2, L10, L19, S1, D10, S2")
  @EnumSource(HandOverPoint.class)
  void killed(HandOverPoint point) {
    scene.reach(point);
    node.kill9();
    scene.letGo(point);
    node.start();
    scene.send(node, 2);
    scene.assertAllThere(point.isSentUnmarked() ? 1 : 0);
  }

  @ParameterizedTest
  @DisplayName("SIGSTOP past the lease, another node takes over: D1, D3, D4, D6, L19, S1")
  @EnumSource(HandOverPoint.class)
  void standsStill(HandOverPoint point) {
    scene.reach(point);
    node.pause();
    scene.letGo(point);
    try (PostroomProcess second = another().start()) {
      scene.send(second, 2);
      scene.awaitAllArrived();
      scene.trap().release();
      node.resume();
      node.awaitReady();
      scene.send(node, 1);
      // It may wake with an event in its hands, and hand it over once more.
      scene.assertAllThere(2);
      assertTrue(second.alive());
    }
  }

  @ParameterizedTest
  @DisplayName("The database is restarted without a checkpoint: H1, H2, S2, N4, C4")
  @EnumSource(HandOverPoint.class)
  void databaseRestarts(HandOverPoint point) {
    scene.reach(point);
    postgres.stopImmediately();
    postgres.start();
    scene.letGo(point);
    scene.trap().release();
    node.awaitReady();
    scene.send(node, 2);
    scene.assertAllThere(2);
  }

  @Test
  @DisplayName(
      "S4, C2, D11: SIGTERM with a delivery in flight: it ends, is marked and not repeated")
  void toldToStop() {
    scene.trap().hold();
    scene.send(node, 2);
    scene.trap().await(1);
    CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(node::stop);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> node.status("/q/health/ready") != 200);
    scene.trap().release();
    assertEquals(128 + 15, exit.join());
    // Given back, and nothing further was begun.
    scene.awaitLane("state = 'ready' AND next_seq = 2");
    assertEquals(1, scene.trap().size());
    node.start();
    scene.send(node, 1);
    scene.assertAllThere(0);
  }

  @Test
  @DisplayName("D6: leases that cannot be renewed: the node stops by itself and goes on afterwards")
  void leaseNotRenewed() {
    scene.send(node, 2);
    scene.trap().await(2);
    scene.trap().hold();
    scene.send(node, 3);
    scene.trap().await(3);
    postgres.pause();
    try {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> node.status("/q/health/ready") == 503);
      scene.trap().release();
    } finally {
      postgres.resume();
    }
    node.awaitReady();
    scene.send(node, 2);
    scene.assertAllThere(2);
  }
}
