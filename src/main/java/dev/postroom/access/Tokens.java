package dev.postroom.access;

import dev.postroom.access.TokenRejected.Reason;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.JWTParser;
import io.smallrye.jwt.auth.principal.ParseException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.PublicKey;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.crypto.SecretKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.consumer.ErrorCodes;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * Raw bearer token to {@link Principal}. The one gate for HTTP and WebSocket.
 *
 * <p>Never blocks: signatures are checked on the caller's thread (some 10 to 300 µs), keys are read
 * elsewhere. Safe for any thread.
 */
@ApplicationScoped
public class Tokens {

  /** Longer ones are refused unread: what can be sent before anybody is known has a bound (S1). */
  static final int LONGEST = 8_192;

  private static final String SCHEME = "bearer ";

  /** Sets of keys that are asked for on behalf of one token; how often is bounded elsewhere. */
  private static final int MOST_READINGS = 3;

  private final JWTParser parser;
  private final Keys keys;
  private final MeterRegistry metrics;

  Tokens(JWTParser parser, Keys keys, MeterRegistry metrics) {
    this.parser = parser;
    this.keys = keys;
    this.metrics = metrics;
  }

  /** The token in an {@code Authorization} header, or null if there is none of scheme Bearer. */
  public static @Nullable String bearer(@Nullable String headerValue) {
    if (headerValue == null || !headerValue.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return null;
    }
    String token = headerValue.substring(SCHEME.length()).strip();
    return token.isEmpty() ? null : token;
  }

  /**
   * Fails with {@link TokenRejected} if the token proves nobody, and with {@link KeysUnavailable}
   * or a database failure if that cannot be said at the moment. May complete on another thread when
   * keys had to be read.
   */
  public Uni<Principal> verify(@Nullable String rawToken) {
    return verifyUncounted(rawToken).onFailure(TokenRejected.class).invoke(this::count);
  }

  /**
   * Has a principal's token ended by now? The clocks may differ by as much as at {@link #verify},
   * so a token that is taken is not over at the same moment.
   */
  public boolean isOver(Principal principal, Instant now) {
    Instant end = principal.expiresAt();
    return end != null && !now.isBefore(end.plus(keys.rules().leeway()));
  }

  private Uni<Principal> verifyUncounted(@Nullable String rawToken) {
    Header header;
    try {
      header = header(rawToken);
    } catch (TokenRejected rejected) {
      return Uni.createFrom().failure(rejected);
    }
    return keys.current().onItem().transformToUni(known -> verify(header, known, MOST_READINGS));
  }

  private Uni<Principal> verify(Header header, KeySet known, int readingsLeft) {
    try {
      return Uni.createFrom().item(check(header, known));
    } catch (TokenRejected rejected) {
      boolean otherKeysMayHelp =
          rejected.reason() == Reason.UNKNOWN_KEY || rejected.reason() == Reason.SIGNATURE;
      if (!otherKeysMayHelp || readingsLeft == 0) {
        return Uni.createFrom().failure(rejected);
      }
      // The issuer may sign with a new key already. A reading that is shared, or that somebody else
      // has just done, may have begun before that key was published: then one more is worth it.
      return keys.newerThan(known)
          .onItem()
          .transformToUni(
              newer ->
                  newer == known
                      ? Uni.createFrom().failure(rejected)
                      : verify(header, newer, readingsLeft - 1));
    }
  }

  private static Header header(@Nullable String rawToken) {
    if (rawToken == null || rawToken.isBlank()) {
      throw new TokenRejected(
          Reason.MISSING, "A token is needed: send it as Authorization: Bearer <token>.");
    }
    if (rawToken.length() > LONGEST) {
      throw new TokenRejected(
          Reason.MALFORMED, "The token is longer than " + LONGEST + " characters.");
    }
    try {
      JsonWebSignature token = new JsonWebSignature();
      token.setCompactSerialization(rawToken);
      return new Header(
          rawToken,
          token.getKeyIdHeaderValue(),
          SignatureAlgorithm.fromAlgorithm(token.getAlgorithmHeaderValue()));
    } catch (JoseException | RuntimeException e) {
      // jose4j casts header fields that are not strings, and unknown algorithms throw.
      throw new TokenRejected(
          Reason.MALFORMED, "The token is not a JWT signed with an algorithm that is known here.");
    }
  }

