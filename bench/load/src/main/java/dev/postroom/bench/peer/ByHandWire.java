package dev.postroom.bench.peer;

import dev.postroom.bench.Heard;
import dev.postroom.bench.Talk;
import dev.postroom.bench.Wire;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The frames of bench/peers/byhand, which its server.js describes. */
final class ByHandWire implements Wire {
  private static final long BUSY_MS = 100;

  @Override
  public WebSocketConnectOptions connect(int port, String user) {
    return new WebSocketConnectOptions().setHost("127.0.0.1").setPort(port).setURI("/");
  }

  @Override
  @SuppressWarnings("unchecked")
  public Talk open(WebSocket socket, String user, @Nullable Object before, Heard heard) {
    Map<String, Long> cursors = before == null ? new HashMap<>() : (Map<String, Long>) before;
    // Not at once: whoever opened it does not have the talk in hand yet.
    Vertx.currentContext().runOnContext(unused -> heard.ready());
    return new ByHandTalk(socket, cursors, heard);
  }

  /** One socket, and the number of the last message of each room. */
  private static final class ByHandTalk implements Talk {
    private final WebSocket socket;
    private final Map<String, Long> cursors;
    private final Heard heard;

    ByHandTalk(WebSocket socket, Map<String, Long> cursors, Heard heard) {
      this.socket = socket;
      this.cursors = cursors;
      this.heard = heard;
      socket.textMessageHandler(this::hear);
    }

    @Override
    public void join(String room) {
      Long after = cursors.get(room);
      String from = after == null ? "" : ",\"after\":" + after;
      socket.writeTextMessage("{\"t\":\"join\",\"room\":\"" + room + "\"" + from + "}");
    }

    @Override
    public void send(String room, String id, String text) {
      socket.writeTextMessage(
          "{\"t\":\"send\",\"room\":\""
              + room
              + "\",\"id\":\""
              + id
              + "\",\"text\":\""
              + text
              + "\"}");
    }

    @Override
    public Object state() {
      return cursors;
    }

    private void hear(String frame) {
      String kind = String.valueOf(Frame.string(frame, "\"t\":\"", 0));
      switch (kind) {
        case "msg" -> message(frame);
        case "ack" ->
            heard.acked(
                text(frame, "id"),
                Frame.number(frame, "\"seq\":", 0),
                frame.indexOf("\"dup\":true") > 0);
        case "joined" -> {
          String room = text(frame, "room");
          cursors.putIfAbsent(room, Frame.number(frame, "\"head\":", 0));
          heard.joined(room);
        }
        case "busy" -> heard.refused(text(frame, "id"), kind, BUSY_MS);
        default -> heard.noted(kind);
      }
    }

    private void message(String frame) {
      String room = text(frame, "room");
      long seq = Frame.number(frame, "\"seq\":", 0);
      cursors.put(room, seq);
      heard.message(room, seq, text(frame, "id"), text(frame, "text"));
    }

    private static String text(String frame, String field) {
      return String.valueOf(Frame.string(frame, "\"" + field + "\":\"", 0));
    }
  }
}
