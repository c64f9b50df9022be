package dev.postroom.session;

import dev.postroom.access.KeysUnavailable;
import dev.postroom.db.Faults;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.protocol.ServerFrame;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Whatever went wrong, as an answer; what nobody foresaw is logged once with its reference. */
final class Failures {
  private static final Logger LOG = Logger.getLogger(Failures.class);
  private static final long RETRY_MS = 1_000;

  private Failures() {}

  static ServerFrame answer(
      Throwable failure, @Nullable String room, @Nullable String clientMessageId) {
    ErrorCode code = Faults.code(failure);
    String message;
    if (failure instanceof KeysUnavailable) {
      code = ErrorCode.UNAVAILABLE;
      message = "Tokens cannot be checked at the moment; try again.";
    } else if (code == ErrorCode.UNAVAILABLE) {
      message = "The database is away; try again.";
    } else if (code == ErrorCode.BUSY) {
      message = Faults.busy(failure);
    } else {
      String reference = UUID.randomUUID().toString().substring(0, 8);
      LOG.errorf(failure, "Unforeseen failure, reference %s", reference);
      code = ErrorCode.INTERNAL;
      message = "Something went wrong here; the log knows it as " + reference + ". Try again.";
    }
    return Replies.error(code, message, room, clientMessageId, RETRY_MS);
  }
}
