package dev.postroom.embedded;

import dev.postroom.boot.StartRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The database owner's password: generated once, kept in the data directory where only its owner
 * reads it. It keeps this machine's other users out of a server that listens on loopback.
 */
final class Password {

  private static final String FILE = "password";
  private static final int BYTES = 24;

  private final Path file;
  private final String text;

  private Password(Path file, String text) {
    this.file = file;
    this.text = text;
  }

  /** The stored password; a new one where there is none yet and no cluster that needs the old. */
  static Password in(Path directory, boolean clusterExists, SecureRandom random)
      throws IOException {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      if (clusterExists) {
        throw new StartRefused(
            "The file "
                + file
                + " with the database's password is missing: put it back, or move"
                + " the directory "
                + directory
                + " away to begin with an empty database.");
      }
      DataDirectory.keep(file, Leftovers.PASSWORD, generate(random));
    }
    return new Password(file, Files.readString(file).trim());
  }

  private static String generate(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  Path file() {
    return file;
  }

  String text() {
    return text;
  }
}
