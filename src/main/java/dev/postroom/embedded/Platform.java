package dev.postroom.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The operating system and processor, as far as they decide which binaries run. Pure but for {@link
 * #current()}.
 *
 * @param musl the C library is musl (Alpine)
 */
record Platform(Family family, String architecture, boolean musl) {

  enum Family {
    LINUX("linux"),
    MAC("darwin"),
    WINDOWS("windows");

    private final String label;

    Family(String label) {
      this.label = label;
    }
  }

  static Platform current() {
    return of(
        System.getProperty("os.name", ""),
        System.getProperty("os.arch", ""),
        Files.exists(Path.of("/etc/alpine-release")));
  }

  static Platform of(String osName, String osArch, boolean musl) {
    String os = osName.toLowerCase(Locale.ROOT);
    Family family =
        os.startsWith("windows")
            ? Family.WINDOWS
            : os.startsWith("mac") ? Family.MAC : Family.LINUX;
    boolean arm = osArch.equals("aarch64") || osArch.equals("arm64");
    // Windows on ARM runs the x86-64 programs.
    String architecture = arm && family != Family.WINDOWS ? "arm_64" : "x86_64";
    return new Platform(family, architecture, musl && family == Family.LINUX);
  }

  /** The archive's name on the class path. */
  String archive() {
    String base = "postgres-" + family.label + "-" + architecture;
    return base + (musl ? "-alpine_linux" : "") + ".txz";
  }

  String executable(String program) {
    return family == Family.WINDOWS ? program + ".exe" : program;
  }

  boolean windows() {
    return family == Family.WINDOWS;
  }
}
