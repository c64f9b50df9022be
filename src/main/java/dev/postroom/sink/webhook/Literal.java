package dev.postroom.sink.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Pure: addresses that are written out. Strict, because programs disagree on what {@code
 * 0177.0.0.1} or {@code 2130706433} mean, and the one that checks must read what the one that
 * connects reads (W3).
 */
final class Literal {

  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
  private static final Pattern FOUR = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
  private static final Pattern SIX = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
  private static final Pattern NUMBER = Pattern.compile("(.*\\.)?([0-9]+|0[xX][0-9a-fA-F]*)");

  private Literal() {}

  /** The address that the text is, or null where it is none; nothing is looked up. */
  static @Nullable InetAddress address(String text) {
    if (!FOUR.matcher(text).matches() && !SIX.matcher(text).matches()) {
      return null;
    }
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      return null;
    }
  }

  /** Whether some program would take it for a number, and so for an address. */
  static boolean looksLikeNumber(String host) {
    return NUMBER.matcher(host).matches();
  }

  /** The address alone, without the name or the interface that it was found by. */
  static InetAddress of(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("4 or 16 bytes", e);
    }
  }
}
