package dev.postroom.access;

import dev.postroom.db.Db;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.build.Jwt;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Inject;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/**
 * Gives a token to whoever asks, in the development run alone. The secret it signs with is in the
 * database, so tokens outlive a restart and are good on every node. Safe for any thread.
 */
@ApplicationScoped
@Typed(DevelopmentIssuer.class)
public class DevelopmentIssuer implements Keys {

  private static final String ISSUER = "postroom-development";
  private static final int SECRET_BYTES = 32;

  private static final String FIND = "SELECT secret FROM development_issuer";

  /** Does nothing if another node was faster; what counts is what is found afterwards. */
  private static final String OFFER =
      "INSERT INTO development_issuer (secret) VALUES ($1) ON CONFLICT DO NOTHING";

  private final Db db;
  private final Duration life;
  private final boolean active;
  private final SecureRandom random = new SecureRandom();

  private volatile @Nullable KeySet held;
  private volatile @Nullable SecretKey secret;

  @Inject
  DevelopmentIssuer(Db db, AccessConfig config, Config settings) {
    this(
        db,
        config.developmentTokenLife(),
        KeySetting.of(settings) instanceof KeySetting.Development);
  }

  DevelopmentIssuer(Db db, Duration life, boolean active) {
    this.db = db;
    this.life = life;
    this.active = active;
  }

  /** Whether this is a development run: no verification key, and only this machine can call. */
  public boolean isActive() {
    return active;
  }

  /**
   * A token that {@link Tokens#verify} takes.
   *
   * @throws IllegalArgumentException if one of the values is not of its form; the message names it
   */
  public Uni<String> issue(
      String participant, @Nullable String name, Map<String, Role> rooms, boolean admin) {
    if (!active) {
      throw new IllegalStateException("there is no development issuer where a key is configured");
    }
    Claims.check(participant, name, rooms.keySet());
    return secret().map(key -> sign(key, participant, name, rooms, admin));
  }

  @Override
  public Uni<KeySet> current() {
    KeySet known = held;
    return known != null ? Uni.createFrom().item(known) : secret().map(this::keep);
  }

  /** The secret never changes. */
  @Override
  public Uni<KeySet> newerThan(KeySet seen) {
    return Uni.createFrom().item(seen);
  }

  @Override
  public TokenRules rules() {
    return new TokenRules(ISSUER, Set.of(), TokenRules.LEEWAY);
  }

  private String sign(
      SecretKey key,
      String participant,
      @Nullable String name,
      Map<String, Role> rooms,
      boolean admin) {
    Map<String, Object> roles = new HashMap<>();
    rooms.forEach((pattern, role) -> roles.put(pattern, role.wire()));
    var claims =
        Jwt.claims()
            .issuer(ISSUER)
            .subject(participant)
            .expiresIn(life)
            .claim(Claims.ROOMS, roles)
            .claim(Claims.ADMIN, admin);
    if (name != null) {
      claims.claim(Claims.NAME, name);
    }
    return claims.jws().algorithm(SignatureAlgorithm.HS256).sign(key);
  }

  private Uni<SecretKey> secret() {
    SecretKey known = secret;
    if (known != null) {
      return Uni.createFrom().item(known);
    }
    return find()
        .onItem()
        .ifNull()
        .switchTo(() -> db.run(OFFER, Tuple.of(newSecret())).chain(this::find))
        .map(DevelopmentIssuer::key)
        .invoke(key -> secret = key);
  }

  private Uni<@Nullable String> find() {
    return db.one(FIND, Tuple.tuple(), row -> row.getString("secret"));
  }

  private String newSecret() {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static SecretKey key(String secret) {
    return new SecretKeySpec(Base64.getDecoder().decode(secret), "HmacSHA256");
  }

  private KeySet keep(SecretKey key) {
    KeySet keys = KeySet.ofSecret(key);
    held = keys;
    return keys;
  }
}
