package dev.postroom.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postroom.protocol.ClientFrame.Position;
import dev.postroom.protocol.ServerFrame.LeftReason;
import dev.postroom.testkit.Goldens;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds the codec against the frames written down in {@code src/test/resources/golden}. */
class FrameCodecTest {
  private static final String ROOM = "case-1042";
  private static final String EPOCH = "5f3a9c0e00000001";
  private static final String K1 = "7d1f0a52-9a4e-4a51-8d0e-0d2b6c1f9b11";
  private static final String M17 = "0198f6a2-7c1e-7b30-9d52-3f1d5a0c8e77";
  private static final String M18 = "0198f6a2-7c1e-7b30-9d52-3f1d5a0c8e78";
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
  private static final MessageBody.Author ANN = new MessageBody.Author("ann", "Ann");
  private static final MessageBody.Author BOB =
      new MessageBody.Author("bob", "Bob \"the builder\"");
  private static final String FAMILY = "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67";
  private static final ServerFrame.Limits LIMITS = new ServerFrame.Limits(16384, 128, 64, 50, 1000);
  private static final EncodedBody BODY_17 =
      FrameCodec.encode(new MessageBody(17, M17, K1, ANN, "Good morning", AT));
  private static final EncodedBody BODY_18 =
      FrameCodec.encode(
          new MessageBody(
              18,
              M18,
              "k3",
              BOB,
              "line\r\n\u2028next \u0000 \\u0000 " + FAMILY + " e\u0301 <b>&amp;</b>",
              Instant.parse("2026-01-02T03:04:06Z")));

  @Test
  @DisplayName("every client golden is read as the frame it stands for")
  void clientGoldens() {
    Map<String, ClientFrame> expected = clientFrames();
    Map<String, String> goldens = Goldens.all("client-");
    assertEquals(expected.keySet(), goldens.keySet());
    goldens.forEach(
        (name, text) ->
            assertEquals(
                new Decoded.Frame(expected.get(name)), FrameCodec.decode(text), () -> name));
    assertEquals(kinds(ClientFrame.class), kinds(expected.values()), "a golden for every frame");
  }

  @Test
  @DisplayName("every server frame is written exactly as its golden")
  void serverGoldens() {
    Map<String, ServerFrame> frames = serverFrames();
    Map<String, String> written = new TreeMap<>();
    frames.forEach((name, frame) -> written.put(name, FrameCodec.encode(frame)));
    assertEquals(Goldens.all("server-"), written);
    assertEquals(kinds(ServerFrame.class), kinds(frames.values()), "a golden for every frame");
  }

  @Test
  @DisplayName("every bad golden gets the error written beside it")
  void badGoldens() throws Exception {
    JsonNode rows =
        new ObjectMapper().readTree(Path.of("src/test/resources/golden/bad-frames.json").toFile());
    for (JsonNode row : rows) {
      String name = row.get("name").textValue();
      Decoded.Malformed bad = (Decoded.Malformed) FrameCodec.decode(row.get("text").textValue());
      assertEquals(row.get("code").textValue(), bad.code().wire(), name);
      assertEquals(text(row, "field"), bad.field(), name);
      assertEquals(text(row, "room"), bad.room(), name);
      assertEquals(text(row, "clientMessageId"), bad.clientMessageId(), name);
    }
  }

  private static Map<String, ClientFrame> clientFrames() {
    Map<String, ClientFrame> frames = new TreeMap<>();
    frames.put("client-join", new ClientFrame.Join(ROOM, null));
    frames.put("client-join-cursor", new ClientFrame.Join(ROOM, new Position(EPOCH, 17)));
    frames.put("client-leave", new ClientFrame.Leave(ROOM));
    frames.put("client-send", new ClientFrame.Send(ROOM, K1, "Good morning", null));
    frames.put(
        "client-send-if-head", new ClientFrame.Send(ROOM, "k2", "only if nobody was faster", 17L));
    frames.put(
        "client-send-unicode",
        new ClientFrame.Send(
            ROOM,
            "k3",
            "line\r\n\u2028next \"quoted\" \\u0000 as six letters \u200f\u202e "
                + FAMILY
                + " e\u0301 \u00df \u6f22\u5b57 "
                + FAMILY,
            null));
    frames.put(
        "client-send-type-last",
        new ClientFrame.Send(ROOM, "k4", "the order of fields is free", null));
    frames.put("client-send-unknown-fields", new ClientFrame.Send(ROOM, "k5", "hello", null));
    frames.put("client-history", new ClientFrame.History(ROOM, 18, null));
    frames.put("client-history-limit", new ClientFrame.History(ROOM, 9007199254740991L, 50));
    frames.put("client-auth", new ClientFrame.Auth("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2ln"));
    frames.put("client-ping", new ClientFrame.Ping());
    return frames;
  }

