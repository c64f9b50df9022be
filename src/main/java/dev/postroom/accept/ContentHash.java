package dev.postroom.accept;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What makes the content of two commands the same (A3): the fields that are stored, code point by
 * code point, without normalisation. Stored with the number of the rule, so that a later rule does
 * not turn old repeats into conflicts.
 *
 * <p>Pure: safe for any thread.
 */
final class ContentHash {

  /** The rule for new messages. 1: SHA-256 of the text in UTF-8. */
  static final short RULE = 1;

  private ContentHash() {}

  static byte[] of(String text) {
    return byRule(RULE, text);
  }

  /** Whether {@code text} is what was stored as {@code hash} by {@code rule}. */
  static boolean matches(int rule, byte[] hash, String text) {
    return MessageDigest.isEqual(hash, byRule(rule, text));
  }

  private static byte[] byRule(int rule, String text) {
    if (rule != RULE) {
      throw new IllegalStateException("content hash of a later version: rule " + rule);
    }
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
