package dev.postroom.protocol;

/**
 * Why a socket is closed. The private range follows one rule: 4400 and 4403 mean "do not come
 * back", the others "come back". {@link #BANNED} and {@link #REPLACED} are reserved: clients know
 * what they mean, nothing sends them yet.
 */
public enum CloseCode {
  NORMAL(1000),
  TOO_BIG(1009),
  RESTARTING(1012),
  ADMISSION(1013),
  ABUSE(4400),
  TOKEN(4401),
  BANNED(4403),
  NO_PROGRESS(4408),
  REPLACED(4409);

  private final int code;

  CloseCode(int code) {
    this.code = code;
  }

  /** The WebSocket status code (RFC 6455, section 7.4). */
  public int code() {
    return code;
  }
}
