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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The client half of the promises, as plain as it can be: keeps commands until they are
 * acknowledged, repeats them in order with the same id, resumes by cursor, and notes everything
 * that should not have happened in {@link #wrongs}.
 *
 * <p>Runs on a thread of its own until closed; the public methods are safe for any thread.
 */
public final class Member implements Runnable, Sender {
  private static final int WINDOW = 32;

  private final List<URI> nodes;
  private final String token;
  private final String room;
  private final Results results;
  private final Pause pause = new Pause();
  private final Thread thread;
  private final BlockingQueue<String[]> toSend = new LinkedBlockingQueue<>();
  private final Map<String, String> pending = new LinkedHashMap<>();
  private final TreeMap<Long, JsonNode> view = new TreeMap<>();
  private @Nullable String epoch;
  private long after;
  private int resumes;
  private int snapshots;
  private int epochs;
  private final List<String> endings = new ArrayList<>();
  private String goodbye = "";
  private int written;
  private boolean joined;
  private long joinAt;
  private long sendAt;
  private volatile boolean stopped;
  private volatile @Nullable RoomClient client;

  public Member(URI uri, String token, String room) {
    this(List.of(uri), token, room, ack -> {});
  }

  /**
   * @param nodes addresses of {@code /ws}: the first one while it answers, then the next one
   * @param onFirst is given each command's first result, on this client's thread
   */
  public Member(List<URI> nodes, String token, String room, Consumer<JsonNode> onFirst) {
    this.nodes = nodes;
    this.token = token;
    this.room = room;
    this.results = new Results(onFirst);
    this.thread = new Thread(this, "member");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
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

  @Override
  public synchronized boolean settled() {
    return toSend.isEmpty() && pending.isEmpty();
  }

  @Override
  public Map<String, JsonNode> acks() {
    return results.acks();
  }

  /** Seq to message, as shown to this member; of the present epoch only. */
  public synchronized Map<Long, JsonNode> view() {
    return new TreeMap<>(view);
  }

  /** How its sockets ended: the close code, behind "drain " if that frame had come. */
  public synchronized List<String> endings() {
    return List.copyOf(endings);
  }

  /** True once the first answer to a join has come. */
  public synchronized boolean joined() {
    return epoch != null;
  }

  public synchronized long after() {
    return after;
  }

  /** How often it came back with a cursor. */
  public synchronized int resumes() {
    return resumes;
  }

  /** How often it had to begin afresh; the first time counts. */
  public synchronized int snapshots() {
    return snapshots;
  }

  /** How many epochs it has seen. */
  public synchronized int epochs() {
    return epochs;
  }

  @Override
  public Map<String, Integer> refusals() {
    return results.refusals();
  }

  /** Repeats, holes, disorder and errors that no client should see. */
  @Override
  public List<String> wrongs() {
    return results.wrongs();
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
    try {
      for (int at = 0; !stopped; at = (at + 1) % nodes.size()) {
        try (RoomClient socket = RoomClient.connect(nodes.get(at), token)) {
          client = socket;
          converse(socket);
        } catch (RuntimeException | AssertionError away) {
          // As a socket that was cut at once.
        }
        pause.beforeRetry();
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private void converse(RoomClient socket) {
    written = 0;
    joined = false;
    joinAt = Long.MAX_VALUE;
    sendAt = System.nanoTime();
    while (!stopped && !socket.isClosed()) {
      JsonNode frame = socket.poll(toSend.isEmpty() ? 20 : 2);
      if (frame != null) {
        take(frame);
      } else if (joined && System.nanoTime() - sendAt >= 0) {
        write(socket);
      }
      if (!joined && joinAt != Long.MAX_VALUE && System.nanoTime() - joinAt >= 0) {
        joinAt = Long.MAX_VALUE;
        join(socket);
      }
    }
    ended(socket);
  }

  /** What came before the close counts. */
  private synchronized void ended(RoomClient socket) {
    for (JsonNode frame = socket.poll(0); frame != null; frame = socket.poll(0)) {
      take(frame);
    }
    endings.add(goodbye + socket.awaitClose());
    goodbye = "";
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

  private synchronized void take(JsonNode frame) {
    switch (frame.path("type").asText()) {
      case "welcome" -> {
        pause.over();
        joinAt = System.nanoTime();
      }
      case "snapshot" -> snapshot(frame);
      case "delta" -> delta(frame);
      case "message" -> append(frame);
      case "ack" -> acked(frame);
      case "error" -> refused(frame);
      case "drain" -> goodbye = "drain ";
      case "left" -> results.wrong("left " + frame);
      default -> {}
    }
  }

  private void snapshot(JsonNode frame) {
    joined = true;
    snapshots++;
    if (!frame.path("epoch").asText().equals(epoch)) {
      epochs++;
      view.clear();
    }
    epoch = frame.path("epoch").asText();
    after = frame.path("after").asLong();
    for (JsonNode message : frame.path("messages")) {
      show(message);
    }
  }

  private void delta(JsonNode frame) {
    joined = true;
    frame.path("messages").forEach(this::append);
    if (after != frame.path("after").asLong()) {
      results.wrong("delta ends at " + frame.path("after") + ", its messages at " + after);
    }
  }

  private void append(JsonNode message) {
    long seq = message.path("seq").asLong();
    if (seq <= after) {
      results.wrong("repeated " + seq + " at " + after);
    } else if (seq > after + 1) {
      results.wrong("hole before " + seq + " at " + after);
    }
    after = seq;
    show(message);
  }

  private void show(JsonNode message) {
    long seq = message.path("seq").asLong();
    JsonNode shown = RoomClient.message(message);
    JsonNode before = view.put(seq, shown);
    if (before != null && !before.equals(shown)) {
      results.wrong("seq " + seq + " was " + before + " and is " + shown);
    }
  }

  private void acked(JsonNode ack) {
    results.acked(ack);
    if (pending.remove(ack.path("clientMessageId").asText()) != null) {
      written = Math.max(0, written - 1);
    }
  }

  /** Everything that is pending is sent again, in order; or the join is. */
  private void refused(JsonNode error) {
    results.refused(error);
    long again =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(error.path("retryAfterMs").asLong(50));
    if (!error.path("temporary").asBoolean()) {
      return;
    }
    if (error.has("clientMessageId")) {
      written = 0;
      sendAt = Math.max(sendAt, again);
    } else {
      joinAt = again;
    }
  }
}
