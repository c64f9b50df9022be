package dev.postroom.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The client half of the promises, as plain as it can be: keeps commands until they are
 * acknowledged, repeats them in order with the same id, resumes by cursor, and notes everything
 * that should not have happened in {@link #wrongs}.
 *
 * <p>Runs on a thread of its own until closed; the public methods are safe for any thread.
 */
public final class Member implements Runnable, AutoCloseable {
  private static final int WINDOW = 32;

  private final URI uri;
  private final String token;
  private final String room;
  private final Thread thread;
  private final BlockingQueue<String[]> toSend = new LinkedBlockingQueue<>();
  private final Map<String, String> pending = new LinkedHashMap<>();
  private final Map<String, JsonNode> acks = new LinkedHashMap<>();
  private final TreeMap<Long, String> view = new TreeMap<>();
  private final List<String> wrongs = new ArrayList<>();
  private @Nullable String epoch;
  private long after;
  private int resumes;
  private int written;
  private volatile boolean stopped;
  private volatile @Nullable RoomClient client;

  public Member(URI uri, String token, String room) {
    this.uri = uri;
    this.token = token;
    this.room = room;
    this.thread = new Thread(this, "member");
    thread.setDaemon(true);
    thread.start();
  }

  /** Hands over a command; it is sent until it is acknowledged. */
  public void send(String id, String text) {
    toSend.add(new String[] {id, text});
  }

  /** Cuts the connection; the member comes back by itself. */
  public void cut() {
    RoomClient now = client;
    if (now != null) {
      now.cut();
    }
  }

  /** True if every command handed over so far has been acknowledged. */
  public synchronized boolean settled() {
    return toSend.isEmpty() && pending.isEmpty();
  }

  public synchronized Map<String, JsonNode> acks() {
    return new LinkedHashMap<>(acks);
  }

  /** Seq to messageId, as shown to this member. */
  public synchronized Map<Long, String> view() {
    return new TreeMap<>(view);
  }

  /** True once the first answer to a join has come. */
  public synchronized boolean joined() {
    return epoch != null;
  }

  public synchronized long after() {
    return after;
  }

  public synchronized int resumes() {
    return resumes;
  }

  /** Repeats, holes, disorder and errors that no client should see. */
  public synchronized List<String> wrongs() {
    return List.copyOf(wrongs);
  }

  @Override
  public void close() {
    stopped = true;
    cut();
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void run() {
    while (!stopped) {
      try (RoomClient socket = RoomClient.connect(uri, token)) {
        client = socket;
        converse(socket);
      } catch (RuntimeException | AssertionError away) {
        pause(50);
      }
    }
  }

  private void converse(RoomClient socket) {
    written = 0;
    boolean joined = false;
    long resendAt = 0;
    while (!stopped && !socket.isClosed()) {
      JsonNode frame = socket.poll(toSend.isEmpty() ? 20 : 2);
      if (frame != null) {
        String type = frame.path("type").asText();
        if (type.equals("welcome")) {
          join(socket);
        } else if (type.equals("snapshot") || type.equals("delta")) {
          joined = true;
        }
        resendAt = Math.max(resendAt, take(frame));
        continue;
      }
      if (joined && System.nanoTime() >= resendAt) {
        write(socket);
      }
    }
  }

  private synchronized void join(RoomClient socket) {
    if (epoch == null) {
      socket.join(room);
    } else {
      resumes++;
      socket.join(room, epoch, after);
    }
  }

  /** Writes what is pending, in order, up to the window. */
  private synchronized void write(RoomClient socket) {
    while (pending.size() < WINDOW) {
      String[] command = toSend.poll();
      if (command == null) {
        break;
      }
      pending.put(command[0], command[1]);
    }
    int place = 0;
    for (Map.Entry<String, String> command : pending.entrySet()) {
      if (place++ >= written) {
        socket.send(room, command.getKey(), command.getValue());
        written = place;
      }
    }
  }

  /**
   * @return until when nothing should be sent
   */
  private synchronized long take(JsonNode frame) {
    switch (frame.path("type").asText()) {
      case "snapshot" -> snapshot(frame);
      case "delta" -> {
        frame.path("messages").forEach(this::append);
        if (after != frame.path("after").asLong()) {
          wrongs.add("delta ends at " + frame.path("after") + ", its messages at " + after);
        }
      }
      case "message" -> append(frame);
      case "ack" -> acked(frame);
      case "error" -> {
        return refused(frame);
      }
      default -> {}
    }
    return 0;
  }

  private void snapshot(JsonNode frame) {
    epoch = frame.path("epoch").asText();
    after = frame.path("after").asLong();
    for (JsonNode message : frame.path("messages")) {
      show(message);
    }
  }

  private void append(JsonNode message) {
    long seq = message.path("seq").asLong();
    if (seq <= after) {
      wrongs.add("repeated " + seq + " at " + after);
    } else if (seq > after + 1) {
      wrongs.add("hole before " + seq + " at " + after);
    }
    after = seq;
    show(message);
  }

  private void show(JsonNode message) {
    long seq = message.path("seq").asLong();
    String id = message.path("messageId").asText();
    String before = view.put(seq, id);
    if (before != null && !before.equals(id)) {
      wrongs.add("seq " + seq + " was " + before + " and is " + id);
    }
  }

  private void acked(JsonNode ack) {
    String id = ack.path("clientMessageId").asText();
    if (pending.remove(id) != null) {
      written = Math.max(0, written - 1);
    }
    JsonNode before = acks.put(id, ack);
    if (before != null && before.path("seq").asLong() != ack.path("seq").asLong()) {
      wrongs.add("two results of " + id);
    }
  }

  private long refused(JsonNode error) {
    if (!error.path("temporary").asBoolean()) {
      wrongs.add("error " + error);
      return 0;
    }
    // Everything that is pending is sent again, in order.
    written = 0;
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(error.path("retryAfterMs").asLong(50));
  }

  private static void pause(long ms) {
    try {
      TimeUnit.MILLISECONDS.sleep(ms); // a client's own pace, not a wait for a result
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
