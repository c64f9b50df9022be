package dev.postroom.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.DataTemplate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedDatabaseTest {

  private static Path data;
  private static EmbeddedDatabase database;

  @BeforeAll
  static void start() {
    data = DataTemplate.copy();
    database = EmbeddedDatabase.start(data);
  }

  @AfterAll
  static void stop() {
    database.close();
    DataTemplate.remove(data);
  }

  @ParameterizedTest(name = "{0} is on")
  @ValueSource(strings = {"fsync", "synchronous_commit", "full_page_writes"})
  @DisplayName("A4: the embedded server is durable")
  void isDurable(String setting) throws SQLException {
    assertEquals("on", RunningDatabase.text(database, "SHOW " + setting));
  }

  @Test
  void isPostgreSql17() throws SQLException {
    assertTrue(RunningDatabase.text(database, "SHOW server_version").startsWith("17."));
  }

  @Test
  void answersNobodyWithoutThePassword() {
    SQLException refused =
        assertThrows(
            SQLException.class,
            () -> DriverManager.getConnection(RunningDatabase.jdbc(database), "postroom", "guess"));
    assertEquals("28P01", refused.getSQLState());
  }

  @Test
  void keepsThePasswordForItsOwner() throws IOException {
    Path file = data.resolve("password");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void listensOnLoopbackOnly() throws IOException {
    int port = Integer.parseInt(RunningDatabase.jdbc(database).replaceAll(".*:(\\d+)/.*", "$1"));
    for (InetAddress address : outward()) {
      assertThrows(IOException.class, () -> connect(address, port), address::toString);
    }
    connect(InetAddress.getByName("127.0.0.1"), port);
  }

  private static List<InetAddress> outward() throws IOException {
    List<InetAddress> addresses = new ArrayList<>();
    for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
      each.inetAddresses().filter(a -> !a.isLoopbackAddress()).forEach(addresses::add);
    }
    return addresses;
  }

  private static void connect(InetAddress address, int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), 1_000);
    }
  }
}
