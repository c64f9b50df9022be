package dev.postroom.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Points in time as on the socket: UTC with exactly three decimals.
 *
 * <p>Pure: an instant in, text out.
 */
final class Instants {

  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private Instants() {}

  static String text(Instant instant) {
    return FORM.format(instant);
  }

  static @Nullable String textOrNull(@Nullable Instant instant) {
    return instant == null ? null : text(instant);
  }
}
