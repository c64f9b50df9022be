package dev.postroom.bench.load;

import dev.postroom.bench.Heard;
import dev.postroom.bench.Talk;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.impl.WebSocketInternal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client in one room: sends commands, repeats what was not acked as a careful client does, and
 * checks every delivery. Confined to its event loop, except where a method says otherwise.
 */
public final class Member {
  private static final long AGAIN_AFTER_MS = 500;

  private final int number;
  private final Room room;
  private final Fleet fleet;
  private final int loop;
  private final Context context;
  private final Map<String, Command> pending = new LinkedHashMap<>();
  private final ArrayDeque<Long> backlog = new ArrayDeque<>();
  private final BitSet accepted = new BitSet();
  private final Received received = new Received();
  private @Nullable Line line;
  private @Nullable Object state;
  private int window;
  private boolean closedLoop;
  private boolean refusalsWait;

  Member(int number, Room room, Fleet fleet, int loop, Context context) {
    this.number = number;
    this.room = room;
    this.fleet = fleet;
    this.loop = loop;
    this.context = context;
  }

  public String user() {
    return "p" + number;
  }

  public Room room() {
    return room;
  }

  /** Does something on this member's event loop. Safe for any thread. */
  public void later(Runnable action) {
    context.runOnContext(unused -> action.run());
  }

  /** Its commands of which it was told that they are stored. Safe for any thread. */
  Future<BitSet> accepted() {
    return asked(() -> (BitSet) accepted.clone());
  }

  /** How many of its room's accepted messages have not come. Safe for any thread. */
  Future<Integer> missing(BitSet acceptedInRoom) {
    return asked(() -> received.missing(acceptedInRoom));
  }

  /** How many of its commands have no answer. Safe for any thread. */
  Future<Integer> unanswered() {
    return asked(pending::size);
  }

  private <T> Future<T> asked(Supplier<T> question) {
    Promise<T> answer = Promise.promise();
    later(() -> answer.complete(question.get()));
    return answer.future();
  }

  /** Connects and joins; tries again until it succeeds. */
  void connect() {
    fleet
        .connect(user())
        .onSuccess(this::opened)
        .onFailure(
            failure -> {
              fleet.tally().countError("connect");
              comeBackAfter(AGAIN_AFTER_MS);
            });
  }

  private void opened(WebSocket socket) {
    if (fleet.ended()) {
      return;
    }
    Line opened = new Line(socket);
    line = opened;
    opened.talk = fleet.wire().open(socket, user(), state, opened);
  }

  /** Cuts the TCP connection, without a close frame. */
  public void cut() {
    Line cut = line;
    if (cut != null) {
      state = cut.talk == null ? state : cut.talk.state();
      cut.open = false;
      line = null;
      // Closing from this place in the pipeline passes by what would say a polite goodbye.
      ChannelHandlerContext channel = ((WebSocketInternal) cut.socket).channelHandlerContext();
      channel.close();
    }
  }

  /** Comes back after a cut. */
  public void comeBackAfter(long millis) {
    if (!fleet.ended()) {
      fleet.vertx().setTimer(Math.max(1, millis), unused -> connect());
    }
  }

  /** Sends the next command as soon as one is acked, with so many on their way at once. */
  public void sendInClosedLoop(int inFlight) {
    window = inFlight;
    closedLoop = true;
    for (int i = 0; i < inFlight; i++) {
      offer(System.nanoTime());
    }
  }

  /** How many commands may be on their way when they are offered one by one. */
  public void window(int most) {
    window = most;
  }

  public void stop() {
    closedLoop = false;
    backlog.clear();
  }

  /**
   * A command that is due.
   *
   * @param dueNanos when it should be sent: what its latency is counted from, whenever it is sent
   */
  public void offer(long dueNanos) {
    if (line == null || !line.joined || pending.size() >= window) {
      backlog.add(dueNanos);
    } else {
      send(dueNanos, line.talk);
    }
  }