  private static Map<String, ServerFrame> serverFrames() {
    Map<String, ServerFrame> frames = new TreeMap<>();
    List<EncodedBody> both = List.of(BODY_17, BODY_18);
    frames.put(
        "server-welcome",
        new ServerFrame.Welcome(
            Subprotocol.V1, "c-1", ANN, LIMITS, 15000, Instant.parse("2026-01-02T04:04:05Z")));
    frames.put(
        "server-welcome-no-expiry",
        new ServerFrame.Welcome(Subprotocol.V1, "c-2", BOB, LIMITS, 15000, null));
    frames.put("server-snapshot", new ServerFrame.Snapshot(ROOM, EPOCH, 18, both, true));
    frames.put("server-snapshot-empty", new ServerFrame.Snapshot(ROOM, EPOCH, 0, List.of(), false));
    frames.put("server-delta", new ServerFrame.Delta(ROOM, EPOCH, 18, List.of(BODY_18), true));
    frames.put("server-delta-empty", new ServerFrame.Delta(ROOM, EPOCH, 18, List.of(), false));
    frames.put("server-message", new ServerFrame.Message(ROOM, EPOCH, BODY_17));
    frames.put("server-message-unicode", new ServerFrame.Message(ROOM, EPOCH, BODY_18));
    frames.put("server-ack", new ServerFrame.Ack(ROOM, K1, M17, EPOCH, 17, AT, false, 17));
    frames.put("server-ack-duplicate", new ServerFrame.Ack(ROOM, K1, M17, EPOCH, 17, AT, true, 18));
    frames.put("server-history", new ServerFrame.History(ROOM, EPOCH, List.of(BODY_17), true));
    for (LeftReason reason : LeftReason.values()) {
      frames.put(
          "server-left-" + reason.wire().replace('_', '-'), new ServerFrame.Left(ROOM, reason));
    }
    frames.put("server-drain", new ServerFrame.Drain("the node restarts", 5000, 1234));
    frames.put("server-pong", new ServerFrame.Pong());
    frames.put(
        "server-error", ServerFrame.Error.of(ErrorCode.BAD_FRAME, "A frame is one JSON object."));
    frames.put(
        "server-error-id-conflict",
        new ServerFrame.Error(
            ErrorCode.ID_CONFLICT,
            "This clientMessageId was used with other content. Take a new id.",
            ROOM,
            "k3",
            null,
            M18,
            18L,
            null,
            null));
    frames.put(
        "server-error-stale-head",
        error(ErrorCode.STALE_HEAD, "The room has moved on.", null, 18L, "ifHead"));
    frames.put(
        "server-error-invalid",
        error(ErrorCode.INVALID, "text must not be empty.", null, null, "text"));
    frames.put(
        "server-error-busy",
        error(ErrorCode.BUSY, "Too many commands at once. Send it again.", 250L, null, null));
    return frames;
  }

  private static ServerFrame.Error error(
      ErrorCode code,
      String message,
      @Nullable Long retryAfterMs,
      @Nullable Long head,
      @Nullable String field) {
    return new ServerFrame.Error(code, message, ROOM, "k2", retryAfterMs, null, null, head, field);
  }

  private static Set<Class<?>> kinds(Iterable<?> frames) {
    Set<Class<?>> kinds = new HashSet<>();
    frames.forEach(frame -> kinds.add(frame.getClass()));
    return kinds;
  }

  /** The frames of a direction: the records among what its interface permits. */
  private static Set<Class<?>> kinds(Class<?> direction) {
    return Arrays.stream(direction.getPermittedSubclasses()).collect(Collectors.toSet());
  }

  private static @Nullable String text(JsonNode row, String field) {
    return row.has(field) ? row.get(field).textValue() : null;
  }
}
