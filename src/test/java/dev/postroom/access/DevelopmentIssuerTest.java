package dev.postroom.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.postroom.access.TokenRejected.Reason;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestDb;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.jwt.auth.principal.DefaultJWTParser;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Several nodes of a development run on one database. */
class DevelopmentIssuerTest {
  private EmbeddedPg.Database database;
  private final List<TestDb> nodes = new ArrayList<>();

  @BeforeEach
  void start() {
    database = EmbeddedPg.freshDatabase();
  }

  @AfterEach
  void stop() {
    nodes.forEach(TestDb::close);
  }

  private DevelopmentIssuer node() {
    TestDb node = new TestDb(database.connectOptions(), 2);
    nodes.add(node);
    return new DevelopmentIssuer(node.db(), Duration.ofHours(1), true);
  }

  private static Principal verify(Keys keys, String token) {
    return await(new Tokens(new DefaultJWTParser(), keys, new SimpleMeterRegistry()).verify(token));
  }

  private static <T> T await(Uni<T> answer) {
    return answer.await().atMost(Duration.ofSeconds(20));
  }

  private static Uni<String> anna(DevelopmentIssuer issuer) {
    return issuer.issue("anna", "Anna", Map.of("case-*", Role.WRITER), true);
  }

  @Test
  @DisplayName("eight nodes that start at once agree on one secret")
  void race() {
    List<DevelopmentIssuer> issuers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      issuers.add(node());
    }
    List<String> tokens =
        await(
            Uni.join()
                .all(issuers.stream().map(DevelopmentIssuerTest::anna).toList())
                .andFailFast());
    assertEquals(1, database.number("SELECT count(*) FROM development_issuer"));
    for (int i = 0; i < 8; i++) {
      assertEquals("anna", verify(issuers.get((i + 3) % 8), tokens.get(i)).participant());
    }
  }

  @Test
  @DisplayName("a token outlives the node that gave it")
  void restart() {
    String token = await(anna(node()));
    Principal anna = verify(node(), token);
    assertEquals("Anna", anna.name());
    assertEquals(Map.of("case-*", Role.WRITER), anna.rooms());
    assertEquals(true, anna.admin());
  }

  @Test
  @DisplayName("a token of another database's issuer proves nobody")
  void anotherDatabase() {
    String token = await(anna(node()));
    database = EmbeddedPg.freshDatabase();
    DevelopmentIssuer other = node();
    TokenRejected rejected = assertThrows(TokenRejected.class, () -> verify(other, token));
    assertEquals(Reason.SIGNATURE, rejected.reason());
  }

  @Test
  void badValues() {
    DevelopmentIssuer issuer = node();
    assertNamed("participant", () -> issuer.issue(" ", null, Map.of(), false));
    assertNamed("name", () -> issuer.issue("a", "\u0000", Map.of(), false));
    assertNamed("rooms", () -> issuer.issue("a", null, Map.of("a b", Role.READER), false));
  }

  private static void assertNamed(String field, Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertEquals(field, message.substring(0, message.indexOf(' ')));
  }
}
