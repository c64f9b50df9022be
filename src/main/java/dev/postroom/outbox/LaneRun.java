package dev.postroom.outbox;

import dev.postroom.outbox.Settlement.Then;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One turn of one leased lane: its events, one after the other, the next only after the last was
 * positively answered (H3). The first failure ends the turn.
 *
 * <p>Confined to the relay's event loop.
 */
final class LaneRun {
  private static final Logger LOG = Logger.getLogger(LaneRun.class);

  private final Claim claim;
  private final Turn turn;
  private final SinkRow sink;
  private final Sink target;
  private final long begun = System.nanoTime();
  private final Deque<Head> heads;
  private final Deque<Head> late = new ArrayDeque<>();
  private final List<Long> lateSent = new ArrayList<>();

  /** The number that leaves next, and the one up to which this has been given to the settler. */
  private long position;

  private long settled;
  private int left;
  private boolean first = true;

  /** Whether what is under way is a dead letter that somebody wanted to be sent once more. */
  private boolean redriven;

  /** Whether anything was handed over in this turn: failures in a row begin anew. */
  private boolean succeeded;

  LaneRun(Claim claim, SinkRow sink, Sink target, Turn turn) {
    this.claim = claim;
    this.sink = sink;
    this.target = target;
    this.turn = turn;
    this.heads = new ArrayDeque<>(claim.heads());
    this.position = claim.next();
    this.settled = claim.next();
    this.left = turn.config().laneEvents();
  }

  Claim claim() {
    return claim;
  }

  void start() {
    if (claim.takenOver()) {
      turn.metrics().leaseTakenOver();
    }
    if (claim.late() == 0) {
      step();
      return;
    }
    turn.on(
        turn.lanes().late(claim.key()),
        dead -> {
          late.addAll(dead);
          step();
        },
        failure -> abandon());
  }

  private void step() {
    if (turn.leaseLost(this)) {
      abandon();
    } else if (!turn.mayGoOn(target) || left == 0 || isTimeUp()) {
      end(new Then.Release());
    } else if (!late.isEmpty()) {
      Head head = late.remove();
      redriven = true;
      publish(head.late(), () -> lateSent.add(head.seq()));
    } else if (position > claim.known()) {
      end(new Then.Release());
    } else if (heads.isEmpty()) {
      read();
    } else {
      next(heads.remove());
    }
  }

  private boolean isTimeUp() {
    return System.nanoTime() - begun > turn.config().laneTime().toNanos();
  }

  private void read() {
    turn.on(
        turn.lanes().read(claim, position),
        page -> {
          heads.addAll(page);
          if (page.isEmpty()) {
            missing();
          } else {
            step();
          }
        },
        failure -> {
          if (failure instanceof Lanes.AnotherLineage) {
            end(new Then.Release());
          } else {
            abandon();
          }
        });
  }

  /** Going on would lose an event without a word; so nothing goes on. */
  private void missing() {
    LOG.errorf(
        "Message %d of room no. %d is not there to be handed over to sink %s",
        position, claim.key().roomNo(), sink.id());
    end(new Then.Park(false, "Message " + position + " is no longer stored."));
  }

  private void next(Head head) {
    if (head.seq() != position || !head.kept()) {
      missing();
      return;
    }
    RoomEvent event = head.event();
    redriven = head.redriven();
    if (first && claim.takenOver()) {
      turn.metrics().repeat();
    }
    boolean fresh = first ? claim.tries() == 0 : true;
    publish(
        event,
        () -> {
          position = head.seq() + 1;
          if (head.redriven()) {
            lateSent.add(head.seq());
          }
          if (fresh) {
            turn.metrics().firstDelivered(event.at());
          }
        });
  }

  private void publish(RoomEvent event, Runnable delivered) {
    first = false;
    left--;
    long start = System.nanoTime();
    turn.on(
        // Deferred: a sink that throws is as one that fails.
        Futures.of(Uni.createFrom().deferred(() -> target.deliver(event))),
        result -> {
          turn.metrics().published(sink, attempt(result), System.nanoTime() - start);
          if (result instanceof DeliveryResult.Delivered) {
            turn.circuit().succeeded(claim.key().roomNo(), System.nanoTime());
            succeeded = true;
            delivered.run();
            mark();
            step();
          } else {
            failed(event, result);
          }
        },
        failure -> {
          turn.metrics().published(sink, RelayMetrics.Attempt.OWN_FAULT, System.nanoTime() - start);
          turn.ownFault(failure);
          end(new Then.Wait(turn.ownPause(), false, false, "Our own fault; see the log."));
        });
  }

