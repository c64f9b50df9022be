package dev.postroom.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.access.TokenRejected.Reason;
import dev.postroom.testkit.Seed;
import dev.postroom.testkit.TokenMint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.DefaultJWTParser;
import io.smallrye.jwt.build.JwtClaimsBuilder;
import io.smallrye.mutiny.Uni;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TokensTest {
  private static final TokenMint RSA = TokenMint.rsa("r1");
  private static final TokenMint EC = TokenMint.ec("e1");
  private static final TokenMint ED = TokenMint.ed25519("d1");
  private static final TokenMint STRANGER = TokenMint.rsa("s1");
  private static final TokenRules RULES =
      new TokenRules(TokenMint.ISSUER, Set.of(TokenMint.AUDIENCE, "other"), Duration.ofSeconds(30));

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final Tokens tokens = tokens(TokenMint.jwks(RSA, EC, ED));

  private Tokens tokens(String keys) {
    return new Tokens(
        new DefaultJWTParser(),
        new ReadKeys(
            () -> Uni.createFrom().item(keys),
            RULES,
            Duration.ofHours(1),
            Duration.ofHours(1),
            Clock.systemUTC()),
        metrics);
  }

  private Principal verify(String token) {
    return tokens.verify(token).await().atMost(Duration.ofSeconds(10));
  }

  private TokenRejected rejected(String token) {
    return assertThrows(TokenRejected.class, () -> verify(token));
  }

  static Stream<TokenMint> mints() {
    return Stream.of(RSA, EC, ED);
  }

  @ParameterizedTest
  @MethodSource("mints")
  void everyKindOfKey(TokenMint mint) {
    assertEquals("anna", verify(mint.token("anna")).participant());
  }

  @ParameterizedTest
  @MethodSource("mints")
  void everyFormOfKey(TokenMint mint) {
    for (String keys :
        List.of(
            mint.pem(),
            mint.jwk(),
            TokenMint.jwks(mint),
            Base64.getEncoder().encodeToString(mint.pair().getPublic().getEncoded()),
            Base64.getUrlEncoder()
                .encodeToString(TokenMint.jwks(mint).getBytes(StandardCharsets.UTF_8)))) {
      Principal anna =
          tokens(keys).verify(mint.token("anna")).await().atMost(Duration.ofSeconds(10));
      assertEquals("anna", anna.participant(), keys);
    }
  }

  @Test
  void whatATokenSays() {
    Instant end = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 300);
    JwtClaimsBuilder claims =
        TokenMint.claims("anna")
            .claim("name", "Anna 👩‍💻")
            .claim("rooms", Map.of("case-*", "writer", "*", "reader", "own", "owner"))
            .claim("admin", true)
            .expiresAt(end);
    assertEquals(
        new Principal(
            "anna",
            "Anna 👩‍💻",
            Map.of("case-*", Role.WRITER, "*", Role.READER, "own", Role.OWNER),
            true,
            end),
        verify(RSA.sign(claims)));
  }

  @Test
  void withoutNameTheIdIsShown() {
    Principal anna = verify(RSA.token("anna"));
    assertEquals("anna", anna.name());
    assertEquals(Map.of(), anna.rooms());
    assertFalse(anna.admin());
  }

  static Stream<Arguments> bad() {
    Instant now = Instant.now();
    return Stream.of(
        Arguments.of(Reason.MISSING, null),
        Arguments.of(Reason.MISSING, " "),
        Arguments.of(Reason.MALFORMED, "abc"),
        Arguments.of(Reason.MALFORMED, "a.b.c"),
        Arguments.of(Reason.MALFORMED, "x".repeat(9_000)),
        Arguments.of(Reason.MALFORMED, raw("{\"alg\":\"none\"}", "{\"sub\":\"anna\"}")),
        Arguments.of(Reason.MALFORMED, raw("{\"alg\":5}", "{}")),
        Arguments.of(Reason.MALFORMED, raw("{\"alg\":\"RS256\",\"kid\":7}", "{}")),
        Arguments.of(Reason.MALFORMED, raw("[]", "{}")),
        Arguments.of(Reason.UNKNOWN_KEY, STRANGER.token("anna")),
        Arguments.of(Reason.SIGNATURE, withSignatureOf(RSA.token("anna"), RSA.token("ben"))),
        Arguments.of(Reason.EXPIRED, RSA.sign(claims().expiresAt(now.minusSeconds(31)))),
        Arguments.of(
            Reason.NOT_YET_VALID,
            RSA.sign(claims().claim("nbf", now.plusSeconds(90).getEpochSecond()))),
        Arguments.of(Reason.ISSUER, RSA.sign(claims().issuer("https://evil.example"))),
        Arguments.of(Reason.ISSUER, RSA.sign(claims().remove("iss"))),
        Arguments.of(Reason.AUDIENCE, RSA.sign(claims().audience("another"))),
        Arguments.of(Reason.AUDIENCE, RSA.sign(claims().remove("aud"))),
        Arguments.of(Reason.SUBJECT, RSA.sign(claims().remove("sub"))),
        Arguments.of(Reason.SUBJECT, RSA.token("")),
        Arguments.of(Reason.SUBJECT, RSA.token("a".repeat(129))),
        Arguments.of(Reason.SUBJECT, RSA.token("a\u0000b")),
        Arguments.of(Reason.CLAIM, RSA.sign(claims().claim("name", 5))),
        Arguments.of(Reason.CLAIM, RSA.sign(claims().claim("name", " "))),
        Arguments.of(Reason.CLAIM, RSA.sign(claims().claim("name", "a\u0000b"))),
        Arguments.of(Reason.CLAIM, RSA.sign(claims().claim("name", "x".repeat(201)))),
        Arguments.of(Reason.CLAIM, RSA.sign(claims().claim("admin", "true"))),
        Arguments.of(Reason.CLAIM, RSA.sign(claims().claim("admin", 1))),
        Arguments.of(Reason.CLAIM, RSA.sign(claims().claim("rooms", "case-*"))),
        Arguments.of(Reason.CLAIM, RSA.sign(claims().claim("rooms", List.of("case-*")))),
        Arguments.of(Reason.CLAIM, RSA.sign(claims().claim("rooms", Map.of("a b", "writer")))),
        Arguments.of(Reason.CLAIM, RSA.sign(claims().claim("rooms", Map.of("", "writer")))),
        Arguments.of(Reason.CLAIM, RSA.sign(claims().claim("rooms", Map.of("a", "god")))),
        Arguments.of(Reason.CLAIM, RSA.sign(claims().claim("rooms", Map.of("a", 1)))),
        Arguments.of(Reason.CLAIM, RSA.sign(claims().claim("rooms", manyRooms(257)))));
  }

  private static String withSignatureOf(String token, String other) {
    return token.substring(0, token.lastIndexOf('.')) + other.substring(other.lastIndexOf('.'));
  }

  private static JwtClaimsBuilder claims() {
    return TokenMint.claims("anna");
  }

  private static Map<String, String> manyRooms(int count) {
    Map<String, String> rooms = new HashMap<>();
    for (int i = 0; i < count; i++) {
      rooms.put("r" + i, "reader");
    }
    return rooms;
  }

  private static String raw(String header, String claims) {
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    return base64.encodeToString(header.getBytes(StandardCharsets.UTF_8))
        + "."
        + base64.encodeToString(claims.getBytes(StandardCharsets.UTF_8))
        + ".AAAA";
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("S2: a bad token is refused with its reason, counted, and never repeated")
  @MethodSource("bad")
  void refused(Reason reason, String token) {
    TokenRejected rejected = rejected(token);
    assertEquals(reason, rejected.reason(), rejected.getMessage());
    assertTrue(token == null || token.isBlank() || !rejected.getMessage().contains(token));
    assertEquals(1.0, metrics.get("postroom.tokens.rejected").counter().count());
  }

  @Test
  void clocksMayDifferByTheLeeway() {
    Instant now = Instant.now();
    verify(RSA.sign(claims().expiresAt(now.minusSeconds(20))));
    verify(RSA.sign(claims().claim("nbf", now.plusSeconds(20).getEpochSecond())));
  }

  @Test
  @DisplayName("a public key is never taken for an HMAC secret")
  void algorithmConfusion() {
    byte[] publicKey = RSA.pair().getPublic().getEncoded();
    String forged =
        claims()
            .jws()
            .keyId("r1")
            .algorithm(SignatureAlgorithm.HS256)
            .sign(new SecretKeySpec(publicKey, "HmacSHA256"));
    assertEquals(Reason.UNKNOWN_KEY, rejected(forged).reason());
  }

  @Test
  @DisplayName("another key's id does not help")
  void wrongKeyId() {
    String forged =
        claims()
            .jws()
            .keyId("r1")
            .algorithm(SignatureAlgorithm.RS256)
            .sign(STRANGER.pair().getPrivate());
    assertEquals(Reason.SIGNATURE, rejected(forged).reason());
  }

  @Test
  void aTokenWithoutKeyIdIsTriedWithEveryKeyOfItsKind() {
    String token = claims().jws().algorithm(SignatureAlgorithm.ES256).sign(EC.pair().getPrivate());
    assertEquals("anna", verify(token).participant());
  }

  @Test
  @DisplayName("a token with one character changed proves nobody, wherever that is")
  void generatedTampering() {
    long seed = Seed.pick("generatedTampering");
    Random random = new Random(seed);
    String token = EC.token("anna");
    List<String> taken = new ArrayList<>();
    for (int round = 0; round < 2_000; round++) {
      int at = random.nextInt(token.length());
      char other = "ABCDEFGHIJKLMNOPQRSTUVWXYZ.abc-_ 0".charAt(random.nextInt(34));
      String changed = token.substring(0, at) + other + token.substring(at + 1);
      // The last character of a Base64 part carries unused bits.
      boolean sameBytes = changed.equals(token) || at == token.length() - 1;
      try {
        verify(changed);
        if (!sameBytes) {
          taken.add(changed);
        }
      } catch (TokenRejected expected) {
        assertFalse(changed.equals(token), "seed " + seed);
      }
    }
    assertEquals(List.of(), taken, "seed " + seed);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "Bearer abc, abc",
        "bearer abc, abc",
        "BEARER   abc, abc",
        "'Bearer ', -",
        "Bearer, -",
        "Basic abc, -",
        "Bearerabc, -",
        "'', -",
        "-, -",
      })
  void bearer(String header, String token) {
    if (token == null) {
      assertNull(Tokens.bearer(header));
    } else {
      assertEquals(token, Tokens.bearer(header));
    }
  }
}
