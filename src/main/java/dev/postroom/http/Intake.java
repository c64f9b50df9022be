package dev.postroom.http;

import dev.postroom.protocol.ErrorCode;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether commands are taken over HTTP, and how many requests are being answered: a stopping node
 * takes no further command and finishes those that it has (S4). Safe for any thread.
 */
@ApplicationScoped
public class Intake {

  /** Before the body is looked at, which has 10. */
  private static final int FIRST = 20;

  private static final long RETRY_MS = 1_000;
  private static final Set<HttpMethod> READING =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

  private final EarlyRefusal refusal;
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile boolean closed;

  Intake(EarlyRefusal refusal) {
    this.refusal = refusal;
  }

  void register(@Observes Filters filters) {
    filters.register(this::pass, FIRST);
  }

  private void pass(RoutingContext request) {
    String path = request.request().path();
    if (path == null || !path.startsWith("/api/")) {
      request.next();
      return;
    }
    // Counted before the look, so that whoever closes and then counts misses none.
    inFlight.incrementAndGet();
    request.addEndHandler(ended -> inFlight.decrementAndGet());
    if (closed && !READING.contains(request.request().method())) {
      refuse(request);
    } else {
      request.next();
    }
  }

  private void refuse(RoutingContext request) {
    refusal.sendAndStay(
        request,
        Problem.of(ErrorCode.UNAVAILABLE, "This node is restarting; send it again.")
            .withRetryAfter(RETRY_MS));
  }

  /** From now on commands are answered {@code unavailable}. */
  public void close() {
    closed = true;
  }

  /** Blocks until what was taken is answered, at most for this long. */
  public void awaitAnswered(Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (inFlight.get() > 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
