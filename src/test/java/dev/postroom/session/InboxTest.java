package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.protocol.ClientFrame;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class InboxTest {
  private final List<String> started = new ArrayList<>();
  private final List<UniEmitter<? super Void>> running = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private boolean answerable = true;
  private final Inbox inbox = new Inbox(4, () -> answerable, this::handle, failures::add);

  @Test
  void framesThatCameBeforeTheWelcomeWait() {
    inbox.submit(leave("a"));
    assertEquals(List.of(), started);
    inbox.open();
    assertEquals(List.of("a"), started);
  }

  @Test
  void oneAfterTheOther() {
    inbox.open();
    inbox.submit(leave("a"));
    inbox.submit(leave("b"));
    assertEquals(List.of("a"), started);
    running.get(0).complete(null);
    assertEquals(List.of("a", "b"), started);
  }

  @Test
  @DisplayName("S1: over the window a frame is not taken, handed-on frames count until released")
  void bounded() {
    inbox.open();
    inbox.hold();
    assertTrue(inbox.submit(leave("a")));
    assertTrue(inbox.submit(leave("b")));
    assertTrue(inbox.submit(leave("c")));
    assertFalse(inbox.submit(leave("d")));
    inbox.release();
    assertTrue(inbox.submit(leave("e")));
  }

  @Test
  @DisplayName("S4: an inbox that ends takes nothing more, and is over when all is answered")
  void endsBehindTheLastAnswer() {
    inbox.open();
    inbox.hold();
    inbox.submit(leave("a"));
    inbox.submit(leave("b"));
    inbox.end(() -> started.add("end"));
    assertTrue(inbox.ending());
    assertFalse(inbox.submit(leave("c")));
    running.get(0).complete(null);
    running.get(1).complete(null);
    assertEquals(List.of("a", "b"), started);
    inbox.release();
    assertEquals(List.of("a", "b", "end"), started);
  }

  @Test
  @DisplayName("S4: one that has not begun to handle is over at once")
  void endsAtOnceBeforeItsOpening() {
    inbox.submit(leave("a"));
    inbox.end(() -> started.add("end"));
    inbox.end(() -> started.add("again"));
    assertEquals(List.of("end"), started);
  }

  @Test
  @DisplayName("S1, N2: while answers have no room frames wait, and go on in order")
  void waitsForRoomForAnswers() {
    inbox.open();
    answerable = false;
    inbox.submit(leave("a"));
    inbox.submit(leave("b"));
    assertEquals(List.of(), started);
    answerable = true;
    inbox.goOn();
    answerable = false;
    running.get(0).complete(null);
    assertEquals(List.of("a"), started);
    answerable = true;
    inbox.goOn();
    assertEquals(List.of("a", "b"), started);
  }

  @Test
  void aFailureIsToldAndTheNextFrameIsHandled() {
    inbox.open();
    inbox.submit(leave("a"));
    inbox.submit(leave("b"));
    running.get(0).fail(new IllegalStateException("x"));
    assertEquals(1, failures.size());
    assertEquals(List.of("a", "b"), started);
  }

  @Test
  @DisplayName("A handler that throws is a failure like any other")
  void aThrowingHandler() {
    Inbox throwing =
        new Inbox(
            4,
            () -> true,
            frame -> {
              started.add("x");
              throw new IllegalStateException("x");
            },
            failures::add);
    throwing.open();
    throwing.submit(leave("a"));
    throwing.submit(leave("b"));
    assertEquals(2, failures.size());
  }

  @Test
  void afterCloseNothingIsHandled() {
    inbox.open();
    inbox.submit(leave("a"));
    inbox.submit(leave("b"));
    inbox.close();
    running.get(0).complete(null);
    assertEquals(List.of("a"), started);
  }

  private Uni<Void> handle(ClientFrame frame) {
    started.add(((ClientFrame.Leave) frame).room());
    return Uni.createFrom().emitter(running::add);
  }

  private static ClientFrame leave(String room) {
    return new ClientFrame.Leave(room);
  }
}
