package dev.postroom.accept;

import dev.postroom.accept.Command.Key;
import dev.postroom.room.Room;
import dev.postroom.room.RoomMessage;
import io.vertx.core.Context;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The commands of some of the rooms, with at most one transaction in flight. What queues meanwhile
 * goes into the next one, so that a lone command waits for nothing and many share a commit.
 *
 * <p>Guarantees: commands of one room are decided in the order of {@link #add}; an answer comes
 * after the commit and after the announcement; each command is answered once. The queue is for any
 * thread, everything else is confined to the lane's event loop.
 */
final class Lane {
  private static final Logger LOG = Logger.getLogger(Lane.class);

  private final Context context;
  private final Attempt attempt;
  private final Announcement announcement;
  private final AcceptMetrics metrics;
  private final Bounds bounds;
  private final ArrayDeque<Command> queue = new ArrayDeque<>();
  private boolean inFlight;

  Lane(
      Context context,
      Attempt attempt,
      Announcement announcement,
      AcceptMetrics metrics,
      Bounds bounds) {
    this.context = context;
    this.attempt = attempt;
    this.announcement = announcement;
    this.metrics = metrics;
    this.bounds = bounds;
  }

  void add(Command command) {
    synchronized (queue) {
      queue.addLast(command);
      if (inFlight) {
        return;
      }
      inFlight = true;
    }
    context.runOnContext(idle -> next());
  }

  private void next() {
    List<Command> batch = take();
    if (batch.isEmpty()) {
      return;
    }
    metrics.batch(batch.size());
    attempt.run(batch).onComplete(done -> finish(batch));
  }

  /** The next batch; empty when there is none, and then the lane is idle. */
  private List<Command> take() {
    Map<Key, Command> batch = new LinkedHashMap<>();
    Set<String> rooms = new HashSet<>();
    int taken = 0;
    synchronized (queue) {
      long bytes = 0;
      for (Command next = queue.peekFirst(); next != null; next = queue.peekFirst()) {
        Command first = batch.get(next.key());
        if (first != null && sameTerms(first, next)) {
          first.repeats().add(next);
        } else if (first != null
            || (!batch.isEmpty() && batch.size() >= bounds.commands())
            || (!batch.isEmpty() && bytes + next.bytes() > bounds.bytes())
            // The head that it is compared with is that of before the batch.
            || (next.submission().ifHead() != null && rooms.contains(next.room()))) {
          break;
        } else {
          batch.put(next.key(), next);
          rooms.add(next.room());
          bytes += next.bytes();
        }
        queue.removeFirst();
        taken++;
      }
      inFlight = !batch.isEmpty();
    }
    bounds.taken().accept(taken);
    return new ArrayList<>(batch.values());
  }

  /** Whether a repeat gets the same entry as the first even if that is not stored. */
  private static boolean sameTerms(Command first, Command repeat) {
    return first.mayCreate() == repeat.mayCreate()
        && Objects.equals(first.submission().ifHead(), repeat.submission().ifHead());
  }

  private void finish(List<Command> batch) {
    try {
      announce(batch);
      List<Command> behind = takeBehind(batch);
      batch.forEach(Lane::settle);
      behind.forEach(Lane::settle);
      // What came between the look and the answer, from where on its line is held.
      takeBehind(batch).forEach(Lane::settle);
    } catch (RuntimeException e) {
      // Nobody may wait for ever because of what nobody foresaw.
      LOG.error("a batch was not finished in order", e);
      batch.forEach(Lane::settle);
    }
    next();
  }

  private void announce(List<Command> batch) {
    Map<Long, Room> rooms = new LinkedHashMap<>();
    Map<Long, List<RoomMessage>> messages = new LinkedHashMap<>();
    for (Command command : batch) {
      if (command.entry() instanceof Ledger.Entry.Kept kept && kept.isOf(command)) {
        Long no = kept.room().no();
        rooms.put(no, kept.room());
        messages.computeIfAbsent(no, none -> new ArrayList<>()).add(kept.message());
      }
    }
    rooms.forEach((no, room) -> announce(room, messages.getOrDefault(no, List.of())));
  }

  private void announce(Room room, List<RoomMessage> messages) {
    try {
      announcement.publish(room, messages);
    } catch (RuntimeException e) {
      // Stored is stored: readers find it in the log.
      LOG.errorf(e, "announcement failed, room=%s", room.id());
    }
  }

  /** What queues behind a momentarily refused one of its line must not overtake it (N2). */
  private List<Command> takeBehind(List<Command> batch) {
    List<Command> refused =
        batch.stream()
            .filter(command -> command.refusal() != null && command.refusal().code().temporary())
            .toList();
    if (refused.isEmpty()) {
      return List.of();
    }
    List<Command> behind = new ArrayList<>();
    synchronized (queue) {
      Attempt.refuseBehind(refused, new ArrayList<>(queue));
      for (Command command : queue) {
        if (command.isAnswered()) {
          behind.add(command);
        }
      }
      queue.removeAll(behind);
    }
    bounds.taken().accept(behind.size());
    return behind;
  }

  private static void settle(Command command) {
    tell(command, outcome(command, command));
    command.repeats().forEach(repeat -> tell(repeat, outcome(command, repeat)));
  }

  /** One that cannot be told does not keep the others from their answers. */
  private static void tell(Command command, Outcome outcome) {
    try {
      command.done(outcome);
    } catch (RuntimeException e) {
      LOG.errorf(e, "an answer could not be given, room=%s", command.room());
    }
  }

  private static Outcome outcome(Command first, Command asker) {
    try {
      return outcome(asker, first.entry(), first.refusal());
    } catch (RuntimeException e) {
      return Refusals.internal(e);
    }
  }

  private static Outcome outcome(
      Command command, Ledger.@Nullable Entry entry, Outcome.@Nullable Refused refusal) {
    if (entry instanceof Ledger.Entry.Kept kept) {
      return ContentHash.matches(kept.hashRule(), kept.contentHash(), command.submission().text())
          ? new Outcome.Accepted(kept.message(), !kept.isOf(command), kept.room().head())
          : new Outcome.Conflict(kept.message().messageId(), kept.message().seq());
    }
    if (entry instanceof Ledger.Entry.Stale stale) {
      return new Outcome.StaleHead(stale.room().head());
    }
    if (entry == null && refusal == null) {
      return Refusals.internal(new IllegalStateException("the attempt left it without an answer"));
    }
    return refusal != null ? refusal : Refusals.forbidden();
  }

  /** What is told after a commit; see {@code Hub.publish}. */
  interface Announcement {
    void publish(Room room, List<RoomMessage> messages);
  }

  /**
   * @param commands most in a batch
   * @param bytes most text in a batch; a single command always fits
   * @param taken is told how many left the queue
   */
  record Bounds(int commands, long bytes, IntConsumer taken) {}
}
