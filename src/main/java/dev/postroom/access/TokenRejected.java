package dev.postroom.access;

/**
 * The token proves nobody: an expected answer of {@link Tokens#verify}, told to the client as
 * {@code unauthorized} (HTTP 401, WebSocket close 4401). The message is for people and holds
 * nothing of the token itself.
 */
public final class TokenRejected extends RuntimeException {

  /** Why. Also a metric label. */
  public enum Reason {
    /** No token came. */
    MISSING,
    /** Not a signed JWT, or too long to be looked at. */
    MALFORMED,
    EXPIRED,
    NOT_YET_VALID,
    /** Signed with a key that is not (or no longer) trusted here. */
    UNKNOWN_KEY,
    SIGNATURE,
    ISSUER,
    AUDIENCE,
    /** {@code sub} is missing or not a participant id. */
    SUBJECT,
    /** Another claim is missing or not of its form. */
    CLAIM
  }

  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final String forPeople;

  TokenRejected(Reason reason, String message) {
    // No stack trace: this is an answer, and anybody may provoke it as often as they like.
    super(message, null, false, false);
    this.reason = reason;
    this.forPeople = message;
  }

  /** For people; never null. */
  @Override
  public String getMessage() {
    return forPeople;
  }

  public Reason reason() {
    return reason;
  }
}
