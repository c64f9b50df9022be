package dev.postroom.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.boot.StartRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataDirectoryTest {

  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({
    "Linux, , /home/ada/.local/share/postroom",
    "Linux, XDG_DATA_HOME=/data, /data/postroom",
    "Linux, XDG_DATA_HOME=relative, /home/ada/.local/share/postroom",
    "Linux, POSTROOM_DATA=/srv/../srv/rooms, /srv/rooms",
    "Linux, 'POSTROOM_DATA= ', /home/ada/.local/share/postroom",
    "Mac OS X, XDG_DATA_HOME=/data, /home/ada/Library/Application Support/postroom",
    "Windows 11, LOCALAPPDATA=/c/local, /c/local/postroom",
    "Windows 11, , /home/ada/AppData/Local/postroom",
  })
  void isTheUsersOwnUnlessChosen(String os, String variable, Path expected) {
    Map<String, String> environment =
        variable == null
            ? Map.of()
            : Map.of(variable.substring(0, variable.indexOf('=')), after(variable));
    assertEquals(expected, DataDirectory.locate(environment, os, "/home/ada"));
  }

  private static String after(String variable) {
    return variable.substring(variable.indexOf('=') + 1);
  }

  @Test
  void isCreatedForItsOwnerAlone() throws IOException {
    Path path = temp.resolve("a").resolve("b");
    DataDirectory.claim(path).close();
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
  }

  @Test
  void isClaimedOnceAtATime() {
    try (DataDirectory first = DataDirectory.claim(temp)) {
      StartRefused refused = assertThrows(StartRefused.class, () -> DataDirectory.claim(temp));
      assertTrue(refused.getMessage().contains("in use by another Postroom (process "));
    }
    DataDirectory.claim(temp).close();
  }

  @Test
  void isNotOneThatEverybodyWritesTo() throws IOException {
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxrwxrwx"));
    StartRefused refused = assertThrows(StartRefused.class, () -> DataDirectory.claim(temp));
    assertTrue(refused.getMessage().startsWith("Every user of this machine can write"));
  }

  @Test
  void isNotAFile() throws IOException {
    Path file = Files.createFile(temp.resolve("file"));
    StartRefused refused = assertThrows(StartRefused.class, () -> DataDirectory.claim(file));
    assertTrue(refused.getMessage().contains("it is not a directory"), refused.getMessage());
  }
}
