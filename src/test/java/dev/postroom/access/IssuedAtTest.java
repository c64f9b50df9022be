package dev.postroom.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.access.TokenRejected.Reason;
import dev.postroom.testkit.TokenMint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.jwt.auth.principal.DefaultJWTParser;
import io.smallrye.mutiny.Uni;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Stream;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class IssuedAtTest {
  private static final TokenMint MINT = TokenMint.rsa("r1");

  static Stream<String> issuedAt() {
    long now = Instant.now().getEpochSecond();
    return Stream.of("", ",\"iat\":\"today\"", ",\"iat\":{}", ",\"iat\":" + (now + 7_200));
  }

  @ParameterizedTest
  @DisplayName("S2: a token without a sensible iat is told so")
  @MethodSource("issuedAt")
  void told(String issuedAt) throws JoseException {
    Tokens tokens =
        new Tokens(
            new DefaultJWTParser(),
            new ReadKeys(
                () -> Uni.createFrom().item(TokenMint.jwks(MINT)),
                new TokenRules(TokenMint.ISSUER, Set.of(), Duration.ofSeconds(30)),
                Duration.ofHours(1),
                Duration.ofHours(1),
                Clock.systemUTC()),
            new SimpleMeterRegistry());
    String token = token(issuedAt);
    TokenRejected rejected =
        assertThrows(
            TokenRejected.class, () -> tokens.verify(token).await().atMost(Duration.ofSeconds(10)));
    assertEquals(Reason.CLAIM, rejected.reason(), rejected.getMessage());
    assertTrue(rejected.getMessage().contains("iat"), rejected.getMessage());
  }

  /** Written by hand: builders of tokens put the claim in by themselves. */
  private static String token(String issuedAt) throws JoseException {
    JsonWebSignature token = new JsonWebSignature();
    token.setPayload(
        "{\"iss\":\"%s\",\"sub\":\"anna\",\"exp\":%d%s}"
            .formatted(TokenMint.ISSUER, Instant.now().getEpochSecond() + 3_600, issuedAt));
    token.setAlgorithmHeaderValue("RS256");
    token.setKeyIdHeaderValue("r1");
    token.setKey(MINT.pair().getPrivate());
    return token.getCompactSerialization();
  }
}
