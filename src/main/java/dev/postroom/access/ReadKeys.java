package dev.postroom.access;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keys that somebody else rotates: read at need, kept, and read again when they are old or when a
 * token comes that they do not verify (AUTH-08).
 *
 * <p>At most one reading is under way; whoever needs its answer waits for that one, and tokens of
 * known keys never wait. Old keys stay trusted while they cannot be read again. Safe for any
 * thread.
 */
final class ReadKeys implements Keys {

  private static final Logger LOG = Logger.getLogger(ReadKeys.class);

  private final Supplier<Uni<String>> location;
  private final TokenRules rules;
  private final Duration refresh;
  private final Duration againAfter;
  private final Clock clock;

  private volatile @Nullable KeySet held;
  private volatile Instant lastAttempt = Instant.MIN;
  private volatile @Nullable Throwable lastFailure;
  private @Nullable Uni<KeySet> reading;

  ReadKeys(
      Supplier<Uni<String>> location,
      TokenRules rules,
      Duration refresh,
      Duration againAfter,
      Clock clock) {
    this.location = location;
    this.rules = rules;
    this.refresh = refresh;
    this.againAfter = againAfter;
    this.clock = clock;
  }

  @Override
  public Uni<KeySet> current() {
    KeySet known = held;
    if (known == null) {
      return lastFailure == null || isOlderThan(againAfter) ? read() : unavailable(lastFailure);
    }
    if (isOlderThan(refresh)) {
      Cancellable ignored = read().subscribe().with(keys -> {}, failure -> {});
    }
    return Uni.createFrom().item(known);
  }

  @Override
  public Uni<KeySet> newerThan(KeySet seen) {
    KeySet known = held;
    if (known != null && known != seen) {
      return Uni.createFrom().item(known);
    }
    if (isOlderThan(againAfter)) {
      return read();
    }
    Throwable failure = lastFailure;
    return failure == null ? Uni.createFrom().item(seen) : unavailable(failure);
  }

  @Override
  public TokenRules rules() {
    return rules;
  }

  private boolean isOlderThan(Duration age) {
    Instant last = lastAttempt;
    return last.equals(Instant.MIN) || !clock.instant().isBefore(last.plus(age));
  }

  private synchronized Uni<KeySet> read() {
    if (reading == null) {
      lastAttempt = clock.instant();
      reading =
          location
              .get()
              .map(KeySet::parse)
              .invoke(this::keep)
              .onFailure()
              .invoke(this::complain)
              .onTermination()
              .invoke(this::done)
              .onFailure()
              .transform(ReadKeys::asUnavailable)
              .memoize()
              .indefinitely();
    }
    return reading;
  }

  private void keep(KeySet keys) {
    lastFailure = null;
    held = keys;
  }

  /** Not of the first reading: it is that of the start, which tells by itself. */
  private void complain(Throwable failure) {
    boolean first = held == null && lastFailure == null;
    lastFailure = failure;
    if (first) {
      return;
    }
    LOG.warnf(
        "The keys that verify tokens cannot be read: %s. %s",
        failure.getMessage(),
        held == null ? "Nobody can come in until they can." : "The last ones stay trusted.");
  }

  private synchronized void done() {
    reading = null;
  }

  private static Uni<KeySet> unavailable(Throwable failure) {
    return Uni.createFrom().failure(asUnavailable(failure));
  }

  private static KeysUnavailable asUnavailable(Throwable failure) {
    return new KeysUnavailable("The keys that verify tokens cannot be read.", failure);
  }
}
