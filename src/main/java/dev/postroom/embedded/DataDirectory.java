package dev.postroom.embedded;

import dev.postroom.boot.StartRefused;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The directory that holds everything the embedded database needs: its data, its binaries, its
 * password, the key of stored secrets and its log. Claimed for one process at a time by a file
 * lock, which the operating system gives back however that process ends.
 *
 * <p>Safe for any thread after {@link #claim}.
 */
public final class DataDirectory implements AutoCloseable {

  /** Names the directory; read from the environment. */
  public static final String VARIABLE = "POSTROOM_DATA";

  private static final String LOCK = "postroom.lock";

  private final Path path;
  private final FileChannel lockFile;
  private final boolean root;

  private DataDirectory(Path path, FileChannel lockFile, boolean root) {
    this.path = path;
    this.lockFile = lockFile;
    this.root = root;
  }

  /**
   * Where the data is: POSTROOM_DATA, or the user's data directory as the platform has it.
   *
   * @param environment the process environment
   * @param userHome the user's home directory
   * @return absolute
   */
  public static Path locate(Map<String, String> environment, String osName, String userHome) {
    String chosen = environment.get(VARIABLE);
    try {
      if (chosen != null && !chosen.isBlank()) {
        return Path.of(chosen).toAbsolutePath().normalize();
      }
      return userData(environment, osName, userHome).resolve("postroom").toAbsolutePath();
    } catch (InvalidPathException e) {
      throw new StartRefused(
          VARIABLE + "=" + chosen + " is not a path: set it to a directory of your own.", e);
    }
  }

  private static Path userData(Map<String, String> environment, String osName, String userHome) {
    Platform.Family family = Platform.of(osName, "", false).family();
    String variable = family == Platform.Family.WINDOWS ? "LOCALAPPDATA" : "XDG_DATA_HOME";
    String named = environment.get(variable);
    // XDG: a relative path there is to be ignored.
    if (family != Platform.Family.MAC && named != null && Path.of(named).isAbsolute()) {
      return Path.of(named);
    }
    Path home = Path.of(userHome);
    switch (family) {
      case WINDOWS:
        return home.resolve("AppData").resolve("Local");
      case MAC:
        return home.resolve("Library").resolve("Application Support");
      default:
        return home.resolve(".local").resolve("share");
    }
  }

  /**
   * Creates the directory where it is missing and locks it until {@link #close} or the end of the
   * process.
   *
   * @throws StartRefused when it cannot be written, is open to other users, or is in use
   */
  public static DataDirectory claim(Path path) {
    try {
      Path real = create(path);
      boolean root = probe(real);
      FileChannel lockFile =
          FileChannel.open(
              real.resolve(LOCK),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      lock(lockFile, path);
      return new DataDirectory(real, lockFile, root);
    } catch (IOException e) {
      throw new StartRefused(
          "Cannot write to the data directory "
              + path
              + " ("
              + reason(e)
              + "): give this user the right to write there, or set "
              + VARIABLE
              + " to another directory.",
          e);
    }
  }

  private static Path create(Path path) throws IOException {
    if (!Files.exists(path)) {
      Files.createDirectories(path);
      restrict(path, "rwx------");
    } else if (!Files.isDirectory(path)) {
      throw new FileAlreadyExistsException(path.toString(), null, "it is not a directory");
    } else if (openToAll(path)) {
      throw new StartRefused(
          "Every user of this machine can write to the data directory "
              + path
              + ": set "
              + VARIABLE
              + " to a directory of your own, or take that right from the others (chmod o-w).");
    }
    return path.toRealPath();
  }

  /** Writes a file, which shows the right to write and, where there are owners, who we are. */
  private static boolean probe(Path directory) throws IOException {
    Path probe = Files.createTempFile(directory, Leftovers.PROBE, "");
    try {
      return posix(probe) && Integer.valueOf(0).equals(Files.getAttribute(probe, "unix:uid"));
    } finally {
      Files.deleteIfExists(probe);
    }
  }

  private static void lock(FileChannel lockFile, Path path) throws IOException {
    @Nullable FileLock lock;
    try {
      lock = lockFile.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      String holder = read(lockFile);
      lockFile.close();
      throw new StartRefused(
          "The data directory "
              + path
              + " is in use by another Postroom"
              + (holder.isEmpty() ? "" : " (process " + holder + ")")
              + ": stop that one, or set "
              + VARIABLE
              + " to another directory.");
    }
    lockFile.truncate(0);
    String pid = Long.toString(ProcessHandle.current().pid());
    lockFile.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
  }

  private static String read(FileChannel lockFile) {
    ByteBuffer content = ByteBuffer.allocate(32);
    try {
      lockFile.read(content, 0);
    } catch (IOException e) {
      // Windows does not let others read a locked file.
      return "";
    }
    return new String(content.array(), 0, content.position(), StandardCharsets.US_ASCII).trim();
  }

  private static boolean openToAll(Path path) throws IOException {
    return posix(path)
        && Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_WRITE);
  }

  /** Sets permissions where the file system has them; elsewhere the user's profile protects. */
  static void restrict(Path path, String permissions) throws IOException {
    if (posix(path)) {
      Set<PosixFilePermission> set = PosixFilePermissions.fromString(permissions);
      Files.setPosixFilePermissions(path, set);
    }
  }

  /** Writes a file that its owner alone may read; it is there whole or not at all. */
  static void keep(Path file, String passingPrefix, String text) throws IOException {
    Path passing = Files.createTempFile(file.getParent(), passingPrefix, "");
    restrict(passing, "rw-------");
    Files.writeString(passing, text);
    Files.move(passing, file, StandardCopyOption.ATOMIC_MOVE);
  }

  static boolean posix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof NoSuchFileException) {
      return "no such directory";
    }
    String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
    return reason == null ? e.getClass().getSimpleName() : reason;
  }

  /** The directory itself, with links resolved. */
  public Path path() {
    return path;
  }

  /** Whether this process acts as root, for whom PostgreSQL refuses to run. */
  boolean root() {
    return root;
  }

  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException e) {
      // The process is ending; the lock ends with it.
    }
  }
}
