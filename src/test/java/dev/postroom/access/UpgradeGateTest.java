package dev.postroom.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpgradeGateTest {

  private final UpgradeGate sameHostOnly = new UpgradeGate(Set.of());

  @ParameterizedTest
  @CsvSource({
    "http://localhost:8080, localhost:8080, true",
    "http://LOCALHOST:8080, localhost:8080, true",
    "https://chat.example.com, chat.example.com, true",
    "https://chat.example.com, chat.example.com:443, true",
    "http://chat.example.com, chat.example.com:80, true",
    "http://[::1]:8080, [::1]:8080, true",
    "http://localhost:3000, localhost:8080, false",
    "https://evil.example, chat.example.com, false",
    "https://chat.example.com.evil.example, chat.example.com, false",
    "https://chat.example.com@evil.example, chat.example.com, false",
    "null, localhost:8080, false",
    "file://, localhost:8080, false",
    "not an origin, localhost:8080, false",
  })
  void comparesWithTheHost(String origin, String host, boolean allowed) {
    assertEquals(allowed, sameHostOnly.isOriginAllowed(List.of(origin), List.of(host)));
  }

  @Test
  @DisplayName("no Origin: not a browser")
  void withoutOrigin() {
    assertTrue(sameHostOnly.isOriginAllowed(List.of(), List.of("localhost:8080")));
  }

  @Test
  @DisplayName("a page cannot add an Origin or Host of its choice by header propagation")
  void addedHeaders() {
    List<String> two = List.of("https://evil.example", "http://localhost:8080");
    assertFalse(sameHostOnly.isOriginAllowed(two, List.of("localhost:8080")));
    assertFalse(
        sameHostOnly.isOriginAllowed(
            List.of("https://evil.example"), List.of("localhost:8080", "evil.example")));
  }

  @Test
  void listedOriginsBesidesTheOwnHost() {
    UpgradeGate gate = new UpgradeGate(Set.of("https://app.example.com"));
    List<String> host = List.of("chat.example.com");
    assertTrue(gate.isOriginAllowed(List.of("https://app.example.com"), host));
    assertTrue(gate.isOriginAllowed(List.of("https://chat.example.com"), host));
    assertFalse(gate.isOriginAllowed(List.of("http://app.example.com"), host));
  }

  @Test
  void anyOrigin() {
    UpgradeGate gate = new UpgradeGate(Set.of("*"));
    assertTrue(gate.isOriginAllowed(List.of("https://evil.example"), List.of("x")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "postroom.v1; true",
        "postroom.v2, postroom.v1; true",
        "''; true",
        "postroom.v2; false",
        "POSTROOM.V1; false",
        "graphql-ws, mqtt; false",
      })
  void subprotocols(String offer, boolean spoken) {
    assertEquals(spoken, UpgradeGate.isSpoken(List.of(offer)));
  }

  @Test
  void noSubprotocolIsFine() {
    assertTrue(UpgradeGate.isSpoken(List.of()));
  }
}
