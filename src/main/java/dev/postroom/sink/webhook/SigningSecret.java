package dev.postroom.sink.webhook;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * Pure: what sender and receiver of a webhook share, written {@code whsec_} and base64. Never
 * printed by accident.
 */
public final class SigningSecret {

  private static final String PREFIX = "whsec_";
  private static final int NEW_BYTES = 32;
  private static final int LEAST_BYTES = 24;

  private final String text;
  private final byte[] bytes;

  private SigningSecret(String text, byte[] bytes) {
    this.text = text;
    this.bytes = bytes;
  }

  /** A new one of 32 random bytes. */
  public static SigningSecret generate(SecureRandom random) {
    byte[] bytes = new byte[NEW_BYTES];
    random.nextBytes(bytes);
    return new SigningSecret(PREFIX + Base64.getEncoder().encodeToString(bytes), bytes);
  }

  /**
   * Reads the written form.
   *
   * @throws IllegalArgumentException if it is not {@code whsec_} and base64 of at least 24 bytes;
   *     the message does not repeat it
   */
  public static SigningSecret parse(String text) {
    if (text.startsWith(PREFIX)) {
      byte[] bytes = decode(text.substring(PREFIX.length()));
      if (bytes.length >= LEAST_BYTES) {
        return new SigningSecret(text, bytes);
      }
    }
    throw new IllegalArgumentException(
        "A signing secret is whsec_ and base64 of at least " + LEAST_BYTES + " bytes.");
  }

  private static byte[] decode(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  /** The written form, to be shown once. */
  public String text() {
    return text;
  }

  /** The key of the HMAC. */
  byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public String toString() {
    return PREFIX + "…";
  }
}
