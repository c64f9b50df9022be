package dev.postroom.session;

import dev.postroom.faults.Fault;
import dev.postroom.faults.FaultMode;
import dev.postroom.faults.Storm;
import dev.postroom.protocol.ClientFrame;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.protocol.ServerFrame;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one socket suffers while the fault mode is on: the one place where frames are lost, late,
 * twice or refused, and sockets cut. While it {@link #isOff} nobody comes here.
 *
 * <p>What was taken is done in full: nothing here touches what is stored. Frames keep their order,
 * but for acks that are late. Threading is that of the {@link Connection}.
 */
final class BadLine {
  private static final List<ErrorCode> REFUSALS =
      List.of(ErrorCode.BUSY, ErrorCode.RATE_LIMITED, ErrorCode.UNAVAILABLE, ErrorCode.INTERNAL);

  private final FaultMode faults;
  private final Connection connection;
  private final Network network;
  private volatile @Nullable String participant;

  BadLine(FaultMode faults, Connection connection, Network network) {
    this.faults = faults;
    this.connection = connection;
    this.network = network;
  }

  /** Its participant is known; from now on something may befall it. */
  void isOf(String who) {
    participant = who;
    Storm storm = faults.storm();
    if (storm != null) {
      freeze(storm.frozenMs(who));
    }
  }

  /** Null before it is known. Safe for any thread. */
  @Nullable String participant() {
    return participant;
  }

  boolean isOff() {
    return faults.storm() == null || participant == null;
  }

  /** Nothing gets through in either direction for so many milliseconds. */
  void freeze(long ms) {
    if (ms > 0) {
      int freeze = network.freeze();
      connection.after(ms, () -> network.thaw(freeze));
    }
  }

  void thaw() {
    network.thaw();
  }

  /**
   * The network is gone, and nobody says so. What was read of later frames is lost as well: of a
   * connection that breaks only a beginning arrives (N2).
   */
  void vanish() {
    connection.hearNoMore();
    network.drop();
  }

  /** A frame came in. */
  void hear(
      ClientFrame frame, Consumer<ClientFrame> take, BiConsumer<ClientFrame, ServerFrame> refuse) {
    boolean isSend = frame instanceof ClientFrame.Send;
    if (!isSend
        && !(frame instanceof ClientFrame.Join)
        && !(frame instanceof ClientFrame.History)) {
      take.accept(frame);
      return;
    }
    if (isSend) {
      moveEpoch();
    }
    double cut = strength(Fault.CUT_SOCKET);
    if (cut > 0.5) {
      // Nobody has heard it.
      vanish();
      return;
    }
    double refused = strength(Fault.REFUSE);
    if (refused > 0) {
      refuse.accept(frame, Replies.drilled(frame, code(refused)));
    } else {
      take.accept(frame);
      if (isSend && strikes(Fault.REPEAT_COMMAND)) {
        take.accept(frame);
      }
    }
    if (cut > 0) {
      // It was heard, and nobody hears the answer.
      vanish();
    }
  }

  private void moveEpoch() {
    Storm storm = faults.storm();
    if (storm != null && strikes(Fault.MOVE_EPOCH)) {
      storm.moveEpoch();
    }
  }

  /** An order, which strikes hardest, is refused {@code busy}. */
  private static ErrorCode code(double strength) {
    return REFUSALS.get((int) ((1 - strength) * REFUSALS.size()));
  }

  /** An answer goes out. */
  void put(ServerFrame frame, long bytes) {
    if (frame instanceof ServerFrame.Ack) {
      putAck(frame, bytes);
      return;
    }
    connection.deliver(frame, bytes);
    if (frame instanceof ServerFrame.Delta && strikes(Fault.REPEAT_EVENT)) {
      connection.deliver(frame, bytes);
    }
  }

  private void putAck(ServerFrame ack, long bytes) {
    Storm storm = faults.storm();
    if (storm == null || !strikes(Fault.DROP_ACK)) {
      double late = strength(Fault.DELAY_ACK);
      if (storm != null && late > 0) {
        connection.after(storm.delayMs(late), () -> connection.deliver(ack, bytes));
      } else {
        connection.deliver(ack, bytes);
      }
    }
  }

  /** A live event goes out. */
  boolean offer(String frame, long bytes) {
    boolean taken = connection.deliver(frame, bytes);
    if (taken && strikes(Fault.REPEAT_EVENT)) {
      connection.deliver(frame, bytes);
    }
    return taken;
  }

  private boolean strikes(Fault fault) {
    return strength(fault) > 0;
  }

  private double strength(Fault fault) {
    Storm storm = faults.storm();
    return storm == null ? 0 : storm.strength(fault, Objects.requireNonNull(participant));
  }
}
