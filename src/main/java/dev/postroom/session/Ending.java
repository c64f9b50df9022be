package dev.postroom.session;

import dev.postroom.protocol.CloseCode;

/** Why a socket ended: what the client is told, and the metric label. */
enum Ending {
  /** The client went, or the network did. */
  GONE("gone", CloseCode.NORMAL, "Bye."),
  FULL("full", CloseCode.ADMISSION, "This node has all the sockets it takes; retryAfterMs=5000"),
  /** The keys to check tokens with cannot be read at the moment. */
  UNCHECKED("unchecked", CloseCode.ADMISSION, "Tokens cannot be checked now; retryAfterMs=5000"),
  TOKEN(
      "token", CloseCode.TOKEN, "The token is missing, bad or expired; come back with a new one."),
  TOO_BIG("too_big", CloseCode.TOO_BIG, "The frame is too big to be read."),
  ABUSE("abuse", CloseCode.ABUSE, "Too many unreadable frames in a row."),
  NO_PROGRESS("no_progress", CloseCode.NO_PROGRESS, "Nothing was read; come back with the cursor."),
  SILENT("silent", CloseCode.NO_PROGRESS, "No sign of life; come back with the cursor."),
  RESTARTING("restarting", CloseCode.RESTARTING, "The node is restarting; come back.");

  private final String label;
  private final CloseCode code;
  private final String reason;

  Ending(String label, CloseCode code, String reason) {
    this.label = label;
    this.code = code;
    this.reason = reason;
  }

  String label() {
    return label;
  }

  CloseCode code() {
    return code;
  }

  /** At most 123 bytes (RFC 6455, section 5.5). */
  String reason() {
    return reason;
  }
}
