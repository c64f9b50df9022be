package dev.postroom.sink.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Pure: signatures of Standard Webhooks, version 1. What is signed is {@code id.timestamp.body},
 * byte for byte. Stateless.
 */
public final class Signature {

  /** The event's id, the same for every attempt. */
  public static final String ID = "webhook-id";

  /** When the attempt was made, in seconds since 1970. */
  public static final String TIMESTAMP = "webhook-timestamp";

  /** One signature per secret that is valid now, separated by spaces. */
  public static final String SIGNATURE = "webhook-signature";

  /** How far the clocks of sender and receiver may be apart, as the standard has it. */
  public static final Duration TOLERANCE = Duration.ofMinutes(5);

  private static final String ALGORITHM = "HmacSHA256";
  private static final String VERSION = "v1,";
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");

  private Signature() {}

  /** What a receiver makes of the three headers. */
  public enum Verdict {
    GOOD,
    /** A header is missing or the timestamp is no number. */
    MALFORMED,
    /** Signed longer ago than the tolerance, or that far in the future: perhaps a replay. */
    OUT_OF_TIME,
    /** Signed with none of the secrets, or not this id, time and body. */
    WRONG
  }

  /**
   * The header's value.
   *
   * @param timestamp in seconds since 1970
   * @param secrets those valid now, the newest first
   */
  public static String sign(String id, long timestamp, byte[] body, List<SigningSecret> secrets) {
    return secrets.stream()
        .map(secret -> VERSION + one(id, Long.toString(timestamp), body, secret))
        .collect(joining(" "));
  }

  /**
   * Judges a request. Takes the same time wherever a signature is wrong.
   *
   * @param id header, or null where there is none; so the others
   * @param secrets any of them will do
   */
  public static Verdict verify(
      @Nullable String id,
      @Nullable String timestamp,
      @Nullable String signature,
      byte[] body,
      List<SigningSecret> secrets,
      Instant now,
      Duration tolerance) {
    if (id == null
        || id.isEmpty()
        || signature == null
        || timestamp == null
        || !SECONDS.matcher(timestamp).matches()) {
      return Verdict.MALFORMED;
    }
    Duration apart = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now).abs();
    if (apart.compareTo(tolerance) > 0) {
      return Verdict.OUT_OF_TIME;
    }
    String[] offered = signature.split(" ", -1);
    boolean good = false;
    for (SigningSecret secret : secrets) {
      byte[] expected = (VERSION + one(id, timestamp, body, secret)).getBytes(UTF_8);
      for (String each : offered) {
        good |= MessageDigest.isEqual(expected, each.getBytes(UTF_8));
      }
    }
    return good ? Verdict.GOOD : Verdict.WRONG;
  }

  private static String one(String id, String timestamp, byte[] body, SigningSecret secret) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.bytes(), ALGORITHM));
      mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
