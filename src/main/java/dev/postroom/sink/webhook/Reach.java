package dev.postroom.sink.webhook;

import java.net.InetAddress;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pure: where webhooks may go. By https on the usual ports to every public address; by http, on
 * other ports and to special addresses only inside the blocks that the operator allows.
 */
final class Reach {

  private static final String ALLOW = "postroom.webhook.allow";

  private final Addresses addresses;
  private final Set<Integer> ports;

  Reach(Addresses addresses, Collection<Integer> ports) {
    this.addresses = addresses;
    this.ports = Set.copyOf(ports);
  }

  /** What is wrong with a target, as far as it can be known without asking the network; or null. */
  @Nullable String wrong(String text) {
    Target target;
    try {
      target = Target.parse(text);
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
    InetAddress literal = target.literal();
    if (literal != null && !permits(target, literal)) {
      return addresses.isPublic(literal)
          ? "Without TLS, or on another port than "
              + ports
              + ", webhooks go only to addresses in "
              + ALLOW
              + "."
          : "The address is not a public one, nor in " + ALLOW + ".";
    }
    if (literal == null && !usual(target) && !addresses.anyAllowed()) {
      return "The URL must begin with https:// and have one of the ports "
          + ports
          + "; others are for addresses in "
          + ALLOW
          + " only.";
    }
    return null;
  }

  /** Whether an attempt may connect to this address, which the target's host stands for now. */
  boolean permits(Target target, InetAddress address) {
    return addresses.allowed(address) || (usual(target) && addresses.isPublic(address));
  }

  private boolean usual(Target target) {
    return target.tls() && ports.contains(target.port());
  }
}
