package dev.postroom.sink.webhook;

import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Pure: a block of addresses.
 *
 * @param network 4 or 16 bytes
 * @param bits how many of them decide
 */
record Cidr(byte[] network, int bits) {

  private static final Pattern SHAPE = Pattern.compile("([0-9a-fA-F.:]+)(?:/([0-9]{1,3}))?");

  /**
   * Reads {@code 10.0.0.0/8}, {@code fd00::/8} or a single address.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static Cidr parse(String text) {
    Matcher matcher = SHAPE.matcher(text);
    InetAddress address = matcher.matches() ? Literal.address(matcher.group(1)) : null;
    if (address != null) {
      byte[] network = address.getAddress();
      String length = matcher.group(2);
      int bits = length == null ? network.length * 8 : Integer.parseInt(length);
      if (bits <= network.length * 8) {
        return new Cidr(network, bits);
      }
    }
    throw new IllegalArgumentException(
        text + " is not a block of addresses such as 10.0.0.0/8 or fd00::/8");
  }

  boolean contains(InetAddress address) {
    byte[] other = address.getAddress();
    if (other.length != network.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit += 8) {
      int mask = bits - bit >= 8 ? 0xFF : 0xFF << (8 - (bits - bit));
      if (((network[bit / 8] ^ other[bit / 8]) & mask & 0xFF) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The block as it is written. */
  @Override
  public String toString() {
    @Nullable InetAddress address = Literal.of(network);
    return address.getHostAddress() + "/" + bits;
  }
}
