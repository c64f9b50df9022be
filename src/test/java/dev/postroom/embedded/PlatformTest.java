package dev.postroom.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, false, postgres-linux-x86_64.txz",
    "Linux, aarch64, false, postgres-linux-arm_64.txz",
    "Linux, amd64, true, postgres-linux-x86_64-alpine_linux.txz",
    "Mac OS X, x86_64, false, postgres-darwin-x86_64.txz",
    "Mac OS X, aarch64, false, postgres-darwin-arm_64.txz",
    "Windows 11, amd64, false, postgres-windows-x86_64.txz",
    "Windows 11, aarch64, false, postgres-windows-x86_64.txz",
  })
  void namesTheArchiveOfThePlatform(String os, String arch, boolean musl, String archive) {
    assertEquals(archive, Platform.of(os, arch, musl).archive());
  }
}
