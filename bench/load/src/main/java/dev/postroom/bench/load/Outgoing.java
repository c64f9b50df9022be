package dev.postroom.bench.load;

import dev.postroom.bench.Talk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one member: those that are due and wait, those under way, and those that were
 * accepted. What was not acked is sent again on the next connection and after a temporary refusal,
 * under the same id and in the same order, as a careful client does. Confined to the member's event
 * loop.
 */
final class Outgoing {
  private final int sender;
  private final Room room;
  private final Fleet fleet;
  private final int loop;
  private final Map<String, Command> pending = new LinkedHashMap<>();
  private final ArrayDeque<Long> backlog = new ArrayDeque<>();
  private final BitSet accepted = new BitSet();

  /** Null while the room is not joined. */
  private @Nullable Talk talk;

  private int window;
  private boolean closedLoop;
  private boolean refusalsWait;

  Outgoing(int sender, Room room, Fleet fleet, int loop) {
    this.sender = sender;
    this.room = room;
    this.fleet = fleet;
    this.loop = loop;
  }

  void window(int most) {
    window = most;
  }

  void sendInClosedLoop(int inFlight) {
    window = inFlight;
    closedLoop = true;
    for (int i = 0; i < inFlight; i++) {
      offer(System.nanoTime());
    }
  }

  void stop() {
    closedLoop = false;
    backlog.clear();
  }

  void offer(long dueNanos) {
    backlog.add(dueNanos);
    sendWhatMay();
  }

  /** The room has been joined: what had no answer is sent again. */
  void connected(Talk on) {
    talk = on;
    for (Command command : new ArrayList<>(pending.values())) {
      command.refused = false;
      on.send(room.name(), command.id, command.text);
    }
    sendWhatMay();
  }

  void disconnected() {
    talk = null;
  }

  void acked(String id) {
    Command command = pending.remove(id);
    if (command == null) {
      fleet.tally().countRepeatAck();
      return;
    }
    long now = System.nanoTime();
    fleet.acks().record(loop, now - command.dueNanos);
    fleet.tally().countAccepted();
    accepted.set(command.inRoom);
    for (int i = 0; i < command.copiesAfterAck && talk != null; i++) {
      talk.send(room.name(), id, command.text);
    }
    if (closedLoop) {
      backlog.add(now);
    }
    sendWhatMay();
  }

  void refused(String id, String code, long retryAfterMs) {
    fleet.tally().countError(code);
    Command command = pending.get(id);
    if (command == null) {
      return;
    }
    if (retryAfterMs < 0) {
      pending.remove(id);
      sendWhatMay();
      return;
    }
    command.refused = true;
    if (!refusalsWait) {
      refusalsWait = true;
      fleet.vertx().setTimer(Math.max(1, retryAfterMs), unused -> sendRefused());
    }
  }

  private void sendRefused() {
    refusalsWait = false;
    for (Command command : new ArrayList<>(pending.values())) {
      if (command.refused && talk != null) {
        command.refused = false;
        talk.send(room.name(), command.id, command.text);
      }
    }
  }

  private void sendWhatMay() {
    Talk on = talk;
    while (on != null && !backlog.isEmpty() && pending.size() < window) {
      send(backlog.remove(), on);
    }
  }

  private void send(long dueNanos, Talk on) {
    int inRoom = room.nextCommand();
    String id = CommandId.of(sender, inRoom);
    Command command = new Command(id, inRoom, dueNanos, fleet.text(id, dueNanos));
    pending.put(id, command);
    on.send(room.name(), id, command.text);
    // Half of the repeats come at once, the others when the first has been answered.
    for (int copies = fleet.copies(); copies > 1; copies--) {
      if (copies % 2 == 0) {
        on.send(room.name(), id, command.text);
      } else {
        command.copiesAfterAck++;
      }
    }
  }

  /** Commands of which the sender was told that they are stored, by their number in the room. */
  BitSet accepted() {
    return (BitSet) accepted.clone();
  }

  int unanswered() {
    return pending.size();
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
}
