package dev.postroom.embedded;

import dev.postroom.boot.StartRefused;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The server's programs, unpacked once per data directory and version. They lie in the data
 * directory because nobody else can write there, and so that a running server can be recognised as
 * this directory's by its path.
 *
 * <p>Unpacked under a passing name and then renamed: a process killed half-way leaves nothing that
 * the next start would take for whole.
 */
final class Binaries {

  private static final String UNPACKED = "postgresql-";
  private static final String PASSING = "unpacking-";

  private final Path home;
  private final Platform platform;

  private Binaries(Path home, Platform platform) {
    this.home = home;
    this.platform = platform;
  }

  /** Those of this platform, unpacked below the data directory. */
  static Binaries in(Path dataDirectory, Platform platform) throws IOException {
    URL archive = find(platform);
    Path home = dataDirectory.resolve(UNPACKED + fingerprint(archive));
    if (!Files.isDirectory(home)) {
      Leftovers.remove(dataDirectory, PASSING);
      Leftovers.remove(dataDirectory, UNPACKED);
      Path passing = Files.createTempDirectory(dataDirectory, PASSING);
      unpack(archive, passing);
      Files.move(passing, home, StandardCopyOption.ATOMIC_MOVE);
    }
    return new Binaries(home, platform);
  }

  private static URL find(Platform platform) {
    URL archive = Binaries.class.getClassLoader().getResource(platform.archive());
    if (archive == null) {
      throw new StartRefused(
          "This build carries no PostgreSQL for this machine ("
              + platform.archive()
              + "): build it here with mvn package, or set QUARKUS_DATASOURCE_REACTIVE_URL to a"
              + " PostgreSQL of your own.");
    }
    return archive;
  }

  /** Differs for other versions, so that an update unpacks anew. */
  private static String fingerprint(URL archive) throws IOException {
    CRC32 checksum = new CRC32();
    try (InputStream in = new CheckedInputStream(archive.openStream(), checksum)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return String.format("%08x", checksum.getValue());
  }

  private static void unpack(URL archive, Path target) throws IOException {
    try (InputStream in = new BufferedInputStream(archive.openStream());
        TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(in))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        // Static libraries serve those who compile against the server.
        if (!entry.getName().endsWith(".a")) {
          unpack(tar, entry, target);
        }
      }
    }
  }

  private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path target)
      throws IOException {
    Path file = inside(target, entry.getName());
    if (entry.isDirectory()) {
      Files.createDirectories(file);
      return;
    }
    Path parent = file.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
    } else if (entry.isLink()) {
      Files.createLink(file, inside(target, entry.getLinkName()));
    } else {
      Files.copy(tar, file);
      boolean program = (entry.getMode() & 0100) != 0 || target.relativize(file).startsWith("bin");
      DataDirectory.restrict(file, program ? "rwxr-xr-x" : "rw-r--r--");
    }
  }

  private static Path inside(Path target, String name) throws IOException {
    Path file = target.resolve(name).normalize();
    if (!file.startsWith(target)) {
      throw new IOException("the archive of PostgreSQL names a file outside itself: " + name);
    }
    return file;
  }

  /** The path of initdb, pg_ctl or postgres. */
  String program(String name) {
    return home.resolve("bin").resolve(platform.executable(name)).toString();
  }

  Path home() {
    return home;
  }
}
