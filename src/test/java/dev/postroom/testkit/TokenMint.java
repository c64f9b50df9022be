package dev.postroom.testkit;

import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.build.Jwt;
import io.smallrye.jwt.build.JwtClaimsBuilder;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.lang.JoseException;

/** Somebody else's issuer: one key pair with an id, and the tokens it signs. */
public final class TokenMint {
  public static final String ISSUER = "https://issuer.example";
  public static final String AUDIENCE = "postroom";

  private final String keyId;
  private final KeyPair pair;
  private final SignatureAlgorithm algorithm;

  private TokenMint(String keyId, KeyPair pair, SignatureAlgorithm algorithm) {
    this.keyId = keyId;
    this.pair = pair;
    this.algorithm = algorithm;
  }

  public static TokenMint rsa(String keyId) {
    return of(keyId, "RSA", 2048, SignatureAlgorithm.RS256);
  }

  public static TokenMint ec(String keyId) {
    return of(keyId, "EC", 256, SignatureAlgorithm.ES256);
  }

  public static TokenMint ed25519(String keyId) {
    return of(keyId, "Ed25519", 255, SignatureAlgorithm.EDDSA);
  }

  /**
   * One EC mint of that name for the whole JVM. A Quarkus test and its profile see this class
   * through several loaders, so the key is handed over as text.
   */
  public static TokenMint shared(String name) {
    String property = "postroom.testkit.mint." + name;
    synchronized (property.intern()) {
      String known = System.getProperty(property);
      try {
        if (known != null) {
          PublicJsonWebKey key = PublicJsonWebKey.Factory.newPublicJwk(known);
          KeyPair pair = new KeyPair(key.getPublicKey(), key.getPrivateKey());
          return new TokenMint(name, pair, SignatureAlgorithm.ES256);
        }
        TokenMint mint = ec(name);
        PublicJsonWebKey key = mint.key();
        key.setPrivateKey(mint.pair.getPrivate());
        System.setProperty(property, key.toJson(OutputControlLevel.INCLUDE_PRIVATE));
        return mint;
      } catch (JoseException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static TokenMint of(String keyId, String type, int size, SignatureAlgorithm algorithm) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(type);
      generator.initialize(size);
      return new TokenMint(keyId, generator.generateKeyPair(), algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Claims of a good token, to be spoilt. */
  public static JwtClaimsBuilder claims(String participant) {
    return Jwt.claims()
        .issuer(ISSUER)
        .audience(AUDIENCE)
        .subject(participant)
        .issuedAt(Instant.now().minusSeconds(600))
        .expiresAt(Instant.now().plusSeconds(600));
  }

  public String token(String participant) {
    return sign(claims(participant));
  }

  public String sign(JwtClaimsBuilder claims) {
    return claims.jws().keyId(keyId).algorithm(algorithm).sign(pair.getPrivate());
  }

  public KeyPair pair() {
    return pair;
  }

  public String pem() {
    return "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(pair.getPublic().getEncoded())
        + "\n-----END PUBLIC KEY-----\n";
  }

  public String jwk() {
    return key().toJson(OutputControlLevel.PUBLIC_ONLY);
  }

  public static String jwks(TokenMint... mints) {
    return new JsonWebKeySet(List.of(mints).stream().map(TokenMint::key).toList())
        .toJson(OutputControlLevel.PUBLIC_ONLY);
  }

  private PublicJsonWebKey key() {
    try {
      PublicJsonWebKey key = PublicJsonWebKey.Factory.newPublicJwk(pair.getPublic());
      key.setKeyId(keyId);
      return key;
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }
}
