package dev.postroom.protocol;

/** The WebSocket sub-protocols (RFC 6455, section 1.9) that {@code /ws} speaks. */
public final class Subprotocol {
  public static final String V1 = "postroom.v1";

  private Subprotocol() {}
}
