package dev.postroom.testkit;

/**
 * The points between every two steps of handing over at which a node can die: the names under which
 * {@code docs/architecture.md} lists them. Each is tested by throwing ({@code HandOverThrowTest}),
 * and with a real process by {@code kill -9}, by {@code SIGSTOP} past the lease and by a restart of
 * the database ({@code HandOverCrashIT}).
 */
public enum HandOverPoint {
  BEFORE_CLAIM,
  AFTER_CLAIM,
  BEFORE_BYTES,
  BEFORE_ANSWER,
  BEFORE_MARK,
  AFTER_MARK,
  LEASE_RENEW,
  LEASE_LOST,
  SETTLE_LOST;

  /** Whether the receiver has the event there without a mark, so that it may come once more. */
  public boolean isSentUnmarked() {
    return this.compareTo(BEFORE_ANSWER) >= 0 && this != AFTER_MARK;
  }

  /** As the documents write it. */
  public String word() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }
}
