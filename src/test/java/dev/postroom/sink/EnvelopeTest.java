package dev.postroom.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.postroom.outbox.RoomEvent;
import dev.postroom.outbox.SinkRow;
import dev.postroom.outbox.SinkRow.Format;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Golden bytes: what receivers have been written against must not change. */
class EnvelopeTest {
  private static final Instant AT = Instant.parse("2026-03-04T05:06:07.089Z");
  private static final RoomId ROOM = new RoomId("case-7");
  private static final RoomEvent MESSAGE = accepted("case-7", "Grüße \"an\" alle\n☂ 🎈", false);

  private static final String DATA =
      """
      {"room":"case-7","epoch":"k3-1","seq":12,\
      "messageId":"0190a1b2-0000-7000-8000-000000000001","clientMessageId":"c-1",\
      "author":{"id":"ada","name":"Ada Ł."},"text":"Grüße \\"an\\" alle\\n☂ 🎈",\
      "acceptedAt":"2026-03-04T05:06:07.089Z"}""";

  private final Envelope envelope = new Envelope("https://chat.example.com");

  @Test
  @DisplayName("H5: structured, a message")
  void structured() {
    Envelope.Packet packet = envelope.packet(MESSAGE, sink(Format.STRUCTURED));
    assertEquals(Map.of("content-type", "application/cloudevents+json"), packet.headers());
    assertEquals(
        """
        {"specversion":"1.0","id":"case-7:k3-1:12",\
        "source":"https://chat.example.com/rooms/case-7",\
        "type":"dev.postroom.message.accepted.v1","time":"2026-03-04T05:06:07.089Z",\
        "partitionkey":"case-7","sequence":"0000000000000012",\
        "datacontenttype":"application/json","data":"""
            + DATA
            + "}",
        text(packet.body()));
  }

  @Test
  @DisplayName("H5: binary, a message")
  void binary() {
    Envelope.Packet packet = envelope.packet(MESSAGE, sink(Format.BINARY));
    assertEquals(
        List.of(
            "ce-specversion=1.0",
            "ce-id=case-7:k3-1:12",
            "ce-source=https://chat.example.com/rooms/case-7",
            "ce-type=dev.postroom.message.accepted.v1",
            "ce-time=2026-03-04T05:06:07.089Z",
            "ce-partitionkey=case-7",
            "ce-sequence=0000000000000012",
            "content-type=application/json"),
        lines(packet));
    assertEquals(DATA, text(packet.body()));
  }

  @Test
  void aGapNamesWhatIsMissing() {
    RoomEvent gap = new RoomEvent.Gap(ROOM, "k3-1", 12, AT);
    assertEquals(
        """
        {"specversion":"1.0","id":"case-7:k3-1:12:gap","source":"/rooms/case-7",\
        "type":"dev.postroom.room.gap.v1","time":"2026-03-04T05:06:07.089Z",\
        "partitionkey":"case-7","sequence":"0000000000000012",\
        "datacontenttype":"application/json","data":{"room":"case-7","epoch":"k3-1",\
        "missing":[12],"since":"2026-03-04T05:06:07.089Z"}}""",
        text(new Envelope("").structured(gap, "crm")));
  }

  @Test
  void aTestBelongsToTheSink() {
    RoomEvent test = new RoomEvent.Test("test-1", ROOM, AT);
    assertEquals(
        """
        {"specversion":"1.0","id":"test-1","source":"/sinks/crm",\
        "type":"dev.postroom.sink.test.v1","time":"2026-03-04T05:06:07.089Z",\
        "datacontenttype":"application/json",\
        "data":{"sink":"crm","at":"2026-03-04T05:06:07.089Z"}}""",
        text(new Envelope("").structured(test, "crm")));
  }

  @Test
  void whatComesLateSaysSo() {
    RoomEvent late = accepted("case-7", "x", true);
    assertEquals(
        true, text(envelope.structured(late, "crm")).contains("\"late\":true,\"datacontenttype\""));
    assertEquals(true, lines(envelope.packet(late, sink(Format.BINARY))).contains("ce-late=true"));
    assertFalse(text(envelope.structured(MESSAGE, "crm")).contains("late"));
  }

  @Test
  @DisplayName("W6: the same event is the same bytes, whoever asks and whatever went before")
  void sameBytes() {
    byte[] first = envelope.packet(MESSAGE, sink(Format.STRUCTURED)).body();
    envelope.packet(MESSAGE, sink(Format.BINARY));
    byte[] again =
        new Envelope("https://chat.example.com/")
            .structured(accepted("case-7", "Grüße \"an\" alle\n☂ 🎈", false), "crm");
    assertArrayEquals(first, again);
  }

  @Test
  @DisplayName("L18: escapes that are meant as letters, controls and all of Unicode arrive as sent")
  void anyText() {
    String text = "\\u0000 \\n \u0001\t\u007f\u2028 \uD83C\uDF88 \"\\";
    for (Format format : Format.values()) {
      JsonObject body =
          new JsonObject(text(envelope.packet(accepted("a", text, false), sink(format)).body()));
      JsonObject data = format == Format.STRUCTURED ? body.getJsonObject("data") : body;
      assertEquals(text, data.getString("text"));
    }
  }

  @Test
  @DisplayName("H5: what CloudEvents keeps out of headers is escaped there, and only there")
  void headersAreEscaped() {
    Envelope here = new Envelope("/ü %\"");
    RoomEvent event = accepted("a.b", "x", false);
    assertEquals(
        true,
        lines(here.packet(event, sink(Format.BINARY)))
            .contains("ce-source=/%C3%BC%20%25%22/rooms/a.b"));
    assertEquals(
        event.id().replace("%", "%25"),
        here.packet(event, sink(Format.BINARY)).headers().get("ce-id"));
    assertEquals(true, text(here.structured(event, "crm")).contains("\"id\":\"" + event.id()));
  }

  @Test
  void isNotPrintedWithItsText() {
    assertFalse(envelope.packet(MESSAGE, sink(Format.STRUCTURED)).toString().contains("alle"));
  }

  private static RoomEvent accepted(String room, String text, boolean late) {
    return new RoomEvent.Accepted(
        new RoomId(room),
        new RoomMessage(
            UUID.fromString("0190a1b2-0000-7000-8000-000000000001"),
            "k3-1",
            12,
            "ada",
            "Ada Ł.",
            "c-1",
            text,
            AT),
        late);
  }

  private static SinkRow sink(Format format) {
    return new SinkRow(
        1,
        "crm",
        "webhook",
        "CRM",
        List.of("*"),
        "https://crm.example.com/hook",
        format,
        SinkRow.Poison.BLOCK,
        SinkRow.State.ACTIVE,
        null,
        List.of(),
        1,
        AT);
  }

  private static List<String> lines(Envelope.Packet packet) {
    return packet.headers().entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .toList();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
