package dev.postroom.boot;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestPostgres;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ExternalDatabaseTest {

  private static TestPostgres postgres;

  @BeforeAll
  static void start() {
    postgres = TestPostgres.started();
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @Test
  void isFineWhenItAnswers() {
    assertDoesNotThrow(() -> ExternalDatabase.check(at(server() + "/postgres")));
  }

  @Test
  void mayHaveItsUserInTheAddress() {
    String url = "postgresql://postgres:postgres@127.0.0.1:" + postgres.port() + "/postgres";
    assertDoesNotThrow(() -> ExternalDatabase.check(config(Map.of(ReactiveUrl.PROPERTY, url))));
  }

  @Test
  void refusesAWrongPassword() {
    assertRefused(
        config(
            Map.of(
                ReactiveUrl.PROPERTY,
                server() + "/postgres",
                "quarkus.datasource.username",
                "postgres",
                "quarkus.datasource.password",
                "guess")),
        "refuses this user",
        "check QUARKUS_DATASOURCE_USERNAME and QUARKUS_DATASOURCE_PASSWORD");
  }

  @Test
  void refusesAnUnknownName() {
    assertRefused(at(server() + "/nowhere"), "no database of that name", "CREATE DATABASE");
  }

  @Test
  void refusesAnAddressWhereNothingListens() {
    assertRefused(
        at("postgresql://127.0.0.1:1/postgres"),
        "127.0.0.1:1/postgres cannot be reached",
        "correct QUARKUS_DATASOURCE_REACTIVE_URL");
  }

  @Test
  void refusesAHostThatDoesNotExist() {
    assertRefused(at("postgresql://no.such.host.invalid/x"), "no.such.host.invalid", "correct");
  }

  @Test
  void refusesAnAddressThatIsNone() {
    assertRefused(at("postgresql//127.0.0.1"), "is not the address of a PostgreSQL", "write it as");
  }

  @Test
  void refusesAServerThatIsTooOld() throws IOException {
    try (ServerSocket old = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Thread greeter = new Thread(() -> greetAs(old, "14.22"));
      greeter.start();
      assertRefused(
          at("postgresql://127.0.0.1:" + old.getLocalPort() + "/rooms?sslmode=disable"),
          "is PostgreSQL 14, and Postroom needs 15 or newer",
          "upgrade it");
    }
  }

  /**
   * Enough of the protocol for a driver to learn the version; the real ones are too big to carry.
   */
  private static void greetAs(ServerSocket server, String version) {
    try (Socket socket = server.accept();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
      in.skipNBytes(in.readInt() - 4);
      send(out, 'R', "\0\0\0\0");
      send(out, 'S', "server_version\0" + version + "\0");
      send(out, 'S', "client_encoding\0UTF8\0");
      send(out, 'S', "DateStyle\0ISO, MDY\0");
      send(out, 'S', "standard_conforming_strings\0on\0");
      send(out, 'S', "integer_datetimes\0on\0");
      send(out, 'Z', "I");
      while (in.readByte() == 'Q') {
        in.skipNBytes(in.readInt() - 4);
        send(out, 'C', "SET\0");
        send(out, 'Z', "I");
      }
    } catch (IOException e) {
      // The driver hung up.
    }
  }

  private static void send(DataOutputStream out, char type, String body) throws IOException {
    out.writeByte(type);
    out.writeInt(4 + body.length());
    out.write(body.getBytes(StandardCharsets.US_ASCII));
  }

  private static String server() {
    return "postgresql://127.0.0.1:" + postgres.port();
  }

  private static SmallRyeConfig at(String url) {
    return config(
        Map.of(
            ReactiveUrl.PROPERTY,
            url,
            "quarkus.datasource.username",
            EmbeddedPg.USER,
            "quarkus.datasource.password",
            EmbeddedPg.PASSWORD));
  }

  private static SmallRyeConfig config(Map<String, String> settings) {
    return new SmallRyeConfigBuilder()
        .withSources(new PropertiesConfigSource(settings, "test", 300))
        .addDiscoveredSources()
        .build();
  }

  private static void assertRefused(SmallRyeConfig config, String reason, String remedy) {
    StartRefused refused = assertThrows(StartRefused.class, () -> ExternalDatabase.check(config));
    assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    assertTrue(refused.getMessage().contains(remedy), refused.getMessage());
    assertEquals(1, refused.getMessage().lines().count());
    assertFalse(refused.getMessage().contains("guess"));
  }
}
