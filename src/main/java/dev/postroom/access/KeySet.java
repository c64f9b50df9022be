package dev.postroom.access;

import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.util.KeyUtils;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one reading. Immutable.
 *
 * <p>Pure: text in, keys out.
 *
 * <p>Every key knows the algorithms it may be used with, from its own type: a token cannot choose
 * another, so a public key can never be taken for an HMAC secret.
 */
final class KeySet {

  /**
   * @param id the {@code kid}, or null where the key came without one
   */
  record Trusted(@Nullable String id, Set<SignatureAlgorithm> algorithms, Key key) {}

  private static final Set<SignatureAlgorithm> RSA =
      EnumSet.of(
          SignatureAlgorithm.RS256,
          SignatureAlgorithm.RS384,
          SignatureAlgorithm.RS512,
          SignatureAlgorithm.PS256,
          SignatureAlgorithm.PS384,
          SignatureAlgorithm.PS512);

  private final List<Trusted> keys;

  private KeySet(List<Trusted> keys) {
    this.keys = List.copyOf(keys);
  }

  /** A secret that signs and verifies; only the development issuer has one. */
  static KeySet ofSecret(Key secret) {
    return new KeySet(List.of(new Trusted(null, EnumSet.of(SignatureAlgorithm.HS256), secret)));
  }

  /**
   * Reads a PEM public key or certificate, a JWK, a JWK set, or one of these in Base64.
   *
   * @throws IllegalArgumentException if there is no public key for signatures in it; the message is
   *     for the operator
   */
  static KeySet parse(String content) {
    String text = content.strip();
    List<Trusted> keys = text.startsWith("{") ? fromJson(text) : fromPemOrBase64(text);
    if (keys.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no public key for signatures (RSA, EC or Ed25519) in it");
    }
    return new KeySet(keys);
  }

  /** The keys that may have signed a token with this header; empty if it is by none of them. */
  List<Trusted> candidates(@Nullable String id, SignatureAlgorithm algorithm) {
    List<Trusted> candidates = new ArrayList<>();
    for (Trusted key : keys) {
      boolean sameId = id == null || key.id() == null || key.id().equals(id);
      if (sameId && key.algorithms().contains(algorithm)) {
        candidates.add(key);
      }
    }
    return candidates;
  }

  private static List<Trusted> fromJson(String text) {
    try {
      // Keys of a kind it does not know are left out by the set's own parser.
      List<JsonWebKey> jwks =
          text.contains("\"" + JsonWebKeySet.JWK_SET_MEMBER_NAME + "\"")
              ? new JsonWebKeySet(text).getJsonWebKeys()
              : List.of(JsonWebKey.Factory.newJwk(text));
      List<Trusted> keys = new ArrayList<>();
      for (JsonWebKey jwk : jwks) {
        if (jwk instanceof PublicJsonWebKey && !"enc".equals(jwk.getUse())) {
          add(keys, jwk.getKeyId(), jwk.getPublicKey(), jwk.getAlgorithm());
        }
      }
      return keys;
    } catch (JoseException e) {
      throw new IllegalArgumentException("it is neither a JWK nor a JWK set", e);
    }
  }

  private static List<Trusted> fromPemOrBase64(String text) {
    List<Trusted> keys = new ArrayList<>();
    if (text.contains("BEGIN CERTIFICATE")) {
      try {
        add(keys, null, KeyUtils.getCertificate(text).getPublicKey(), null);
        return keys;
      } catch (GeneralSecurityException e) {
        throw new IllegalArgumentException("it is not a certificate that can be read", e);
      }
    }
    byte[] der = decode(KeyUtils.removePemKeyBeginEnd(text).replaceAll("\\s", ""));
    String decoded = new String(der, StandardCharsets.UTF_8);
    if (decoded.startsWith("{")) {
      return fromJson(decoded);
    }
    for (String type : List.of("RSA", "EC", "Ed25519")) {
      try {
        PublicKey key = KeyFactory.getInstance(type).generatePublic(new X509EncodedKeySpec(der));
        add(keys, null, key, null);
        return keys;
      } catch (GeneralSecurityException e) {
        // Not of this type; the next one may fit.
      }
    }
    return keys;
  }

  private static byte[] decode(String base64) {
    try {
      return Base64.getDecoder().decode(base64.replace('-', '+').replace('_', '/'));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "it is neither PEM, nor JSON, nor Base64 of one of them", e);
    }
  }

  private static void add(
      List<Trusted> keys, @Nullable String id, PublicKey key, @Nullable String algorithm) {
    Set<SignatureAlgorithm> algorithms = algorithmsOf(key);
    if (algorithm != null) {
      algorithms.removeIf(candidate -> !candidate.getAlgorithm().equals(algorithm));
    }
    if (!algorithms.isEmpty()) {
      keys.add(new Trusted(id, algorithms, key));
    }
  }

  private static Set<SignatureAlgorithm> algorithmsOf(PublicKey key) {
    if (key instanceof RSAPublicKey) {
      return EnumSet.copyOf(RSA);
    }
    if (key instanceof EdECPublicKey) {
      return EnumSet.of(SignatureAlgorithm.EDDSA);
    }
    if (key instanceof ECPublicKey ec) {
      switch (ec.getParams().getCurve().getField().getFieldSize()) {
        case 256:
          return EnumSet.of(SignatureAlgorithm.ES256);
        case 384:
          return EnumSet.of(SignatureAlgorithm.ES384);
        case 521:
          return EnumSet.of(SignatureAlgorithm.ES512);
        default:
          break;
      }
    }
    return EnumSet.noneOf(SignatureAlgorithm.class);
  }
}