  /** Tries every key that may fit; almost always that is one. */
  private Principal check(Header header, KeySet known) {
    List<KeySet.Trusted> candidates = known.candidates(header.keyId(), header.algorithm());
    TokenRejected last =
        new TokenRejected(Reason.UNKNOWN_KEY, "The token is signed with a key not trusted here.");
    for (KeySet.Trusted candidate : candidates) {
      try {
        return Claims.read(parser.parse(header.rawToken(), context(candidate, header)));
      } catch (ParseException e) {
        last = rejection(e);
        if (last.reason() != Reason.SIGNATURE) {
          break;
        }
      }
    }
    throw last;
  }

  private JWTAuthContextInfo context(KeySet.Trusted candidate, Header header) {
    TokenRules rules = keys.rules();
    JWTAuthContextInfo context = new JWTAuthContextInfo();
    if (candidate.key() instanceof SecretKey secret) {
      context.setSecretVerificationKey(secret);
    } else {
      context.setPublicVerificationKey((PublicKey) candidate.key());
    }
    context.setSignatureAlgorithm(Set.of(header.algorithm()));
    context.setIssuedBy(rules.issuer());
    context.setExpectedAudience(rules.audiences().isEmpty() ? null : rules.audiences());
    context.setClockSkew(Math.toIntExact(rules.leeway().toSeconds()));
    // Without sub there is a clearer answer than the parser's own.
    context.setRequireNamedPrincipal(false);
    return context;
  }

  /** One place that turns the parser's failures into reasons; by code, never by text. */
  private static TokenRejected rejection(ParseException failure) {
    if (!(failure.getCause() instanceof InvalidJwtException invalid)) {
      return new TokenRejected(Reason.MALFORMED, "The token cannot be read.");
    }
    if (invalid.hasErrorCode(ErrorCodes.SIGNATURE_INVALID)) {
      return new TokenRejected(Reason.SIGNATURE, "The token's signature is not right.");
    }
    if (invalid.hasErrorCode(ErrorCodes.EXPIRED)) {
      return new TokenRejected(Reason.EXPIRED, "The token has expired: get a new one.");
    }
    if (invalid.hasErrorCode(ErrorCodes.EXPIRATION_MISSING)) {
      return new TokenRejected(Reason.CLAIM, "The token never expires: it needs a claim exp.");
    }
    if (invalid.hasErrorCode(ErrorCodes.ISSUED_AT_MISSING)) {
      return new TokenRejected(
          Reason.CLAIM, "The token does not say when it was issued: it needs a claim iat.");
    }
    if (invalid.hasErrorCode(ErrorCodes.MISCELLANEOUS)) {
      // What the parser calls so are times in the wrong order.
      return new TokenRejected(Reason.CLAIM, "The token's exp is before its iat or nbf.");
    }
    if (invalid.hasErrorCode(ErrorCodes.NOT_YET_VALID)) {
      return new TokenRejected(
          Reason.NOT_YET_VALID, "The token is not valid yet: see its nbf and the clocks.");
    }
    if (invalid.hasErrorCode(ErrorCodes.ISSUER_MISSING)
        || invalid.hasErrorCode(ErrorCodes.ISSUER_INVALID)) {
      return new TokenRejected(Reason.ISSUER, "The token's iss is not the issuer trusted here.");
    }
    if (invalid.hasErrorCode(ErrorCodes.AUDIENCE_MISSING)
        || invalid.hasErrorCode(ErrorCodes.AUDIENCE_INVALID)) {
      return new TokenRejected(Reason.AUDIENCE, "The token's aud does not name this service.");
    }
    if (invalid.hasErrorCode(ErrorCodes.SUBJECT_INVALID)) {
      return new TokenRejected(Reason.SUBJECT, "The claim sub must be " + Participants.RULE + ".");
    }
    if (invalid.hasErrorCode(ErrorCodes.MALFORMED_CLAIM)) {
      return new TokenRejected(
          Reason.CLAIM, "A standard claim of the token (iss, aud, iat, nbf, exp …) is malformed.");
    }
    return new TokenRejected(Reason.MALFORMED, "The token cannot be read.");
  }

  private void count(Throwable rejected) {
    String reason = ((TokenRejected) rejected).reason().name().toLowerCase(Locale.ROOT);
    metrics.counter("postroom.tokens.rejected", "reason", reason).increment();
  }

  /** What can be read of a token before it is verified. */
  private record Header(String rawToken, @Nullable String keyId, SignatureAlgorithm algorithm) {
    @Override
    public String toString() {
      return "Header[keyId=" + keyId + ", algorithm=" + algorithm + "]";
    }
  }
}