  /** Not waited for: a crash repeats what is not marked yet, and the next event loses no time. */
  private void mark() {
    if (position <= claim.known()) {
      turn.settler().settle(settlement(new Then.Keep()));
    }
  }

  private void failed(RoomEvent event, DeliveryResult result) {
    if (result instanceof DeliveryResult.EventFault fault) {
      // The sink did answer; that this is no success does not make it less reachable.
      turn.circuit().succeeded(claim.key().roomNo(), System.nanoTime());
      end(eventFault(event, fault.reason()));
    } else if (result instanceof DeliveryResult.SinkFault fault) {
      end(sinkFault(event, fault));
    } else if (result instanceof DeliveryResult.Gone gone) {
      turn.gone(target, gone.reason());
      end(new Then.Release());
    }
  }

  private boolean leavesOut(RoomEvent event) {
    return sink.poison() == SinkRow.Poison.SKIP_WITH_GAP && event instanceof RoomEvent.Accepted;
  }

  private Then eventFault(RoomEvent event, String reason) {
    if (redriven) {
      // It was left out once, by the policy or by hand, and a gap has its place: what comes after
      // it does not wait for it again (H3, H4).
      return new Then.PutBack(event.seq(), reason);
    }
    int faults = (succeeded ? 0 : claim.eventFaults()) + 1;
    if (faults < turn.config().eventFaults()) {
      return new Then.Wait(turn.eventPause(faults), true, true, reason);
    }
    if (leavesOut(event)) {
      return new Then.Skip(event.seq(), reason);
    }
    return new Then.Park(true, reason);
  }

  private Then sinkFault(RoomEvent event, DeliveryResult.SinkFault fault) {
    Circuit.Blame blame =
        turn.circuit()
            .failed(claim.key().roomNo(), fault.reached(), fault.pause(), System.nanoTime());
    if (redriven && fault.reached() && blame != Circuit.Blame.SINK) {
      // As after a refusal: a schedule of hours would hold up those behind it.
      return new Then.PutBack(event.seq(), fault.reason());
    }
    int tries = (succeeded ? 0 : claim.tries()) + 1;
    Duration pause =
        switch (blame) {
          case SINK -> turn.sinkPause();
          case LANE -> turn.schedule(tries);
          case UNKNOWN -> turn.schedule(Math.min(tries, turn.config().schedule().size()));
        };
    return pause == null
        ? new Then.Park(false, fault.reason())
        : new Then.Wait(
            notBefore(pause, fault.pause()), blame == Circuit.Blame.LANE, false, fault.reason());
  }

  /** Behind all that are due when a pause that it asked for is over, so that others are tried. */
  private static Duration notBefore(Duration wait, @Nullable Duration asked) {
    return asked == null ? wait : asked.plus(wait);
  }

  private void end(Then then) {
    Future<Boolean> written = turn.settler().settle(settlement(then));
    turn.called(this);
    turn.on(
        written,
        mine -> {
          if (mine) {
            turn.metrics().settled(then);
          }
          turn.ended(this);
        },
        failure -> turn.ended(this));
  }

  /** Nothing is written: the lease runs out, and the lane is somebody's again. */
  private void abandon() {
    turn.called(this);
    turn.ended(this);
  }

  private Settlement settlement(Then then) {
    List<Long> sent = List.copyOf(lateSent);
    lateSent.clear();
    long from = settled;
    settled = position;
    return new Settlement(claim.key(), claim.token(), claim.lineage(), from, position, sent, then);
  }

  private static RelayMetrics.Attempt attempt(DeliveryResult result) {
    if (result instanceof DeliveryResult.Delivered) {
      return RelayMetrics.Attempt.DELIVERED;
    }
    if (result instanceof DeliveryResult.EventFault) {
      return RelayMetrics.Attempt.EVENT_FAULT;
    }
    return result instanceof DeliveryResult.SinkFault
        ? RelayMetrics.Attempt.SINK_FAULT
        : RelayMetrics.Attempt.GONE;
  }
}
