package dev.postroom.protocol;

import static java.time.ZoneOffset.UTC;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes server frames and message bodies.
 *
 * <p>Whatever strings come in, the answer is JSON that can be sent as UTF-8: half a surrogate pair,
 * which only a name or an epoch from elsewhere could bring, becomes U+FFFD. Stateless; safe for any
 * thread.
 */
final class FrameWriter {
  private static final JsonFactory JSON = new JsonFactory();

  private static final DateTimeFormatter INSTANT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(UTC);

  private static final int FRAME_CHARS = 256;

  private final StringWriter out;
  private final JsonGenerator json;

  private FrameWriter(int chars) throws IOException {
    out = new StringWriter(chars);
    json = JSON.createGenerator(out);
  }

  static String write(ServerFrame frame) {
    try {
      FrameWriter writer = new FrameWriter(FRAME_CHARS + bodyChars(frame));
      writer.json.writeStartObject();
      writer.frame(frame);
      return writer.end();
    } catch (IOException e) {
      throw new UncheckedIOException("a StringWriter does not fail", e);
    }
  }

  static EncodedBody write(MessageBody body) {
    try {
      FrameWriter writer = new FrameWriter(FRAME_CHARS + body.text().length());
      writer.json.writeStartObject();
      writer.body(body);
      String text = writer.end();
      return new EncodedBody(body.seq(), text, utf8Length(text));
    } catch (IOException e) {
      throw new UncheckedIOException("a StringWriter does not fail", e);
    }
  }

  private void frame(ServerFrame frame) throws IOException {
    if (frame instanceof ServerFrame.Message message) {
      message(message);
    } else if (frame instanceof ServerFrame.Ack ack) {
      ack(ack);
    } else if (frame instanceof ServerFrame.Snapshot snapshot) {
      snapshot(snapshot);
    } else if (frame instanceof ServerFrame.Delta delta) {
      delta(delta);
    } else if (frame instanceof ServerFrame.History history) {
      history(history);
    } else if (frame instanceof ServerFrame.Error error) {
      error(error);
    } else if (frame instanceof ServerFrame.Welcome welcome) {
      welcome(welcome);
    } else if (frame instanceof ServerFrame.Left left) {
      type("left");
      string("room", left.room());
      string("reason", left.reason().wire());
    } else if (frame instanceof ServerFrame.Drain drain) {
      type("drain");
      string("reason", drain.reason());
      json.writeNumberField("withinMs", drain.withinMs());
      json.writeNumberField("retryAfterMs", drain.retryAfterMs());
    } else if (frame instanceof ServerFrame.Pong) {
      type("pong");
    } else {
      throw new IllegalStateException("no encoding for " + frame.getClass().getSimpleName());
    }
  }

  private void message(ServerFrame.Message frame) throws IOException {
    type("message");
    string("room", frame.room());
    string("epoch", frame.epoch());
    // The body's fields become the frame's own: its text without the braces.
    String body = frame.body().json();
    json.writeRaw(',');
    json.writeRaw(body, 1, body.length() - 2);
  }

  private void ack(ServerFrame.Ack frame) throws IOException {
    type("ack");
    string("room", frame.room());
    string("clientMessageId", frame.clientMessageId());
    string("messageId", frame.messageId());
    string("epoch", frame.epoch());
    json.writeNumberField("seq", frame.seq());
    instant("acceptedAt", frame.acceptedAt());
    json.writeBooleanField("duplicate", frame.duplicate());
    json.writeNumberField("head", frame.head());
  }

  private void snapshot(ServerFrame.Snapshot frame) throws IOException {
    type("snapshot");
    string("room", frame.room());
    string("epoch", frame.epoch());
    json.writeNumberField("after", frame.after());
    messages(frame.messages());
    json.writeBooleanField("earlier", frame.earlier());
  }

  private void delta(ServerFrame.Delta frame) throws IOException {
    type("delta");
    string("room", frame.room());
    string("epoch", frame.epoch());
    json.writeNumberField("after", frame.after());
    messages(frame.messages());
    json.writeBooleanField("more", frame.more());
  }

  private void history(ServerFrame.History frame) throws IOException {
    type("history");
    string("room", frame.room());
    string("epoch", frame.epoch());
    messages(frame.messages());
    json.writeBooleanField("earlier", frame.earlier());
  }

