package dev.postroom.sink.webhook;

import dev.postroom.outbox.DeliveryResult;
import dev.postroom.outbox.DeliveryResult.Delivered;
import dev.postroom.outbox.DeliveryResult.EventFault;
import dev.postroom.outbox.DeliveryResult.Gone;
import dev.postroom.outbox.DeliveryResult.SinkFault;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Pure: what a receiver's status means (H6). */
final class Answer {

  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final Pattern SECONDS = Pattern.compile("[0-9]+");
  private static final int LONG_DIGITS = 9;

  private Answer() {}

  /**
   * The result of a delivery that was answered.
   *
   * @param retryAfter the header, or null
   * @param longestPause up to which it is honoured
   */
  static DeliveryResult of(
      int status, @Nullable String retryAfter, Instant now, Duration longestPause) {
    String reason = "answered " + status;
    if (status >= 200 && status < 300) {
      return new Delivered();
    }
    if (status >= 300 && status < 400) {
      return new SinkFault(reason + "; redirects are not followed", true, null);
    }
    switch (status) {
      case 400, 409, 413, 414, 415, 422:
        return new EventFault(reason);
      case 410:
        return new Gone(reason);
      case 429, 503:
        return new SinkFault(reason, true, pause(retryAfter, now, longestPause));
      default:
        return new SinkFault(reason, true, null);
    }
  }

  /** From seconds or a date; null where it is neither. */
  private static @Nullable Duration pause(
      @Nullable String retryAfter, Instant now, Duration longest) {
    if (retryAfter == null) {
      return null;
    }
    String text = retryAfter.strip();
    if (SECONDS.matcher(text).matches()) {
      return text.length() > LONG_DIGITS
          ? longest
          : clamp(Duration.ofSeconds(Long.parseLong(text)), longest);
    }
    try {
      ZonedDateTime date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
      return clamp(Duration.between(now, date.toInstant()), longest);
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
  }

  private static Duration clamp(Duration pause, Duration longest) {
    Duration least = pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause;
    return least.compareTo(longest) > 0 ? longest : least;
  }
}
