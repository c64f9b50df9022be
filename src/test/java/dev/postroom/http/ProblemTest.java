package dev.postroom.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.accept.RefusalCounts;
import dev.postroom.protocol.ErrorCode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.json.JsonObject;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemTest {

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void everyCodeAsADocument(ErrorCode code) {
    JsonObject json = new JsonObject(Problem.of(code, "what to do").toJson());
    assertEquals(code.wire(), json.getString("code"));
    assertEquals(code.httpStatus(), json.getInteger("status"));
    assertEquals(code.temporary(), json.getBoolean("temporary"));
    assertEquals("what to do", json.getString("detail"));
    assertFalse(json.getString("title").isBlank());
    assertFalse(json.containsKey("field"));
  }

  @ParameterizedTest
  @DisplayName("Retry-After is whole seconds and never too early")
  @CsvSource({"1,1", "999,1", "1000,1", "1001,2", "0,1", "60000,60"})
  void retryAfter(long millis, long seconds) {
    Problem busy = Problem.of(ErrorCode.BUSY, "x").withRetryAfter(millis);
    assertEquals(seconds, busy.retryAfterSeconds());
    assertNull(busy.withRetryAfter(null).retryAfterSeconds());
  }

  @Test
  @DisplayName("S2: what nobody foresaw is told by a reference, not by what it says")
  void unforeseen() {
    Response answer = problems().unforeseen(new IllegalStateException("a secret"));
    assertEquals(500, answer.getStatus());
    String body = answer.getEntity().toString();
    assertFalse(body.contains("secret"), body);
    assertTrue(body.matches(".*the log knows it as [0-9a-f]{8}\\..*"), body);
  }

  @Test
  @DisplayName("S3: the database being away is temporary, with a time to come back")
  void databaseAway() {
    Response answer = problems().unforeseen(new IOException("connection reset"));
    assertEquals(503, answer.getStatus());
    assertEquals("1", answer.getHeaderString("Retry-After"));
    JsonObject json = new JsonObject(answer.getEntity().toString());
    assertEquals("unavailable", json.getString("code"));
    assertEquals(1000, json.getLong("retryAfterMs"));
  }

  private static Problems problems() {
    return new Problems(new RefusalCounts(new SimpleMeterRegistry()));
  }
}
