package dev.postroom.bench.load;

import dev.postroom.bench.Started;
import dev.postroom.bench.Wire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * All clients of a load, spread over one event loop per processor, and what they count. Built by
 * one thread before the load begins; then safe for any thread.
 */
public final class Fleet implements AutoCloseable {
  private static final int MAX_MESSAGE = 16 * 1024 * 1024;
  private static final int CONNECTS_AT_ONCE = 256;
  private static final long OPEN_LIMIT_SECONDS = 180;
  private static final long SETTLE_LIMIT_SECONDS = 60;
  private static final long STILL_SECONDS = 8;

  private final Started peer;
  private final int textBytes;
  private final Vertx vertx;
  private final WebSocketClient client;
  private final List<ContextInternal> loops;
  private final List<Member> members = new ArrayList<>();
  private final Tally tally = new Tally();
  private final Latencies acks;
  private final Latencies deliveries;
  private volatile Consumer<Member> joinListener = member -> {};
  private volatile Random repeats;
  private volatile boolean ended;

  /**
   * @param textBytes how long every message's text is
   */
  public Fleet(Started peer, int textBytes) {
    this.peer = peer;
    this.textBytes = textBytes;
    int processors = Runtime.getRuntime().availableProcessors();
    vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(processors));
    client =
        vertx.createWebSocketClient(
            new WebSocketClientOptions()
                .setMaxConnections(100_000)
                .setMaxFrameSize(MAX_MESSAGE)
                .setMaxMessageSize(MAX_MESSAGE)
                .setConnectTimeout(60_000));
    loops =
        IntStream.range(0, processors)
            .mapToObj(unused -> (ContextInternal) ((VertxInternal) vertx).createEventLoopContext())
            .toList();
    acks = new Latencies(processors);
    deliveries = new Latencies(processors);
  }

  /** Adds rooms of so many members each; nobody is connected yet. */
  public List<Room> rooms(int count, int membersEach) {
    List<Room> rooms = IntStream.range(0, count).mapToObj(Room::new).toList();
    for (Room room : rooms) {
      for (int i = 0; i < membersEach; i++) {
        int number = members.size();
        int loop = number % loops.size();
        Member member = new Member(number, room, this, loop, loops.get(loop));
        room.add(member);
        members.add(member);
      }
    }
    return rooms;
  }

  /** Lets the peer's wire get ready for all members. */
  public void prepare() throws Exception {
    peer.wire().prepare(peer.port(), members.stream().map(Member::user).toList());
  }

  /** Prepares and connects all, and returns when all have joined. */
  public void open() throws Exception {
    prepare();
    open(members);
  }

  /** Connects these, who have been prepared, and returns when they have joined. */
  public void open(List<Member> some) throws Exception {
    AtomicLong started = new AtomicLong();
    AtomicLong joined = new AtomicLong();
    joinListener =
        member -> {
          joined.incrementAndGet();
          startNext(some, started);
        };
    for (int i = 0; i < CONNECTS_AT_ONCE; i++) {
      startNext(some, started);
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(OPEN_LIMIT_SECONDS);
    while (joined.get() < some.size()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            joined + " of " + some.size() + " joined: " + tally.errors() + tally.notes());
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    joinListener = member -> {};
  }

  private static void startNext(List<Member> members, AtomicLong started) {
    long next = started.getAndIncrement();
    if (next < members.size()) {
      Member member = members.get((int) next);
      member.later(member::connect);
    }
  }

  /** Is told of everybody who has joined, on their event loops. */
  public void onJoin(Consumer<Member> listener) {
    joinListener = listener;
  }

  /**
   * From now on each command is sent one to five times.
   *
   * @param seed of the choice
   */
  public void repeatCommands(long seed) {
    repeats = new Random(seed);
  }

  public List<Member> members() {
    return members;
  }

  public Tally tally() {
    return tally;
  }

  /** From when a command was due to its first ack. */
  public Latencies acks() {
    return acks;
  }

  /** From when a command was due to each member's delivery. */
  public Latencies deliveries() {
    return deliveries;
  }

  public Vertx vertx() {
    return vertx;
  }

  /**
   * Ends the sending, waits for what is on its way until nothing has come for a while, and says
   * what never came.
   */
  public Missing settle() throws Exception {
    members.forEach(member -> member.later(member::stop));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_LIMIT_SECONDS);
    awaitStillness(TimeUnit.MILLISECONDS.toNanos(300), end);
    Missing missing = Missing.of(members);
    if (!missing.nothing()) {
      awaitStillness(TimeUnit.SECONDS.toNanos(STILL_SECONDS), end);
      missing = Missing.of(members);
    }
    return missing;
  }

  private void awaitStillness(long nanos, long end) throws InterruptedException {
    long seen = -1;
    long since = System.nanoTime();
    while (System.nanoTime() < end && System.nanoTime() - since < nanos) {
      long now = tally.delivered() + tally.accepted() + tally.repeatAcks() + tally.joins();
      if (now != seen) {
        seen = now;
        since = System.nanoTime();
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  Future<WebSocket> connect(String user) {
    return client.connect(peer.wire().connect(peer.port(), user));
  }

  void joined(Member member) {
    tally.countJoin();
    joinListener.accept(member);
  }

  Wire wire() {
    return peer.wire();
  }

  String text(String id, long stampNanos) {
    return CommandId.text(id, stampNanos, textBytes);
  }

  boolean isText(String id, String text) {
    return text.length() >= textBytes && text.startsWith(id) && text.charAt(id.length()) == ' ';
  }

  int copies() {
    Random random = repeats;
    return random == null ? 1 : 1 + random.nextInt(5);
  }

  boolean ended() {
    return ended;
  }

  /** Cuts all sockets. */
  @Override
  public void close() throws Exception {
    ended = true;
    members.forEach(member -> member.later(member::cut));
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }
}
