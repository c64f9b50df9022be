package dev.postroom.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.TokenMint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the packaged service does about keys at its start. */
class StartWithoutKeyIT {
  private static EmbeddedPg.Database database;

  @TempDir Path directory;

  @BeforeAll
  static void start() {
    database = EmbeddedPg.freshDatabase();
  }

  private static String refusal(Map<String, String> environment) {
    try (PostroomProcess postroom = PostroomProcess.on(database)) {
      environment.forEach(postroom::env);
      assertNotEquals(0, postroom.launch().awaitExit());
      assertEquals(1, postroom.errors().lines().count(), postroom.errors());
      assertEquals("", postroom.output());
      return postroom.errors();
    }
  }

  @Test
  @DisplayName("no key where others can come in: one line that says how to give one")
  void noKey() {
    String line = refusal(Map.of("QUARKUS_HTTP_HOST", "0.0.0.0"));
    assertTrue(line.contains("MP_JWT_VERIFY_PUBLICKEY_LOCATION"), line);
  }

  @Test
  void keyFileThatIsNotThere() {
    String line =
        refusal(Map.of("MP_JWT_VERIFY_PUBLICKEY_LOCATION", directory.resolve("no.pem").toString()));
    assertTrue(line.contains("no.pem") && line.contains("no such file"), line);
  }

  @Test
  void keyThatIsNone() throws IOException {
    Path file = Files.writeString(directory.resolve("key.pem"), "nonsense!");
    String line = refusal(Map.of("MP_JWT_VERIFY_PUBLICKEY_LOCATION", file.toString()));
    assertTrue(line.contains("key.pem"), line);
  }

  @Test
  @DisplayName("AUTH-09: the development run is warned about once and shows itself as a metric")
  void development() throws IOException, InterruptedException {
    try (PostroomProcess postroom = PostroomProcess.on(database).start()) {
      String out = postroom.output() + postroom.errors();
      assertEquals(
          1, out.lines().filter(line -> line.contains("/dev/tokens gives anybody")).count(), out);
      assertTrue(get(postroom, "/q/metrics", "").contains("postroom_access_development_issuer 1"));
    }
  }

  @Test
  void withAKey() throws IOException, InterruptedException {
    TokenMint mint = TokenMint.rsa("k1");
    Path file = Files.writeString(directory.resolve("key.pem"), mint.pem());
    try (PostroomProcess postroom =
        PostroomProcess.on(database)
            .env("MP_JWT_VERIFY_PUBLICKEY_LOCATION", file.toString())
            .env("MP_JWT_VERIFY_ISSUER", TokenMint.ISSUER)
            .env("MP_JWT_VERIFY_AUDIENCES", TokenMint.AUDIENCE)
            .start()) {
      assertEquals("{\"rooms\":[]}", get(postroom, "/api/rooms", "Bearer " + mint.token("anna")));
      assertTrue(get(postroom, "/api/rooms", "").contains("unauthorized"));
    }
  }

  private static String get(PostroomProcess postroom, String path, String authorization)
      throws IOException, InterruptedException {
    URI uri = postroom.uri(path);
    HttpRequest request =
        HttpRequest.newBuilder(uri).header("Authorization", authorization).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }
}
