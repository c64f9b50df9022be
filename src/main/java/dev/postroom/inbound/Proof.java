package dev.postroom.inbound;

import dev.postroom.sink.webhook.Signature;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request shows to say whose it is: the headers of Standard Webhooks over exactly these
 * bytes, or a token.
 *
 * @param token what stood behind {@code Bearer}
 */
public record Proof(
    @Nullable String id,
    @Nullable String timestamp,
    @Nullable String signature,
    @Nullable String token,
    byte[] body) {

  private static final String BEARER = "Bearer ";

  /**
   * From a request.
   *
   * @param headers with names in lower case, each with its only value
   */
  public static Proof of(Map<String, String> headers, byte[] body) {
    return new Proof(
        headers.get(Signature.ID),
        headers.get(Signature.TIMESTAMP),
        headers.get(Signature.SIGNATURE),
        bearer(headers.get("authorization")),
        body);
  }

  private static @Nullable String bearer(@Nullable String authorization) {
    return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? authorization.substring(BEARER.length()).strip()
        : null;
  }

  /** Without any of it. */
  @Override
  public String toString() {
    return "Proof";
  }
}
