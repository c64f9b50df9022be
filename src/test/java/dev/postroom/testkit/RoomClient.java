package dev.postroom.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One socket as a test drives it: says what the test says, keeps what comes.
 *
 * <p>Waiting is bounded by {@value #PATIENCE_SECONDS} s. Confined to the test's thread.
 */
public final class RoomClient implements AutoCloseable {
  public static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int PATIENCE_SECONDS = 30;
  private static final JsonNode END = JSON.createObjectNode().put("type", "(closed)");

  private final LinkedBlockingQueue<JsonNode> frames = new LinkedBlockingQueue<>();
  private final CompletableFuture<Integer> closed = new CompletableFuture<>();
  private final AtomicLong received = new AtomicLong();
  private final boolean reading;
  private final WebSocket socket;

  private RoomClient(URI uri, @Nullable String token, boolean reading) {
    this.reading = reading;
    WebSocket.Builder builder =
        HTTP.newWebSocketBuilder()
            .subprotocols("postroom.v1")
            .connectTimeout(Duration.ofSeconds(PATIENCE_SECONDS));
    if (token != null) {
      builder.header("Authorization", "Bearer " + token);
    }
    URI ws = URI.create(uri.toString().replaceFirst("^http", "ws"));
    this.socket = builder.buildAsync(ws, new Listener()).join();
  }

  /** Connects and reads everything at once. */
  public static RoomClient connect(URI uri, @Nullable String token) {
    return new RoomClient(uri, token, true);
  }

  /** Connects and reads only what {@link #read} asks for. */
  public static RoomClient connectSlow(URI uri, String token) {
    return new RoomClient(uri, token, false);
  }

  /** Connects, waits for {@code welcome} and joins the rooms. */
  public static RoomClient joined(URI uri, String token, String... rooms) {
    RoomClient client = connect(uri, token);
    client.await("welcome");
    for (String room : rooms) {
      client.join(room);
      client.await("snapshot");
    }
    return client;
  }

  /** Takes that many more pieces of frames from the network. */
  public void read(long pieces) {
    socket.request(pieces);
  }

  public void text(String frame) {
    try {
      socket.sendText(frame, true).join();
    } catch (CompletionException | IllegalStateException gone) {
      // The close that follows is what the test looks at; it may be on its way.
      closed.completeOnTimeout(1006, 1, TimeUnit.SECONDS);
    }
  }

  public void binary(byte[] frame) {
    socket.sendBinary(java.nio.ByteBuffer.wrap(frame), true).join();
  }

  public void join(String room) {
    text(frame("join", room).toString());
  }

  public void join(String room, String epoch, long after) {
    ObjectNode join = frame("join", room);
    join.putObject("cursor").put("epoch", epoch).put("after", after);
    text(join.toString());
  }

  public void send(String room, String id, String text) {
    text(frame("send", room).put("clientMessageId", id).put("text", text).toString());
  }

  public static ObjectNode frame(String type, @Nullable String room) {
    ObjectNode frame = JSON.createObjectNode().put("type", type);
    return room == null ? frame : frame.put("room", room);
  }

  /** The message alone, the same whether it came live, in a page, or over HTTP. */
  public static JsonNode message(JsonNode frame) {
    ObjectNode message = frame.deepCopy();
    return message.without(List.of("type", "room", "epoch"));
  }

  /** The next frame. */
  public JsonNode next() {
    try {
      JsonNode frame = frames.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (frame == null) {
        throw new AssertionError("no frame came");
      }
      return frame;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The next frame of that type; others before it are passed over. */
  public JsonNode await(String type) {
    for (JsonNode frame = next(); ; frame = next()) {
      if (frame.path("type").asText().equals(type)) {
        return frame;
      }
      if (frame.equals(END)) {
        throw new AssertionError("closed with " + closed.join() + " while waiting for " + type);
      }
    }
  }

  /** All frames up to and with the next one of that type. */
  public List<JsonNode> upTo(String type) {
    List<JsonNode> frames = new ArrayList<>();
    do {
      frames.add(next());
    } while (!frames.get(frames.size() - 1).path("type").asText().equals(type));
    return frames;
  }

  /** Sends and waits for the answer of that id. */
  public JsonNode sendAndAwait(String room, String id, String text) {
    send(room, id, text);
    for (JsonNode frame = next(); ; frame = next()) {
      String type = frame.path("type").asText();
      boolean answer = type.equals("ack") || type.equals("error");
      if (answer && frame.path("clientMessageId").asText().equals(id)) {
        return frame;
      }
      if (frame.equals(END)) {
        throw new AssertionError("closed with " + closed.join());
      }
    }
  }

  /** What came and was not looked at yet, or null if nothing comes within {@code ms}. */
  public @Nullable JsonNode poll(long ms) {
    try {
      return frames.poll(ms, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public long received() {
    return received.get();
  }

  /** The close code; 1006 if the connection just ended. */
  public int awaitClose() {
    try {
      return closed.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the socket was not closed", e);
    }
  }

  public boolean isClosed() {
    return closed.isDone();
  }

  /** Cuts the connection without a word, as a lost network does. */
  public void cut() {
    socket.abort();
    // The listener is not told of an end that is ours.
    closed.complete(1006);
    frames.add(END);
  }

  @Override
  public void close() {
    cut();
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public void onOpen(WebSocket webSocket) {
      webSocket.request(reading ? Long.MAX_VALUE : 1);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket w, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        received.incrementAndGet();
        try {
          frames.add(JSON.readTree(text.toString()));
        } catch (JsonProcessingException e) {
          frames.add(JSON.createObjectNode().put("type", "(not JSON)"));
        }
        text.setLength(0);
      }
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket webSocket, int code, String reason) {
      closed.complete(code);
      frames.add(END);
      return null;
    }

    @Override
    public void onError(WebSocket webSocket, Throwable error) {
      closed.complete(1006);
      frames.add(END);
    }
  }
}
