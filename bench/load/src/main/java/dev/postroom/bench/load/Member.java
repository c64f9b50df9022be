package dev.postroom.bench.load;

import dev.postroom.bench.Heard;
import dev.postroom.bench.Talk;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.impl.WebSocketInternal;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client in one room: connects, sends, comes back, and checks every delivery. Confined to its
 * event loop, except where a method says otherwise.
 */
public final class Member {
  private static final long AGAIN_AFTER_MS = 500;

  private final int number;
  private final Room room;
  private final Fleet fleet;
  private final int loop;
  private final Context context;
  private final Outgoing outgoing;
  private final Received received = new Received();
  private @Nullable Line line;
  private @Nullable Object state;

  Member(int number, Room room, Fleet fleet, int loop, Context context) {
    this.number = number;
    this.room = room;
    this.fleet = fleet;
    this.loop = loop;
    this.context = context;
    this.outgoing = new Outgoing(number, room, fleet, loop);
  }

  public String user() {
    return "p" + number;
  }

  public Room room() {
    return room;
  }

  int loop() {
    return loop;
  }

  /** Does something on this member's event loop. Safe for any thread. */
  public void later(Runnable action) {
    context.runOnContext(unused -> action.run());
  }

  /** Its commands of which it was told that they are stored. Safe for any thread. */
  Future<BitSet> accepted() {
    return asked(outgoing::accepted);
  }

  /** How many of its room's accepted messages have not come. Safe for any thread. */
  Future<Integer> missing(BitSet acceptedInRoom) {
    return asked(() -> received.missing(acceptedInRoom));
  }

  /** How many of its commands have no answer. Safe for any thread. */
  Future<Integer> unanswered() {
    return asked(outgoing::unanswered);
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
    Line opened = new Line(socket);
    line = opened;
    opened.talk = fleet.wire().open(socket, user(), state, opened);
    if (fleet.ended()) {
      cut();
    }
  }

  /** Cuts the TCP connection, without a close frame; false if there is none. */
  public boolean cut() {
    Line cut = line;
    if (cut != null) {
      cut.end();
      // Closing from this place in the pipeline passes by what would say a polite goodbye.
      ChannelHandlerContext channel = ((WebSocketInternal) cut.socket).channelHandlerContext();
      channel.close();
    }
    return cut != null;
  }

  /** Connects again, in a while. */
  public void comeBackAfter(long millis) {
    if (!fleet.ended()) {
      fleet.vertx().setTimer(Math.max(1, millis), unused -> connect());
    }
  }

  /** Sends the next command as soon as one is acked, with so many on their way at once. */
  public void sendInClosedLoop(int inFlight) {
    outgoing.sendInClosedLoop(inFlight);
  }

  /** How many commands may be on their way when they are offered one by one. */
  public void window(int most) {
    outgoing.window(most);
  }

  /**
   * A command that is due.
   *
   * @param dueNanos when it should be sent: what its latency is counted from, whenever it is sent
   */
  public void offer(long dueNanos) {
    outgoing.offer(dueNanos);
  }

  /** Sends no new commands. */
  public void stop() {
    outgoing.stop();
  }

  /** One socket of this member; deaf once it was cut, whatever is still in the buffers. */
  private final class Line implements Heard {
    private final WebSocket socket;
    private @Nullable Talk talk;
    private boolean open = true;
    private boolean joined;

    Line(WebSocket socket) {
      this.socket = socket;
      socket.closeHandler(unused -> lost());
      // The close handler follows.
      socket.exceptionHandler(failure -> {});
    }

    void end() {
      open = false;
      line = null;
      outgoing.disconnected();
      if (talk != null) {
        state = talk.state();
      }
    }

    @Override
    public void ready() {
      if (open && talk != null) {
        talk.join(room.name());
      }
    }

    @Override
    public void joined(String name) {
      if (open && !joined && talk != null) {
        joined = true;
        fleet.joined(Member.this);
        outgoing.connected(talk);
      }
    }

    @Override
    public void acked(String id, long seq, boolean duplicate) {
      if (open) {
        outgoing.acked(id);
      }
    }

    @Override
    public void refused(String id, String code, long retryAfterMs) {
      if (open) {
        outgoing.refused(id, code, retryAfterMs);
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
      if (open && !fleet.ended()) {
        end();
        Short status = socket.closeStatusCode();
        fleet.tally().countError("closed" + (status == null ? "" : " " + status));
        comeBackAfter(TimeUnit.SECONDS.toMillis(1));
      }
    }
  }
}
