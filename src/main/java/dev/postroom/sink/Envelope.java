package dev.postroom.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.postroom.outbox.RoomEvent;
import dev.postroom.outbox.SinkRow;
import dev.postroom.room.RoomMessage;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Pure: events as CloudEvents 1.0. The same event always becomes the same bytes (H5, W6), so every
 * attempt is the same request but for its signature.
 *
 * <p>Stateless; safe for any thread.
 */
@Singleton
public final class Envelope {

  /** The media type of the structured form. */
  public static final String STRUCTURED = "application/cloudevents+json";

  private static final String JSON = "application/json";
  private static final String CONTENT_TYPE = "content-type";

  private static final JsonFactory FACTORY = new JsonFactory();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final String source;

  @Inject
  Envelope(SinkConfig config) {
    this(config.source().map(URI::toASCIIString).orElse(""));
  }

  /**
   * One for this source.
   *
   * @param source what stands in front of {@code /rooms/…}; may be empty
   */
  public Envelope(String source) {
    this.source = source.endsWith("/") ? source.substring(0, source.length() - 1) : source;
  }

  /**
   * An event ready to be sent.
   *
   * @param headers in lower case, in order; the media type among them
   */
  public record Packet(Map<String, String> headers, byte[] body) {

    /** Without the body: bodies are not logged. */
    @Override
    public String toString() {
      return "Packet[bytes=" + body.length + "]";
    }
  }

  /** The event in the form that the sink wants. */
  public Packet packet(RoomEvent event, SinkRow sink) {
    if (sink.format() == SinkRow.Format.STRUCTURED) {
      return new Packet(Map.of(CONTENT_TYPE, STRUCTURED), structured(event, sink.id()));
    }
    Map<String, String> headers = new LinkedHashMap<>();
    attributes(event, sink.id())
        .forEach((name, value) -> headers.put("ce-" + name, headerValue(value.toString())));
    headers.put(CONTENT_TYPE, JSON);
    return new Packet(headers, json(writer -> data(writer, event, sink.id())));
  }

  /**
   * The event as one JSON object, in UTF-8: what {@link #STRUCTURED} names.
   *
   * @param sink the id of the sink that it is for
   */
  public byte[] structured(RoomEvent event, String sink) {
    return json(
        writer -> {
          writer.writeStartObject();
          for (Map.Entry<String, Object> each : attributes(event, sink).entrySet()) {
            if (each.getValue() instanceof Boolean truth) {
              writer.writeBooleanField(each.getKey(), truth);
            } else {
              writer.writeStringField(each.getKey(), each.getValue().toString());
            }
          }
          writer.writeStringField("datacontenttype", JSON);
          writer.writeFieldName("data");
          data(writer, event, sink);
          writer.writeEndObject();
        });
  }

  /** Strings, and booleans where the attribute is one. */
  private Map<String, Object> attributes(RoomEvent event, String sink) {
    boolean test = event instanceof RoomEvent.Test;
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("specversion", "1.0");
    attributes.put("id", event.id());
    attributes.put("source", source + (test ? "/sinks/" + sink : "/rooms/" + event.room()));
    attributes.put("type", type(event));
    attributes.put("time", TIME.format(event.at()));
    if (!test) {
      attributes.put("partitionkey", event.room().value());
      // Strings of one length order as their numbers do, which the extension asks for.
      attributes.put("sequence", "%016d".formatted(event.seq()));
    }
    if (event instanceof RoomEvent.Accepted accepted && accepted.late()) {
      attributes.put("late", true);
    }
    return attributes;
  }

  private static String type(RoomEvent event) {
    if (event instanceof RoomEvent.Accepted) {
      return "dev.postroom.message.accepted.v1";
    }
    return event instanceof RoomEvent.Gap
        ? "dev.postroom.room.gap.v1"
        : "dev.postroom.sink.test.v1";
  }

  private static void data(JsonGenerator writer, RoomEvent event, String sink) throws IOException {
    writer.writeStartObject();
    if (event instanceof RoomEvent.Accepted accepted) {
      place(writer, event);
      writer.writeNumberField("seq", event.seq());
      message(writer, accepted.message());
    } else if (event instanceof RoomEvent.Gap gap) {
      place(writer, event);
      writer.writeArrayFieldStart("missing");
      writer.writeNumber(gap.seq());
      writer.writeEndArray();
      instant(writer, "since", gap.at());
    } else {
      writer.writeStringField("sink", sink);
      instant(writer, "at", event.at());
    }
    writer.writeEndObject();
  }

  private static void place(JsonGenerator writer, RoomEvent event) throws IOException {
    writer.writeStringField("room", event.room().value());
    writer.writeStringField("epoch", event.epoch());
  }

  /** In the words of the protocol's {@code message}. */
  private static void message(JsonGenerator writer, RoomMessage message) throws IOException {
    writer.writeStringField("messageId", message.messageId().toString());
    writer.writeStringField("clientMessageId", message.clientMessageId());
    writer.writeObjectFieldStart("author");
    writer.writeStringField("id", message.participant());
    writer.writeStringField("name", message.authorName());
    writer.writeEndObject();
    writer.writeStringField("text", message.text());
    instant(writer, "acceptedAt", message.acceptedAt());
  }

  private static void instant(JsonGenerator writer, String name, Instant at) throws IOException {
    writer.writeStringField(name, TIME.format(at));
  }

  private interface Writing {
    void to(JsonGenerator writer) throws IOException;
  }

  private static byte[] json(Writing writing) {
    StringWriter text = new StringWriter(512);
    try (JsonGenerator writer = FACTORY.createGenerator(text)) {
      writing.to(writer);
    } catch (IOException e) {
      throw new UncheckedIOException("a StringWriter does not fail", e);
    }
    return text.toString().getBytes(UTF_8);
  }

  /** What CloudEvents keeps out of a header's value goes as percent and hexadecimal digits. */
  private static String headerValue(String value) {
    StringBuilder header = new StringBuilder(value.length());
    for (byte each : value.getBytes(UTF_8)) {
      if (each > ' ' && each < 0x7F && each != '"' && each != '%') {
        header.append((char) each);
      } else {
        header.append("%%%02X".formatted(each & 0xFF));
      }
    }
    return header.toString();
  }
}
