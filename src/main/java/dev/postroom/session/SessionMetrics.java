package dev.postroom.session;

import dev.postroom.accept.RefusalCounts;
import dev.postroom.protocol.ErrorCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** What sockets do, counted. Safe for any thread. */
@Startup // its meters are there from the first scrape on
@ApplicationScoped
class SessionMetrics {
  private final AtomicInteger sockets = new AtomicInteger();
  private final MeterRegistry meters;
  private final RefusalCounts refusals;
  private final Counter overflows;
  private final Counter catchUps;
  private final Counter badFrames;
  private final Counter pauses;

  SessionMetrics(MeterRegistry meters, RefusalCounts refusals) {
    this.meters = meters;
    this.refusals = refusals;
    meters.gauge("postroom.sockets", sockets);
    for (Resume how : Resume.values()) {
      meters.counter("postroom.resumes", "answer", how.label());
    }
    for (Ending ending : Ending.values()) {
      meters.counter("postroom.sockets.closed", "cause", ending.label());
    }
    overflows = meters.counter("postroom.mailbox.overflows");
    catchUps = meters.counter("postroom.catch.ups");
    badFrames = meters.counter("postroom.frames.bad");
    pauses = meters.counter("postroom.reads.paused");
  }

  /**
   * @return how many sockets there are now
   */
  int opened() {
    return sockets.incrementAndGet();
  }

  void closed(Ending ending) {
    sockets.decrementAndGet();
    meters.counter("postroom.sockets.closed", "cause", ending.label()).increment();
  }

  void resumed(Resume how) {
    meters.counter("postroom.resumes", "answer", how.label()).increment();
  }

  /** A mailbox was full: its reader's live events have stopped. */
  void overflowed() {
    overflows.increment();
  }

  /** The log begins to be read for a reader that is not at the live edge. */
  void catchUp() {
    catchUps.increment();
  }

  /**
   * @param waitingBytes what waits for all readers together
   */
  void mailboxes(Supplier<Number> waitingBytes) {
    Gauge.builder("postroom.mailbox.bytes", waitingBytes).register(meters);
  }

  /** A frame was answered by an error. */
  void refused(ErrorCode code) {
    refusals.count(code);
  }

  void badFrame() {
    badFrames.increment();
  }

  void readsPaused() {
    pauses.increment();
  }
}
