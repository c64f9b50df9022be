package dev.postroom.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathsTest {

  @ParameterizedTest
  @DisplayName("S2: a path that says one thing passes")
  @ValueSource(
      strings = {
        "/",
        "/api/rooms/case-7/messages",
        "/api/rooms/",
        "/api/rooms/r/members/anna@example.com",
        "/api/rooms/r/members/a%2Fb",
        "/api/rooms/r/members/a%2F..%2Fb",
        "/api/rooms/r/members/a%3Bb",
        "/api/rooms/r/members/Zo%C3%AB%20M%c3%bcller",
        "/api/rooms/r/members/%F0%9F%98%80",
        "/api/rooms/r/members/%252e",
        "/api/rooms/.../members/..a",
      })
  void clear(String path) {
    assertEquals(null, Paths.fault(path));
  }

  @ParameterizedTest
  @DisplayName("S2: a path that a router would read otherwise than its sender does not")
  @ValueSource(
      strings = {
        "/api/rooms/r/members/..",
        "/api/rooms/r/members/.",
        "/api/rooms/r/members/%2e%2E",
        "/api/rooms/r/members/.%2e",
        "/api/rooms/./r",
        "/api/rooms/../rooms/r",
        "/api/rooms/../",
        "/api/rooms//members",
        "//api/rooms",
        "/api/rooms/r/members/a;b=c",
        "/api/rooms/r;x/members/a",
        "/api/rooms/r/members/%FF",
        "/api/rooms/r/members/%C1%81",
        "/api/rooms/r/members/%ED%A0%80",
        "/api/rooms/r/members/%C3",
        "/api/rooms/r/members/%zz",
        "/api/rooms/r/members/%",
        "/api/rooms/r/members/%4",
        "/api/rooms/r/members/Zo\u00eb",
        "/api/rooms/r/members/a\u007f",
      })
  void unclear(String path) {
    assertNotNull(Paths.fault(path));
  }
}
