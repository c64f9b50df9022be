package dev.postroom.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The key with which the service seals the secrets that it stores: generated once, kept beside the
 * database and not in it, so that a dump gives no secrets away.
 */
final class SecretsKey {

  private static final String FILE = "secrets.key";
  private static final int BYTES = 32;

  private SecretsKey() {}

  /** The stored key as base64; a new one where there is none yet. */
  static String in(Path directory, SecureRandom random) throws IOException {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      byte[] bytes = new byte[BYTES];
      random.nextBytes(bytes);
      DataDirectory.keep(file, Leftovers.SECRETS_KEY, Base64.getEncoder().encodeToString(bytes));
    }
    return Files.readString(file).trim();
  }
}