  private void error(ServerFrame.Error frame) throws IOException {
    type("error");
    string("code", frame.code().wire());
    string("message", frame.message());
    json.writeBooleanField("temporary", frame.code().temporary());
    string("room", frame.room());
    string("clientMessageId", frame.clientMessageId());
    number("retryAfterMs", frame.retryAfterMs());
    string("messageId", frame.messageId());
    number("seq", frame.seq());
    number("head", frame.head());
    string("field", frame.field());
  }

  private void welcome(ServerFrame.Welcome frame) throws IOException {
    type("welcome");
    string("protocol", frame.protocol());
    string("connection", frame.connection());
    author("participant", frame.participant());
    json.writeObjectFieldStart("limits");
    json.writeNumberField("textBytes", frame.limits().textBytes());
    json.writeNumberField("idLength", frame.limits().idLength());
    json.writeNumberField("pendingCommands", frame.limits().pendingCommands());
    json.writeNumberField("snapshot", frame.limits().snapshot());
    json.writeNumberField("delta", frame.limits().delta());
    json.writeEndObject();
    json.writeNumberField("heartbeatMs", frame.heartbeatMs());
    instant("tokenExpiresAt", frame.tokenExpiresAt());
  }

  private void body(MessageBody body) throws IOException {
    json.writeNumberField("seq", body.seq());
    string("messageId", body.messageId());
    string("clientMessageId", body.clientMessageId());
    author("author", body.author());
    string("text", body.text());
    instant("acceptedAt", body.acceptedAt());
  }

  private void messages(List<EncodedBody> messages) throws IOException {
    json.writeArrayFieldStart("messages");
    for (EncodedBody message : messages) {
      json.writeRawValue(message.json());
    }
    json.writeEndArray();
  }

  private void author(String name, MessageBody.Author author) throws IOException {
    json.writeObjectFieldStart(name);
    string("id", author.id());
    string("name", author.name());
    json.writeEndObject();
  }

  private void type(String type) throws IOException {
    json.writeStringField("type", type);
  }

  private void string(String name, @Nullable String value) throws IOException {
    if (value != null) {
      json.writeStringField(name, wellFormed(value));
    }
  }

  private void number(String name, @Nullable Long value) throws IOException {
    if (value != null) {
      json.writeNumberField(name, value);
    }
  }

  private void instant(String name, @Nullable Instant value) throws IOException {
    if (value != null) {
      json.writeStringField(name, text(value));
    }
  }

  /** By hand, because a formatter would take as long as the rest of the frame. */
  private static String text(Instant at) {
    LocalDateTime utc = LocalDateTime.ofEpochSecond(at.getEpochSecond(), at.getNano(), UTC);
    if (utc.getYear() < 0 || utc.getYear() > 9999) {
      return INSTANT.format(at);
    }
    char[] text = "0000-00-00T00:00:00.000Z".toCharArray();
    digits(text, 4, utc.getYear());
    digits(text, 7, utc.getMonthValue());
    digits(text, 10, utc.getDayOfMonth());
    digits(text, 13, utc.getHour());
    digits(text, 16, utc.getMinute());
    digits(text, 19, utc.getSecond());
    digits(text, 23, utc.getNano() / 1_000_000);
    return new String(text);
  }

  private static void digits(char[] text, int end, int number) {
    for (int rest = number, at = end - 1; rest > 0; rest /= 10, at--) {
      text[at] = (char) ('0' + rest % 10);
    }
  }

  private String end() throws IOException {
    json.writeEndObject();
    json.close();
    return out.toString();
  }

  private static int bodyChars(ServerFrame frame) {
    if (frame instanceof ServerFrame.Message message) {
      return message.body().json().length();
    }
    if (frame instanceof ServerFrame.Snapshot snapshot) {
      return chars(snapshot.messages());
    }
    if (frame instanceof ServerFrame.Delta delta) {
      return chars(delta.messages());
    }
    return frame instanceof ServerFrame.History history ? chars(history.messages()) : 0;
  }

  private static int chars(List<EncodedBody> messages) {
    int chars = 0;
    for (EncodedBody message : messages) {
      chars += message.json().length() + 1;
    }
    return chars;
  }

  private static String wellFormed(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (Character.isSurrogate(value.charAt(i))) {
        return replaceHalves(value);
      }
    }
    return value;
  }

  private static String replaceHalves(String value) {
    StringBuilder whole = new StringBuilder(value.length());
    value
        .codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
        .forEach(whole::appendCodePoint);
    return whole.toString();
  }

  private static int utf8Length(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // Half of a pair counts two: a pair is four.
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }
}
