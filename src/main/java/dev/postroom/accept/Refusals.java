package dev.postroom.accept;

import dev.postroom.db.Faults;
import dev.postroom.protocol.ErrorCode;
import java.util.UUID;
import org.jboss.logging.Logger;

/** The refusals that are not about a field: what happened, and what to do. */
final class Refusals {
  private static final Logger LOG = Logger.getLogger(Refusals.class);
  private static final long RETRY_AFTER_MS = 500;
  private static final String AGAIN = "; send it again with the same clientMessageId";

  private Refusals() {}

  static Outcome.Refused forbidden() {
    return new Outcome.Refused(ErrorCode.FORBIDDEN, "no right to write in this room", null, null);
  }

  static Outcome.Refused rateLimited(long retryAfterMs) {
    return new Outcome.Refused(
        ErrorCode.RATE_LIMITED, "too many messages in a short time" + AGAIN, null, retryAfterMs);
  }

  static Outcome.Refused busy() {
    return new Outcome.Refused(
        ErrorCode.BUSY,
        "the room or the database did not answer in time" + AGAIN,
        null,
        RETRY_AFTER_MS);
  }

  private static Outcome.Refused readOnly() {
    return new Outcome.Refused(
        ErrorCode.BUSY, "the database takes no writes at the moment" + AGAIN, null, RETRY_AFTER_MS);
  }

  static Outcome.Refused full() {
    return new Outcome.Refused(
        ErrorCode.BUSY, "too many messages are waiting" + AGAIN, null, RETRY_AFTER_MS);
  }

  static Outcome.Refused unavailable() {
    return new Outcome.Refused(
        ErrorCode.UNAVAILABLE, "the database is away" + AGAIN, null, RETRY_AFTER_MS);
  }

  private static Outcome.Refused exhausted() {
    return new Outcome.Refused(
        ErrorCode.UNAVAILABLE,
        "the database has no space, memory or connection left" + AGAIN,
        null,
        RETRY_AFTER_MS);
  }

  /** Something unforeseen: logged here, once, with the reference that the client is told. */
  static Outcome.Refused internal(Throwable failure) {
    String reference = UUID.randomUUID().toString().substring(0, 8);
    LOG.errorf(failure, "accept failed, reference=%s", reference);
    return new Outcome.Refused(
        ErrorCode.INTERNAL,
        "something went wrong here (reference " + reference + ")" + AGAIN,
        null,
        RETRY_AFTER_MS);
  }

  static Outcome.Refused of(ErrorCode code, Throwable failure) {
    return switch (code) {
      case BUSY -> Faults.isReadOnly(failure) ? readOnly() : busy();
      case UNAVAILABLE -> Faults.isExhausted(failure) ? exhausted() : unavailable();
      case INVALID ->
          new Outcome.Refused(code, "the database cannot store these characters", null, null);
      default -> internal(failure);
    };
  }

  /** What stands behind a command that must come first is refused as that one was (N2). */
  static Outcome.Refused behind(Outcome.Refused first, long retryAfterMs) {
    return new Outcome.Refused(
        first.code(), "an earlier message has to be sent again first" + AGAIN, null, retryAfterMs);
  }
}
