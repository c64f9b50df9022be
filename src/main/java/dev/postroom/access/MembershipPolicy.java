package dev.postroom.access;

import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rights from three places, the first that suffices: what everybody may, what the token claims, and
 * membership (ADR 0004). An admin is an owner everywhere. Safe for any thread.
 */
@ApplicationScoped
class MembershipPolicy implements RoomPolicy {

  private static final Uni<Decision> ALLOWED = Uni.createFrom().item(Decision.ALLOWED);
  private static final Uni<Decision> ALLOWED_AND_MAY_CREATE =
      Uni.createFrom().item(Decision.ALLOWED_AND_MAY_CREATE);

  private final Members members;
  private final RoleBatches batches;
  private final boolean openToAll;
  private final boolean createOnUse;

  @Inject
  MembershipPolicy(Members members, RoomRights rights, DevelopmentIssuer issuer) {
    this(
        members,
        rights.openToAll().orElse(issuer.isActive()),
        rights.createOnUse().orElse(issuer.isActive()));
  }

  MembershipPolicy(Members members, boolean openToAll, boolean createOnUse) {
    this.members = members;
    this.batches = new RoleBatches(members::roles);
    this.openToAll = openToAll;
    this.createOnUse = createOnUse;
  }

  @Override
  public Uni<Decision> decide(Principal principal, RoomId room, Role needed) {
    return decide(principal, room, needed, () -> members.role(room, principal.participant()));
  }

  @Override
  public Uni<Decision> decide(Principal principal, Room room, Role needed) {
    return decide(principal, room.id(), needed, () -> members.role(room, principal.participant()));
  }

  @Override
  public Uni<Decision> decideAmongMany(Principal principal, RoomId room, Role needed) {
    return decide(principal, room, needed, () -> batches.role(room, principal.participant()));
  }

  private Uni<Decision> decide(
      Principal principal, RoomId room, Role needed, Supplier<Uni<@Nullable Role>> membership) {
    Role held = withoutMembership(principal, room);
    if (held != null && held.includes(needed)) {
      return createOnUse && held.includes(Role.WRITER) ? ALLOWED_AND_MAY_CREATE : ALLOWED;
    }
    return membership
        .get()
        .map(role -> role != null && role.includes(needed) ? Decision.ALLOWED : Decision.FORBIDDEN);
  }

  @Override
  public boolean mayCreate(Principal principal, RoomId room) {
    return openToAll || claimed(principal, room) == Role.OWNER;
  }

  /** Whether no room needs to be asked about one by one. */
  boolean isReaderEverywhere(Principal principal) {
    return openToAll || principal.admin();
  }

  private @Nullable Role withoutMembership(Principal principal, RoomId room) {
    Role claimed = claimed(principal, room);
    boolean openGivesMore = openToAll && (claimed == null || !claimed.includes(Role.WRITER));
    return openGivesMore ? Role.WRITER : claimed;
  }

  /** The greatest role that a matching pattern gives. */
  private static @Nullable Role claimed(Principal principal, RoomId room) {
    if (principal.admin()) {
      return Role.OWNER;
    }
    Role best = null;
    for (Map.Entry<String, Role> claim : principal.rooms().entrySet()) {
      boolean isMore = best == null || claim.getValue().compareTo(best) > 0;
      if (isMore && RoomPattern.matches(claim.getKey(), room.value())) {
        best = claim.getValue();
      }
    }
    return best;
  }
}
