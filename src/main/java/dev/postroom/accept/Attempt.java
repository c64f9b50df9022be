package dev.postroom.accept;

import dev.postroom.accept.Ledger.Entry;
import dev.postroom.db.DatabaseAway;
import dev.postroom.db.Faults;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.room.RoomId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Brings a batch to a known end: every command of it gets an entry or a refusal.
 *
 * <p>An outcome that is unknown is looked up by writing the same commands again (A8). A deadlock is
 * tried again. A held room is left out, and a command that the database cannot take is found by
 * halving, so that it fails alone (A9). A command behind one that was refused for the moment is not
 * let past it (N2).
 *
 * <p>Confined to its lane; one batch at a time.
 */
final class Attempt {
  private static final int RETRIES = 3;
  private static final String UNIQUE_VIOLATION = "23505";
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final Set<String> COLLISIONS = Set.of("40001", "40P01");

  private final Ledger ledger;
  private final Vertx vertx;
  private final Duration deadline;
  private final AcceptMetrics metrics;
  private final HeldRooms held = new HeldRooms(System::nanoTime);

  Attempt(Ledger ledger, Vertx vertx, Duration deadline, AcceptMetrics metrics) {
    this.ledger = ledger;
    this.vertx = vertx;
    this.deadline = deadline;
    this.metrics = metrics;
  }

  /** Never fails. */
  Future<Void> run(List<Command> batch) {
    return Future.succeededFuture()
        .compose(begin -> leaveHeldOut(batch))
        .compose(free -> write(new Try(free, Set.of())))
        .recover(
            failure -> {
              refuse(unanswered(batch), Refusals.internal(failure));
              return Future.succeededFuture();
            });
  }

  private Future<List<Command>> leaveHeldOut(List<Command> batch) {
    Set<String> rooms = rooms(batch);
    Set<String> suspects = held.suspects(rooms);
    Future<Void> looked = suspects.isEmpty() ? Future.succeededFuture() : lookAgain(suspects);
    return looked.map(
        done -> {
          refuse(
              batch.stream().filter(command -> held.isHeld(command.room())).toList(),
              Refusals.busy());
          return unanswered(batch);
        });
  }

  /** Holds those of the rooms that are not free, and lets go of the others. */
  private Future<Void> lookAgain(Set<String> rooms) {
    return ledger
        .free(rooms)
        .otherwise(Set.of())
        .map(
            free -> {
              for (String room : rooms) {
                if (free.contains(room)) {
                  held.release(room);
                } else {
                  held.hold(room);
                }
              }
              return null;
            });
  }

  private Future<Void> write(Try now) {
    if (now.commands.isEmpty()) {
      return Future.succeededFuture();
    }
    return ledger
        .write(now.commands, now.missing)
        .compose(entries -> distribute(now, entries), failure -> handle(now, failure));
  }

  private Future<Void> distribute(Try now, List<Entry> entries) {
    List<Command> roomless = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      Command command = now.commands.get(i);
      Entry entry = entries.get(i);
      if (!(entry instanceof Entry.NoRoom) || !command.mayCreate()) {
        command.answer(entry);
      } else if (now.missing.isEmpty()) {
        roomless.add(command);
      } else {
        // Made, and closed again by somebody else before we had it.
        command.answer(Refusals.busy());
      }
    }
    Set<RoomId> missing = new HashSet<>();
    roomless.forEach(command -> missing.add(new RoomId(command.room())));
    return write(new Try(roomless, missing));
  }

  private Future<Void> handle(Try now, Throwable failure) {
    now.unknown |= Faults.isOutcomeUnknown(failure);
    if (now.unknown) {
      // Nobody can look while it is away or read-only; the client's repeat finds the truth (A8,
      // S3).
      boolean hopeless =
          now.isOver() || failure instanceof DatabaseAway || Faults.isReadOnly(failure);
      return hopeless ? refuseAll(now, Refusals.unavailable()) : again(now, 10, 100);
    }
    String state = Faults.sqlState(failure);
    if (UNIQUE_VIOLATION.equals(state)) {
      metrics.collision();
      if (now.mayTryAgain(1)) {
        return write(now);
      }
    }
    if (COLLISIONS.contains(String.valueOf(state)) && now.mayTryAgain(RETRIES)) {
      return again(now, 5, 50);
    }
    if (LOCK_NOT_AVAILABLE.equals(state)) {
      return withoutHeld(now);
    }
    ErrorCode code = Faults.code(failure);
    if (code == ErrorCode.BUSY || code == ErrorCode.UNAVAILABLE || now.commands.size() == 1) {
      return refuseAll(now, Refusals.of(code, failure));
    }
    return halves(now);
  }

  /** A room was held until the wait was over: its commands are refused, the others go on. */
  private Future<Void> withoutHeld(Try now) {
    Set<String> rooms = rooms(now.commands);
    if (rooms.size() == 1 || !now.mayTryAgain(RETRIES)) {
      rooms.forEach(held::hold);
      return refuseAll(now, Refusals.busy());
    }
    return lookAgain(rooms)
        .compose(done -> leaveHeldOut(now.commands))
        .compose(
            free -> {
              now.commands = free;
              return write(now);
            });
  }

  private Future<Void> halves(Try now) {
    int middle = now.commands.size() / 2;
    List<Command> first = now.commands.subList(0, middle);
    List<Command> second = now.commands.subList(middle, now.commands.size());
    return write(new Try(first, now.missing))
        .compose(
            done -> {
              refuseBehind(first, second);
              return write(new Try(unanswered(second), now.missing));
            });
  }

  /** Of {@code second}, what stands behind a momentarily refused one of {@code first} (N2). */
  static void refuseBehind(List<Command> first, List<Command> second) {
    Map<Command.Line, Outcome.Refused> refusals = new HashMap<>();
    for (Command command : first) {
      Outcome.Refused refusal = command.refusal();
      if (refusal != null && refusal.code().temporary()) {
        refusals.put(command.line(), refusal);
        command.repeats().forEach(repeat -> refusals.put(repeat.line(), refusal));
      }
    }
    for (Command command : second) {
      Outcome.Refused refusal = refusals.get(command.line());
      if (refusal != null) {
        command.answer(refusal);
      }
    }
  }

  private Future<Void> again(Try now, int fromMs, int toMs) {
    Promise<Void> paused = Promise.promise();
    vertx.setTimer(ThreadLocalRandom.current().nextInt(fromMs, toMs), fired -> paused.complete());
    return paused.future().compose(done -> write(now));
  }

  private static Future<Void> refuseAll(Try now, Outcome.Refused refusal) {
    refuse(now.commands, refusal);
    return Future.succeededFuture();
  }

  private static void refuse(List<Command> commands, Outcome.Refused refusal) {
    commands.forEach(command -> command.answer(refusal));
  }

  private static List<Command> unanswered(List<Command> commands) {
    return commands.stream().filter(command -> !command.isAnswered()).toList();
  }

  private static Set<String> rooms(List<Command> commands) {
    Set<String> rooms = new HashSet<>();
    commands.forEach(command -> rooms.add(command.room()));
    return rooms;
  }

  /** Commands on their way, and what has become of it so far. */
  private final class Try {
    private final Set<RoomId> missing;
    private final long start = System.nanoTime();
    private List<Command> commands;
    private int tries;
    private boolean unknown;

    Try(List<Command> commands, Set<RoomId> missing) {
      this.commands = commands;
      this.missing = missing;
    }

    boolean mayTryAgain(int most) {
      return tries++ < most;
    }

    boolean isOver() {
      return System.nanoTime() - start > deadline.toNanos();
    }
  }
}
