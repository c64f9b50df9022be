package dev.postroom.http;

import dev.postroom.protocol.ErrorCode;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * An error as RFC 9457 wants it, with the same code and fields as the socket's {@code error} frame.
 *
 * @param status mostly the code's own; the protocol of HTTP has a few more (404, 405, 415)
 * @param detail what happened and what to do, for people
 * @param field the field, parameter or header at fault
 */
public record Problem(
    ErrorCode code,
    int status,
    String detail,
    @Nullable String field,
    @Nullable String room,
    @Nullable Long retryAfterMs,
    @Nullable String messageId,
    @Nullable Long seq,
    @Nullable Long head) {

  public static final String MEDIA_TYPE = "application/problem+json";

  public static Problem of(ErrorCode code, String detail) {
    return new Problem(code, code.httpStatus(), detail, null, null, null, null, null, null);
  }

  /** A field that breaks its rule. */
  public static Problem invalid(String field, String detail) {
    return of(ErrorCode.INVALID, detail).withField(field);
  }

  /** A field whose rule is kept, and of which nothing can be made all the same; permanent. */
  static Problem unprocessable(String field, String detail) {
    return ofStatus(422, detail).withField(field);
  }

  /** What HTTP itself cannot do with the request; permanent. */
  static Problem ofStatus(int status, String detail) {
    return new Problem(ErrorCode.INVALID, status, detail, null, null, null, null, null, null);
  }

  Problem withField(@Nullable String named) {
    return new Problem(code, status, detail, named, room, retryAfterMs, messageId, seq, head);
  }

  Problem withRoom(@Nullable String named) {
    return new Problem(code, status, detail, field, named, retryAfterMs, messageId, seq, head);
  }

  public Problem withRetryAfter(@Nullable Long millis) {
    return new Problem(code, status, detail, field, room, millis, messageId, seq, head);
  }

  Problem withFirst(String firstMessageId, long firstSeq) {
    return new Problem(
        code, status, detail, field, room, retryAfterMs, firstMessageId, firstSeq, head);
  }

  Problem withHead(long present) {
    return new Problem(code, status, detail, field, room, retryAfterMs, messageId, seq, present);
  }

  /** {@code Retry-After} in whole seconds, never less than asked for; null where there is none. */
  @Nullable Long retryAfterSeconds() {
    return retryAfterMs == null ? null : Math.max(1, (retryAfterMs + 999) / 1000);
  }

  String toJson() {
    JsonObject json =
        new JsonObject()
            .put("type", "about:blank")
            .put("title", title())
            .put("status", status)
            .put("detail", detail)
            .put("code", code.wire())
            .put("temporary", code.temporary());
    put(json, "field", field);
    put(json, "room", room);
    put(json, "retryAfterMs", retryAfterMs);
    put(json, "messageId", messageId);
    put(json, "seq", seq);
    put(json, "head", head);
    return json.encode();
  }

  /** With type about:blank the title is the status in words (RFC 9457, section 4.2.1). */
  private String title() {
    return io.netty.handler.codec.http.HttpResponseStatus.valueOf(status).reasonPhrase();
  }

  private static void put(JsonObject json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value);
    }
  }
}