  private void send(long dueNanos, Talk talk) {
    int inRoom = room.nextCommand();
    String id = CommandId.of(number, inRoom);
    Command command = new Command(id, inRoom, dueNanos, fleet.text(id, dueNanos));
    pending.put(id, command);
    talk.send(room.name(), id, command.text);
    // Half of the repeats come at once, the others when the first has been answered.
    for (int copies = fleet.copies(); copies > 1; copies--) {
      if (copies % 2 == 0) {
        talk.send(room.name(), id, command.text);
      } else {
        command.copiesAfterAck++;
      }
    }
  }

  private void drainBacklog(Line on) {
    while (!backlog.isEmpty() && pending.size() < window) {
      send(backlog.remove(), on.talk);
    }
  }

  private void sendRefused() {
    refusalsWait = false;
    if (line != null && line.joined) {
      List<Command> again = new ArrayList<>(pending.values());
      for (Command command : again) {
        if (command.refused) {
          command.refused = false;
          line.talk.send(room.name(), command.id, command.text);
        }
      }
    }
  }

  /** A command that is not acked yet. */
  private static final class Command {
    private final String id;
    private final int inRoom;
    private final long dueNanos;
    private final String text;
    private int copiesAfterAck;
    private boolean refused;

    Command(String id, int inRoom, long dueNanos, String text) {
      this.id = id;
      this.inRoom = inRoom;
      this.dueNanos = dueNanos;
      this.text = text;
    }
  }

  /** One socket of this member; deaf once it was cut, whatever is still in the buffers. */
  private final class Line implements Heard {
    private final WebSocket socket;
    private Talk talk;
    private boolean open = true;
    private boolean joined;

    Line(WebSocket socket) {
      this.socket = socket;
      socket.closeHandler(unused -> lost());
      socket.exceptionHandler(failure -> {});
    }

    @Override
    public void ready() {
      if (open) {
        talk.join(room.name());
      }
    }

    @Override
    public void joined(String name) {
      if (!open || joined) {
        return;
      }
      joined = true;
      fleet.joined(Member.this);
      for (Command command : new ArrayList<>(pending.values())) {
        command.refused = false;
        talk.send(name, command.id, command.text);
      }
      drainBacklog(this);
    }

    @Override
    public void acked(String id, long seq, boolean duplicate) {
      Command command = open ? pending.remove(id) : null;
      if (command == null) {
        if (open) {
          fleet.tally().countRepeatAck();
        }
        return;
      }
      long now = System.nanoTime();
      fleet.acks().record(loop, now - command.dueNanos);
      fleet.tally().countAccepted();
      accepted.set(command.inRoom);
      for (int i = 0; i < command.copiesAfterAck; i++) {
        talk.send(room.name(), id, command.text);
      }
      if (closedLoop) {
        backlog.add(now);
      }
      drainBacklog(this);
    }

    @Override
    public void refused(String id, String code, long retryAfterMs) {
      if (!open) {
        return;
      }
      fleet.tally().countError(code);
      Command command = pending.get(id);
      if (command == null) {
        return;
      }
      if (retryAfterMs < 0) {
        pending.remove(id);
        drainBacklog(this);
        return;
      }
      command.refused = true;
      if (!refusalsWait) {
        refusalsWait = true;
        fleet.vertx().setTimer(Math.max(1, retryAfterMs), unused -> sendRefused());
      }
    }

    @Override
    public void message(String name, long seq, String id, String text) {
      if (!open) {
        return;
      }
      int command = CommandId.command(text);
      if (command < 0 || !fleet.isText(id, text)) {
        fleet.tally().countCorrupt();
        return;
      }
      fleet.deliveries().record(loop, System.nanoTime() - CommandId.stampNanos(text));
      fleet.tally().countDelivery(received.take(seq, CommandId.sender(text), command));
    }

    @Override
    public void noted(String what) {
      fleet.tally().countNote(what);
    }

    @Override
    public void lost() {
      if (open && line == this && !fleet.ended()) {
        state = talk == null ? state : talk.state();
        open = false;
        line = null;
        Short status = socket.closeStatusCode();
        fleet.tally().countError("closed" + (status == null ? "" : " " + status));
        comeBackAfter(TimeUnit.SECONDS.toMillis(1));
      }
    }
  }
}
