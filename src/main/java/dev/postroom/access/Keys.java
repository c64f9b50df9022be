package dev.postroom.access;

import io.smallrye.mutiny.Uni;

/** The keys that are trusted now. Safe for any thread; never blocks. */
interface Keys {

  /**
   * Fails with {@link KeysUnavailable} only if there have never been any, or they could not be read
   * from the database.
   */
  Uni<KeySet> current();

  /**
   * Other keys than {@code seen}, if there are any by now; otherwise {@code seen} itself. Asked for
   * by a token that {@code seen} does not verify, so it reads the keys anew, but not at any rate.
   *
   * <p>Fails with {@link KeysUnavailable} if they cannot be read.
   */
  Uni<KeySet> newerThan(KeySet seen);

  /** What a token must say besides being signed with one of these keys. */
  TokenRules rules();
}
