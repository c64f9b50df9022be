package dev.postroom.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.TokenMint;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Time and readings are moved by hand. */
class ReadKeysTest {
  private static final String FIRST = TokenMint.ec("k1").jwk();
  private static final String SECOND = TokenMint.ec("k2").jwk();
  private static final Duration REFRESH = Duration.ofMinutes(10);
  private static final Duration AGAIN_AFTER = Duration.ofSeconds(5);

  private final List<UniEmitter<? super String>> readings = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  private final ReadKeys keys =
      new ReadKeys(
          () -> Uni.createFrom().emitter(readings::add),
          new TokenRules(null, java.util.Set.of(), Duration.ZERO),
          REFRESH,
          AGAIN_AFTER,
          new Clock() {
            @Override
            public Instant instant() {
              return now;
            }

            @Override
            public ZoneId getZone() {
              return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
              return this;
            }
          });

  private KeySet readFirst() {
    CompletableFuture<KeySet> asked = ask(keys.current());
    readings.get(0).complete(FIRST);
    return asked.join();
  }

  private static CompletableFuture<KeySet> ask(Uni<KeySet> keys) {
    return keys.subscribeAsCompletionStage();
  }

  @Test
  @DisplayName("all who wait share one reading")
  void oneReading() {
    CompletableFuture<KeySet> one = ask(keys.current());
    CompletableFuture<KeySet> two = ask(keys.current());
    assertEquals(1, readings.size());
    readings.get(0).complete(FIRST);
    assertSame(one.join(), two.join());
  }

  @Test
  @DisplayName("AUTH-08: known keys answer at once while they are read again")
  void neverWaitsForARefresh() {
    KeySet first = readFirst();
    now = now.plus(REFRESH);
    assertSame(first, ask(keys.current()).join());
    assertEquals(2, readings.size());
    readings.get(1).complete(SECOND);
    assertFalse(ask(keys.current()).join() == first);
  }

  @Test
  void oldKeysStayWhenTheyCannotBeReadAgain() {
    KeySet first = readFirst();
    now = now.plus(REFRESH);
    ask(keys.current()).join();
    readings.get(1).fail(new IOException("away"));
    assertSame(first, ask(keys.current()).join());
  }

  @Test
  @DisplayName("AUTH-08: an unknown key makes them be read again")
  void unknownKey() {
    KeySet first = readFirst();
    now = now.plus(AGAIN_AFTER);
    CompletableFuture<KeySet> newer = ask(keys.newerThan(first));
    readings.get(1).complete(SECOND);
    assertFalse(newer.join() == first);
  }

  @Test
  @DisplayName("S1: strangers cannot make them be read at any rate")
  void unknownKeysAtAnyRate() {
    KeySet first = readFirst();
    assertSame(first, ask(keys.newerThan(first)).join());
    assertEquals(1, readings.size());
  }

  @Test
  void whoeverHasOldKeysGetsTheNewOnes() {
    KeySet first = readFirst();
    now = now.plus(AGAIN_AFTER);
    CompletableFuture<KeySet> other = ask(keys.newerThan(first));
    readings.get(1).complete(SECOND);
    assertTrue(other.isDone());
    KeySet second = ask(keys.current()).join();
    assertSame(second, ask(keys.newerThan(first)).join());
    assertEquals(2, readings.size());
  }

  @Test
  @DisplayName("whether the token is good cannot be said: temporary, not unauthorized")
  void unavailable() {
    CompletableFuture<KeySet> asked = ask(keys.current());
    readings.get(0).fail(new IOException("away"));
    assertKeysUnavailable(asked);
    assertKeysUnavailable(ask(keys.current()));
    assertEquals(1, readings.size());
  }

  @Test
  void triesAgainAfterAFailure() {
    CompletableFuture<KeySet> failed = ask(keys.current());
    readings.get(0).fail(new IOException("away"));
    assertKeysUnavailable(failed);
    now = now.plus(AGAIN_AFTER);
    CompletableFuture<KeySet> asked = ask(keys.current());
    readings.get(1).complete(FIRST);
    assertTrue(asked.isDone() && !asked.isCompletedExceptionally());
  }

  @Test
  void keysThatAreNone() {
    CompletableFuture<KeySet> asked = ask(keys.current());
    readings.get(0).complete("{\"keys\":[]}");
    assertKeysUnavailable(asked);
  }

  private static void assertKeysUnavailable(CompletableFuture<KeySet> asked) {
    Throwable failure = assertThrows(ExecutionException.class, asked::get).getCause();
    assertEquals(KeysUnavailable.class, failure.getClass());
  }
}
