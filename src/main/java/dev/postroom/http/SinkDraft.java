package dev.postroom.http;

import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A sink to be made. */
@Schema(name = "SinkDraft")
public record SinkDraft(
    @Schema(required = true, examples = "webhook") @Nullable String type,
    @Schema(required = true, description = "For people.", maxLength = 200, examples = "Archive")
        @Nullable String name,
    @Schema(
            required = true,
            description = "Where events are posted to.",
            examples = "https://archive.example.com/hooks/postroom")
        @Nullable String url,
    @Schema(
            required = true,
            description = "Patterns of the rooms whose events it gets.",
            minItems = 1,
            maxItems = 64,
            examples = "[\"case-*\"]")
        @Nullable List<@Nullable String> rooms,
    @Schema(
            description = "How an event becomes a request.",
            enumeration = {"structured", "binary"},
            defaultValue = "structured")
        @Nullable String format,
    @Schema(
            description =
                "What becomes of an event that is refused again and again: it is parked and what"
                    + " follows it in its room waits, or it is left out and reported as missing.",
            enumeration = {"block", "skip_with_gap"},
            defaultValue = "block")
        @Nullable String poison,
    @Schema(
            description =
                "Whether rooms begin with what comes from now on or with the oldest kept.",
            enumeration = {"now", "beginning"},
            defaultValue = "now")
        @Nullable String start,
    @Schema(
            description = "The first number wanted, for rooms that differ from start.",
            examples = "{\"case-7\": 42}")
        @Nullable Map<String, @Nullable Long> starts) {

  /** Without the address, which may carry a password. */
  @Override
  public String toString() {
    return "SinkDraft[type=" + type + "]";
  }
}
