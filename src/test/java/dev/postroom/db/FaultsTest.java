package dev.postroom.db;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.protocol.ErrorCode;
import io.vertx.core.impl.NoStackTraceThrowable;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FaultsTest {

  @ParameterizedTest
  @DisplayName(
      "what a state of the server means, and whether the transaction may have been committed")
  @CsvSource({
    "55P03, BUSY, false",
    "57014, BUSY, false",
    "40001, BUSY, false",
    "40P01, BUSY, false",
    "25006, BUSY, false",
    "57P01, UNAVAILABLE, true",
    "57P02, UNAVAILABLE, true",
    "57P03, UNAVAILABLE, true",
    "08006, UNAVAILABLE, true",
    "53300, UNAVAILABLE, false",
    "22021, INVALID, false",
    "22P05, INVALID, false",
    "23505, INTERNAL, false",
    "25P02, INTERNAL, false",
    "42601, INTERNAL, false"
  })
  void states(String state, ErrorCode code, boolean unknown) {
    PgException failure = new PgException("message", "ERROR", state, "detail");
    assertEquals(code, Faults.code(failure));
    assertEquals(unknown, Faults.isOutcomeUnknown(failure));
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new DatabaseAway(false), ErrorCode.UNAVAILABLE, false),
        Arguments.of(new DatabaseAway(true), ErrorCode.UNAVAILABLE, true),
        Arguments.of(new NoConnection(new ConnectException()), ErrorCode.UNAVAILABLE, false),
        Arguments.of(new DeadlinePassed(Duration.ZERO, true), ErrorCode.BUSY, true),
        Arguments.of(new DeadlinePassed(Duration.ZERO, false), ErrorCode.BUSY, false),
        Arguments.of(new ClosedChannelException(), ErrorCode.UNAVAILABLE, true),
        Arguments.of(ClosedConnectionException.INSTANCE, ErrorCode.UNAVAILABLE, true),
        Arguments.of(
            new NoStackTraceThrowable("Connection is not active now"), ErrorCode.UNAVAILABLE, true),
        Arguments.of(new IllegalStateException(), ErrorCode.INTERNAL, false));
  }

  @ParameterizedTest
  @DisplayName("what our own and the driver's failures mean")
  @MethodSource("failures")
  void ownAndDriver(Throwable failure, ErrorCode code, boolean unknown) {
    assertEquals(code, Faults.code(failure));
    assertEquals(unknown, Faults.isOutcomeUnknown(failure));
  }
}
