package dev.postroom.sink.webhook;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * Pure: which addresses webhooks may go to. Special ones – private, loopback, link-local with the
 * clouds' metadata, shared, documentation, multicast, reserved – only where they are allowed by
 * name of their block (W3).
 *
 * <p>The blocks are those of IANA's registries of special-purpose addresses that are not globally
 * reachable. Of IPv6 only {@code 2000::/3} is handed out at all, so everything else is special;
 * that takes in loopback, unique local, link-local, multicast, and IPv4 inside IPv6 (compatible,
 * NAT64). Mapped addresses are IPv4 to Java.
 */
final class Addresses {

  private static final List<Cidr> SPECIAL =
      blocks(
          "0.0.0.0/8",
          "10.0.0.0/8",
          "100.64.0.0/10",
          "127.0.0.0/8",
          "169.254.0.0/16",
          "172.16.0.0/12",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "192.88.99.0/24",
          "192.168.0.0/16",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/4",
          "240.0.0.0/4",
          // IETF protocols, Teredo among them.
          "2001::/23",
          "2001:db8::/32",
          // 6to4, which holds an IPv4 address.
          "2002::/16",
          "3fff::/20");

  private static final Cidr GLOBAL_SIX = Cidr.parse("2000::/3");

  private final List<Cidr> allowed;

  Addresses(List<Cidr> allowed) {
    this.allowed = List.copyOf(allowed);
  }

  /** Whether the operator allows it by its block. */
  boolean allowed(InetAddress address) {
    return in(allowed, address);
  }

  /** Whether anything is allowed by its block. */
  boolean anyAllowed() {
    return !allowed.isEmpty();
  }

  /** Whether it is an address of the public network. */
  boolean isPublic(InetAddress address) {
    boolean four = address.getAddress().length == 4;
    return (four || GLOBAL_SIX.contains(address)) && !in(SPECIAL, address);
  }

  private static boolean in(List<Cidr> blocks, InetAddress address) {
    return blocks.stream().anyMatch(block -> block.contains(address));
  }

  private static List<Cidr> blocks(String... texts) {
    return Stream.of(texts).map(Cidr::parse).toList();
  }
}
