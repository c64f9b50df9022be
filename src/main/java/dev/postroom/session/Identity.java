package dev.postroom.session;

import dev.postroom.access.Principal;
import dev.postroom.access.TokenRejected;
import dev.postroom.access.Tokens;
import io.smallrye.mutiny.Uni;
import java.time.Clock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who a socket speaks for, renewed by {@code auth}. Written on the connection's event loop only.
 */
final class Identity {
  private final Tokens tokens;
  private final Clock clock;
  private volatile @Nullable Principal principal;

  Identity(Tokens tokens, Clock clock) {
    this.tokens = tokens;
    this.clock = clock;
  }

  /** The token of the handshake was verified. */
  void is(Principal verified) {
    principal = verified;
  }

  /** Only after {@link #is}. */
  Principal principal() {
    return Objects.requireNonNull(principal);
  }

  boolean expired() {
    Principal known = principal;
    return known != null && tokens.isOver(known, clock.instant());
  }

  /**
   * Takes a new token of the same participant.
   *
   * @return what is wrong with it, or null
   */
  Uni<@Nullable String> renew(String token) {
    return tokens
        .verify(token)
        .map(this::take)
        .onFailure(TokenRejected.class)
        .recoverWithItem(Throwable::getMessage);
  }

  private @Nullable String take(Principal renewed) {
    if (!renewed.participant().equals(principal().participant())) {
      return "The new token is somebody else's; this socket stays with its participant.";
    }
    principal = renewed;
    return null;
  }
}
