package dev.postroom.protocol;

/**
 * Every error a client can be told, with the fixed word on the wire.
 *
 * <p>A temporary error means: the same command with the same id may be sent again and can succeed.
 */
public enum ErrorCode {
  BAD_FRAME("bad_frame", false, 400),
  INVALID("invalid", false, 400),
  TOO_LARGE("too_large", false, 413),
  UNAUTHORIZED("unauthorized", false, 401),
  FORBIDDEN("forbidden", false, 403),
  NOT_JOINED("not_joined", false, 409),
  ID_CONFLICT("id_conflict", false, 422),
  STALE_HEAD("stale_head", false, 412),
  RATE_LIMITED("rate_limited", true, 429),
  BUSY("busy", true, 503),
  UNAVAILABLE("unavailable", true, 503),
  INTERNAL("internal", true, 500);

  private final String wire;
  private final boolean temporary;
  private final int httpStatus;

  ErrorCode(String wire, boolean temporary, int httpStatus) {
    this.wire = wire;
    this.temporary = temporary;
    this.httpStatus = httpStatus;
  }

  /** The word on the wire, as in {@code docs/protocol.md}. */
  public String wire() {
    return wire;
  }

  public boolean temporary() {
    return temporary;
  }

  /** The status of the {@code application/problem+json} answer that carries this code. */
  public int httpStatus() {
    return httpStatus;
  }
}
