package dev.postroom.sink.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keeps signing secrets: sealed by AES-256-GCM with the first of the configured keys, so that the
 * database alone gives none away; opened with whichever of them it was. Safe for any thread.
 *
 * <p>Sealed is: a version byte, four bytes that name the key, a nonce of 12 random bytes, the
 * ciphertext with its tag. A key of the wrong length refuses the start.
 */
@Singleton
public final class Secrets {

  private static final int KEY_BYTES = 32;
  private static final byte VERSION = 1;
  private static final int NAME_BYTES = 4;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int HEAD_BYTES = 1 + NAME_BYTES + NONCE_BYTES;

  private static final String NO_KEY =
      "There is no key to keep secrets with: set postroom.secrets.key to base64 of 32 random bytes"
          + " (openssl rand -base64 32), the same on every node.";
  private static final String OTHER_KEY =
      "A secret was sealed with another key than those of postroom.secrets.key: add that key again,"
          + " or rotate the secret.";

  private final SecureRandom random = new SecureRandom();

  /** The first seals. */
  private final List<byte[]> keys;

  Secrets(SecretsConfig config) {
    this.keys = config.key().orElse(List.of()).stream().map(Secrets::key).toList();
  }

  /** Makes Quarkus read the key now, before anything starts. */
  void onStart(@Observes @Priority(-20) StartupEvent started) {}

  private static byte[] key(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text.strip());
      if (bytes.length == KEY_BYTES) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // Told below; without the text, which is a secret.
    }
    throw new ConfigurationException(
        "postroom.secrets.key must be base64 of 32 bytes: make one by openssl rand -base64 32."
            + " Several are separated by commas.");
  }

  /** A new one. */
  public SigningSecret generate() {
    return SigningSecret.generate(random);
  }

  /**
   * As it may be stored.
   *
   * @throws SecretsUnavailable if no key is configured
   */
  public byte[] seal(SigningSecret secret) {
    byte[] key = needed().get(0);
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] head = ByteBuffer.allocate(HEAD_BYTES).put(VERSION).put(name(key)).put(nonce).array();
    try {
      byte[] encrypted =
          cipher(Cipher.ENCRYPT_MODE, key, head).doFinal(secret.text().getBytes(US_ASCII));
      return ByteBuffer.allocate(HEAD_BYTES + encrypted.length).put(head).put(encrypted).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has AES-GCM", e);
    }
  }

  /**
   * The secret that was sealed.
   *
   * @throws SecretsUnavailable if it cannot be opened with a configured key, or there is none
   */
  public SigningSecret open(byte[] sealed) {
    byte[] key = keyOf(sealed);
    try {
      byte[] head = Arrays.copyOf(sealed, HEAD_BYTES);
      byte[] text =
          cipher(Cipher.DECRYPT_MODE, key, head)
              .doFinal(sealed, HEAD_BYTES, sealed.length - HEAD_BYTES);
      return SigningSecret.parse(new String(text, US_ASCII));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new SecretsUnavailable("A sealed secret is damaged: rotate it.");
    }
  }

  private byte[] keyOf(byte[] sealed) {
    boolean readable = sealed.length > HEAD_BYTES + TAG_BITS / 8 && sealed[0] == VERSION;
    return needed().stream()
        .filter(key -> readable)
        .filter(key -> Arrays.equals(name(key), 0, NAME_BYTES, sealed, 1, 1 + NAME_BYTES))
        .findFirst()
        .orElseThrow(() -> new SecretsUnavailable(OTHER_KEY));
  }

  private List<byte[]> needed() {
    if (keys.isEmpty()) {
      throw new SecretsUnavailable(NO_KEY);
    }
    return keys;
  }

  private static Cipher cipher(int mode, byte[] key, byte[] head) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        mode,
        new SecretKeySpec(key, "AES"),
        new GCMParameterSpec(TAG_BITS, head, HEAD_BYTES - NONCE_BYTES, NONCE_BYTES));
    cipher.updateAAD(head);
    return cipher;
  }

  /** Tells keys apart without giving them away. */
  private static byte[] name(byte[] key) {
    try {
      MessageDigest hash = MessageDigest.getInstance("SHA-256");
      return Arrays.copyOf(hash.digest(key), NAME_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
