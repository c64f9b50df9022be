package dev.postroom.outbox;

/**
 * How far back lanes that became due are looked for.
 *
 * <p>Not to the beginning, since that way lie the dead entries of all that left (ADR 0005); but
 * past the last look that saw everything: what became due while nobody could look or take it –
 * paused, stopped, without a database, with all hands full – is found by the first who can. Older
 * than that is only what somebody held locked, which the sweep finds.
 *
 * <p>Confined to the relay's event loop.
 */
final class LookBack {
  /** For the sweep: everything. */
  static final double EVER_SECONDS = 1e10;

  /** At least: what is written now may have become due a while ago. */
  static final double LEAST_SECONDS = 5;

  private long sawAll = System.nanoTime();

  /**
   * How far to look now, in seconds.
   *
   * @param now by the monotonic clock, in nanoseconds
   */
  double seconds(long now) {
    return LEAST_SECONDS + (now - sawAll) / 1e9;
  }

  /** A look that was asked for then left nothing unseen. */
  void sawAll(long asked) {
    sawAll = asked;
  }
}
