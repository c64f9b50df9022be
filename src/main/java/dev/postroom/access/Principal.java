package dev.postroom.access;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who acts, as the verified token says.
 *
 * @param participant the token's {@code sub}
 * @param name for display
 * @param rooms room pattern ({@code case-*}) to role, from the claim {@code rooms}
 * @param admin the claim {@code admin}
 * @param expiresAt the token's {@code exp}, or null if it never ends; see {@link Tokens#isOver}
 */
public record Principal(
    String participant,
    String name,
    Map<String, Role> rooms,
    boolean admin,
    @Nullable Instant expiresAt) {

  /** Whether both tokens give the same rights by themselves. */
  public boolean claimsAs(Principal other) {
    return admin == other.admin && rooms.equals(other.rooms);
  }
}
