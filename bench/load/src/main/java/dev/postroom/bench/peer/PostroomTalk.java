package dev.postroom.bench.peer;

import dev.postroom.bench.Heard;
import dev.postroom.bench.Talk;
import io.vertx.core.http.WebSocket;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One socket that speaks {@code postroom.v1}, and keeps the cursors. */
final class PostroomTalk implements Talk {
  private static final String MESSAGE = "{\"type\":\"message\"";
  private static final String ACK = "{\"type\":\"ack\"";
  private static final String DELTA = "{\"type\":\"delta\"";
  private static final String SNAPSHOT = "{\"type\":\"snapshot\"";
  private static final String WELCOME = "{\"type\":\"welcome\"";
  private static final String ERROR = "{\"type\":\"error\"";

  private final WebSocket socket;
  private final Heard heard;
  private final Map<String, Cursor> cursors;

  /** Of the room of the latest frame: most members are in one room only. */
  private @Nullable Cursor latest;

  @SuppressWarnings("unchecked")
  PostroomTalk(WebSocket socket, @Nullable Object before, Heard heard) {
    this.socket = socket;
    this.heard = heard;
    this.cursors = before == null ? new HashMap<>() : (Map<String, Cursor>) before;
    socket.textMessageHandler(this::hear);
  }

  /** What has been applied. */
  private static final class Cursor {
    private final String room;
    private String epoch = "";
    private long after;

    Cursor(String room) {
      this.room = room;
    }
  }

  @Override
  public void join(String room) {
    Cursor cursor = cursors.get(room);
    String from =
        cursor == null
            ? ""
            : ",\"cursor\":{\"epoch\":\"" + cursor.epoch + "\",\"after\":" + cursor.after + "}";
    socket.writeTextMessage("{\"type\":\"join\",\"room\":\"" + room + "\"" + from + "}");
  }

  @Override
  public void send(String room, String id, String text) {
    socket.writeTextMessage(
        "{\"type\":\"send\",\"room\":\""
            + room
            + "\",\"clientMessageId\":\""
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
    if (frame.startsWith(MESSAGE)) {
      Cursor cursor = cursor(frame, MESSAGE.length());
      cursor.after = message(cursor.room, frame, MESSAGE.length());
    } else if (frame.startsWith(ACK)) {
      acked(frame);
    } else if (frame.startsWith(DELTA)) {
      delta(frame);
    } else if (frame.startsWith(SNAPSHOT)) {
      snapshot(frame);
    } else if (frame.startsWith(WELCOME)) {
      heard.ready();
    } else if (frame.startsWith(ERROR)) {
      error(frame);
    } else {
      heard.noted(String.valueOf(Frame.string(frame, "\"type\":\"", 0)));
    }
  }

  private Cursor cursor(String frame, int from) {
    String key = ",\"room\":\"";
    int start = frame.indexOf(key, from) + key.length();
    Cursor last = latest;
    if (last != null
        && frame.startsWith(last.room, start)
        && frame.charAt(start + last.room.length()) == '"') {
      return last;
    }
    String room = frame.substring(start, frame.indexOf('"', start));
    latest = cursors.computeIfAbsent(room, Cursor::new);
    return latest;
  }

  /** Hands a message on whose fields begin here, and returns its seq. */
  private long message(String room, String frame, int from) {
    long seq = Frame.number(frame, "\"seq\":", from);
    String id = Frame.string(frame, "\"clientMessageId\":\"", from);
    String text = Frame.string(frame, "\"text\":\"", from);
    heard.message(room, seq, String.valueOf(id), String.valueOf(text));
    return seq;
  }

  private void acked(String frame) {
    String id = Frame.string(frame, "\"clientMessageId\":\"", ACK.length());
    long seq = Frame.number(frame, "\"seq\":", ACK.length());
    boolean duplicate = frame.indexOf("\"duplicate\":true", ACK.length()) > 0;
    heard.acked(String.valueOf(id), seq, duplicate);
  }

  private void delta(String frame) {
    Cursor cursor = cursor(frame, DELTA.length());
    messages(cursor, frame);
    if (frame.indexOf("\"more\":true") < 0) {
      heard.joined(cursor.room);
    }
  }

  private void snapshot(String frame) {
    Cursor cursor = cursor(frame, SNAPSHOT.length());
    if (!cursor.epoch.isEmpty()) {
      heard.noted("snapshot instead of delta");
    }
    messages(cursor, frame);
    heard.joined(cursor.room);
  }

  private void messages(Cursor cursor, String frame) {
    int list = frame.indexOf("\"messages\":[");
    for (int at = frame.indexOf("\"seq\":", list);
        at >= 0;
        at = frame.indexOf("\"seq\":", at + 6)) {
      message(cursor.room, frame, at);
    }
    cursor.epoch = String.valueOf(Frame.string(frame, "\"epoch\":\"", 0));
    cursor.after = Frame.number(frame, "\"after\":", 0);
  }

  private void error(String frame) {
    String code = String.valueOf(Frame.string(frame, "\"code\":\"", 0));
    String id = Frame.string(frame, "\"clientMessageId\":\"", 0);
    if (id == null) {
      heard.noted("error " + code);
    } else {
      boolean temporary = frame.indexOf("\"temporary\":true") > 0;
      long wait = Frame.number(frame, "\"retryAfterMs\":", 0);
      heard.refused(id, code, temporary ? Math.max(0, wait) : -1);
    }
  }
}
