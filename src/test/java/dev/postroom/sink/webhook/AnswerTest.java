package dev.postroom.sink.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.outbox.DeliveryResult;
import dev.postroom.outbox.DeliveryResult.Delivered;
import dev.postroom.outbox.DeliveryResult.EventFault;
import dev.postroom.outbox.DeliveryResult.Gone;
import dev.postroom.outbox.DeliveryResult.SinkFault;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerTest {
  private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 299})
  void success(int status) {
    assertEquals(new Delivered(), of(status, "7"));
  }

  @ParameterizedTest
  @DisplayName("H6: the event as such was refused")
  @ValueSource(ints = {400, 409, 413, 414, 415, 422})
  void eventFault(int status) {
    assertEquals(new EventFault("answered " + status), of(status, "7"));
  }

  @ParameterizedTest
  @DisplayName("H6: everything else counts against the sink")
  @ValueSource(ints = {101, 401, 402, 403, 404, 405, 408, 421, 425, 451, 500, 501, 502, 504, 599})
  void sinkFault(int status) {
    assertEquals(new SinkFault("answered " + status, true, null), of(status, "7"));
  }

  @ParameterizedTest
  @DisplayName("W2: a redirect is a failure")
  @ValueSource(ints = {300, 301, 302, 303, 304, 307, 308})
  void redirect(int status) {
    assertEquals(
        new SinkFault("answered " + status + "; redirects are not followed", true, null),
        of(status, "7"));
  }

  @Test
  void gone() {
    assertEquals(new Gone("answered 410"), of(410, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7 | 7",
        "' 7 ' | 7",
        "0 | 1",
        "3600 | 3600",
        "3601 | 3600",
        "99999999999999999999999 | 3600",
        "Wed, 04 Mar 2026 05:07:07 GMT | 60",
        "Wed, 04 Mar 2026 05:06:07 GMT | 1",
        "Wed, 04 Mar 2020 05:06:07 GMT | 1",
        "Sat, 04 Mar 2034 05:06:07 GMT | 3600",
        "| ",
        "'' | ",
        "-7 | ",
        "7.5 | ",
        "soon | ",
        "٧ | ",
        "2026-03-04T05:07:07Z | ",
      })
  void retryAfter(String header, Integer seconds) {
    Duration pause = seconds == null ? null : Duration.ofSeconds(seconds);
    assertEquals(new SinkFault("answered 429", true, pause), of(429, header));
    assertEquals(new SinkFault("answered 503", true, pause), of(503, header));
  }

  private static DeliveryResult of(int status, String retryAfter) {
    return Answer.of(status, retryAfter, NOW, Duration.ofHours(1));
  }
}
