package dev.postroom.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsKeyTest {

  @TempDir Path data;
  @TempDir Path other;

  @Test
  void isMadeOnceAndReadableByItsOwnerOnly() throws Exception {
    String key = SecretsKey.in(data, new SecureRandom());
    assertEquals(32, Base64.getDecoder().decode(key).length);
    assertEquals(key, SecretsKey.in(data, new SecureRandom()));
    assertNotEquals(key, SecretsKey.in(other, new SecureRandom()));
    Path file = data.resolve("secrets.key");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    try (Stream<Path> files = Files.list(data)) {
      assertEquals(List.of(file), files.toList());
    }
  }
}
