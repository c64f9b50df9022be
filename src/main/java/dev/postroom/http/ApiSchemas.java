package dev.postroom.http;

import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Shapes of answers that are written as text, for the OpenAPI document alone. A test holds them
 * against real answers.
 */
final class ApiSchemas {

  private ApiSchemas() {}

  @Schema(name = "Ack", description = "The result of a command, first or repeated.")
  record Ack(
      @Schema(required = true, examples = "ack") String type,
      @Schema(required = true, examples = "case-7") String room,
      @Schema(required = true) String clientMessageId,
      @Schema(required = true, format = "uuid") String messageId,
      @Schema(required = true, description = "Opaque; numbers are comparable within one epoch.")
          String epoch,
      @Schema(required = true, minimum = "1", description = "The number in the room.") long seq,
      @Schema(required = true, description = "For display only.") Instant acceptedAt,
      @Schema(required = true, description = "Whether this is a repeat.") boolean duplicate,
      @Schema(required = true, description = "The room's last seq.") long head) {}

  @Schema(name = "MessagePage", description = "Messages in ascending order.")
  record MessagePage(
      @Schema(required = true) String room,
      @Schema(required = true) String epoch,
      @Schema(required = true, description = "The room's last seq.") long head,
      @Schema(required = true) List<Message> messages) {}

  @Schema(name = "Message")
  record Message(
      @Schema(required = true, minimum = "1") long seq,
      @Schema(required = true, format = "uuid") String messageId,
      @Schema(required = true) String clientMessageId,
      @Schema(required = true) Author author,
      @Schema(required = true) String text,
      @Schema(required = true) Instant acceptedAt) {}

  @Schema(name = "Author", description = "Who wrote it, with the name of that time.")
  record Author(@Schema(required = true) String id, @Schema(required = true) String name) {}

  @Schema(
      name = "Problem",
      description = "Every error is one of these (RFC 9457).",
      examples =
          """
          {"type":"about:blank","title":"Service Unavailable","status":503,\
          "detail":"The database is away; try again.","code":"unavailable","temporary":true,\
          "retryAfterMs":1000}""")
  record ProblemDocument(
      @Schema(required = true, examples = "about:blank") String type,
      @Schema(required = true, description = "The status in words.") String title,
      @Schema(required = true) int status,
      @Schema(required = true, description = "What happened and what to do, for people.")
          String detail,
      @Schema(
              required = true,
              description = "For programs.",
              enumeration = {
                "bad_frame",
                "invalid",
                "too_large",
                "unauthorized",
                "forbidden",
                "not_joined",
                "id_conflict",
                "stale_head",
                "rate_limited",
                "busy",
                "unavailable",
                "internal"
              })
          String code,
      @Schema(required = true, description = "Whether the very same request can succeed later.")
          boolean temporary,
      @Schema(description = "The field, parameter or header at fault.") @Nullable String field,
      @Nullable String room,
      @Schema(description = "When to try again; Retry-After says it in seconds.")
          @Nullable Long retryAfterMs,
      @Schema(description = "With id_conflict: the message that has the key.")
          @Nullable String messageId,
      @Schema(description = "With id_conflict: its number.") @Nullable Long seq,
      @Schema(description = "With stale_head: the room's last seq.") @Nullable Long head) {}
}
