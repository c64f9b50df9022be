package dev.postroom.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postroom.protocol.ClientFrame.Position;
import dev.postroom.testkit.Seed;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Generated frames go to text and back, whatever their strings hold. */
class FrameCodecPropertyTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int FRAMES = 5_000;

  private final long seed = Seed.pick("FrameCodecPropertyTest");
  private final Random random = new Random(seed);

  @Test
  @DisplayName("a client frame in any order of fields, with any unknown ones, is read back equal")
  void clientFrames() throws Exception {
    for (int i = 0; i < FRAMES; i++) {
      ClientFrame frame = clientFrame();
      String text = text(frame);
      assertEquals(new Decoded.Frame(frame), FrameCodec.decode(text), () -> seed + ": " + text);
    }
  }

  @Test
  @DisplayName("a body is read back equal by another reader, and bytes is its UTF-8 length")
  void bodies() throws Exception {
    for (int i = 0; i < FRAMES; i++) {
      MessageBody body =
          new MessageBody(
              integer(),
              string(),
              string(),
              new MessageBody.Author(string(), string()),
              string(),
              Instant.EPOCH.plusMillis(random.nextLong(4_000_000_000_000L)));
      EncodedBody encoded = FrameCodec.encode(body);
      JsonNode json = JSON.readTree(encoded.json());
      assertEquals(body, body(json), "seed " + seed);
      assertEquals(body.seq(), encoded.seq());
      assertEquals(encoded.json().getBytes(StandardCharsets.UTF_8).length, encoded.bytes());

      String room = string();
      String message = FrameCodec.encode(new ServerFrame.Message(room, "e", encoded));
      assertEquals(body, body(JSON.readTree(message)), "seed " + seed);
      assertEquals(room, JSON.readTree(message).get("room").textValue());
    }
  }

  @Test
  @DisplayName("an error has exactly the fields that are known")
  void errors() throws Exception {
    for (int i = 0; i < FRAMES; i++) {
      checkError();
    }
  }

  private void checkError() throws Exception {
    ServerFrame.Error error =
        new ServerFrame.Error(
            ErrorCode.values()[random.nextInt(ErrorCode.values().length)],
            string(),
            maybe(string()),
            maybe(string()),
            maybe(integer()),
            maybe(string()),
            maybe(integer()),
            maybe(integer()),
            maybe(string()));
    JsonNode json = JSON.readTree(FrameCodec.encode(error));
    assertEquals(error.code().wire(), json.get("code").textValue());
    assertEquals(error.code().temporary(), json.get("temporary").booleanValue());
    int known = 4;
    known += check(error.room(), json.get("room"));
    known += check(error.clientMessageId(), json.get("clientMessageId"));
    known += check(error.retryAfterMs(), json.get("retryAfterMs"));
    known += check(error.messageId(), json.get("messageId"));
    known += check(error.seq(), json.get("seq"));
    known += check(error.head(), json.get("head"));
    known += check(error.field(), json.get("field"));
    assertEquals(known, json.size(), "seed " + seed);
  }

  private static int check(@Nullable Object expected, @Nullable JsonNode found) {
    assertEquals(
        expected,
        found == null ? null : found.isTextual() ? found.textValue() : (Object) found.longValue());
    return expected == null ? 0 : 1;
  }

  private static MessageBody body(JsonNode json) {
    Instant at = Instant.parse(json.get("acceptedAt").textValue());
    return new MessageBody(
        json.get("seq").longValue(),
        json.get("messageId").textValue(),
        json.get("clientMessageId").textValue(),
        new MessageBody.Author(
            json.get("author").get("id").textValue(), json.get("author").get("name").textValue()),
        json.get("text").textValue(),
        at.truncatedTo(ChronoUnit.MILLIS));
  }

  private ClientFrame clientFrame() {
    return switch (random.nextInt(6)) {
      case 0 -> new ClientFrame.Join(string(), maybe(new Position(string(), integer())));
      case 1 -> new ClientFrame.Leave(string());
      case 2 -> new ClientFrame.Send(string(), string(), string(), maybe(integer()));
      case 3 -> new ClientFrame.History(string(), integer(), maybe(random.nextInt(1_000_000)));
      case 4 -> new ClientFrame.Auth(string());
      default -> new ClientFrame.Ping();
    };
  }

  /** The frame as some other library might write it. */
  private String text(ClientFrame frame) throws Exception {
    List<String> members = new ArrayList<>();
    String type = frame.getClass().getSimpleName();
    member(members, "type", Character.toLowerCase(type.charAt(0)) + type.substring(1));
    for (var component : frame.getClass().getRecordComponents()) {
      Object value = component.getAccessor().invoke(frame);
      if (value instanceof Position cursor) {
        List<String> inner = new ArrayList<>();
        member(inner, "epoch", cursor.epoch());
        member(inner, "after", cursor.after());
        members.add("\"cursor\"" + space() + ":" + object(inner));
      } else if (value != null || random.nextBoolean()) {
        member(members, component.getName(), value);
      }
    }
    return space() + object(members) + space();
  }

  private String object(List<String> members) throws Exception {
    for (int i = random.nextInt(3); i > 0; i--) {
      List<@Nullable Object> any = new ArrayList<>(List.of(string(), integer(), true, -1.5e300));
      any.add(null);
      Collections.shuffle(any, random);
      member(members, "unknown" + i, random.nextBoolean() ? any : any.get(0));
    }
    Collections.shuffle(members, random);
    return "{" + space() + String.join(space() + "," + space(), members) + "}";
  }

  private void member(List<String> members, String name, @Nullable Object value) throws Exception {
    String json = JSON.writeValueAsString(value);
    if (value instanceof String plain && random.nextBoolean()) {
      StringBuilder escaped = new StringBuilder("\"");
      plain.chars().forEach(c -> escaped.append(String.format("\\u%04X", c)));
      json = escaped.append('"').toString();
    }
    members.add("\"" + name + "\"" + space() + ":" + space() + json);
  }

  private String space() {
    return " \t\r\n".substring(0, random.nextInt(5));
  }

  private long integer() {
    return random.nextInt(4) == 0 ? random.nextInt(10) : random.nextLong(1L << 53);
  }

  private <T> @Nullable T maybe(T value) {
    return random.nextBoolean() ? value : null;
  }

  /** Code points from all planes and from where trouble lives; no half pairs. */
  private String string() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      int c =
          switch (random.nextInt(5)) {
            case 0 -> random.nextInt(0x20);
            case 1 -> "\"\\/<>&'\u007f\u2028\u2029\ufeff\u200f".charAt(random.nextInt(12));
            case 2 -> 0x10000 + random.nextInt(0x100000);
            case 3 -> random.nextInt(0xd800);
            default -> 'a' + random.nextInt(26);
          };
      text.appendCodePoint(c);
    }
    return text.toString();
  }
}
