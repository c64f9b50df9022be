package dev.postroom.accept;

import static dev.postroom.accept.Accepting.submission;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.postroom.access.Decision;
import dev.postroom.access.Principal;
import dev.postroom.access.Role;
import dev.postroom.access.RoomPolicy;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What nobody foresaw ends in an answer, never in silence (A8, S2). */
class UnforeseenTest {

  @Test
  @DisplayName("S2: a combiner that fails is told as internal, to every caller of the line")
  void failingCombiner() {
    // Refused at start; here it stands for any fault of ours.
    try (Accepting accepting = new Accepting(Map.of("postroom.accept.lanes", "0"))) {
      Acceptor acceptor = acceptor(accepting, Decision.ALLOWED);
      assertEquals(ErrorCode.INTERNAL, refusal(acceptor, "k1"));
      assertEquals(ErrorCode.INTERNAL, refusal(acceptor, "k1"));
    }
  }

  @Test
  @DisplayName("S2: a policy that decides nothing is told as internal")
  void failingPolicy() {
    try (Accepting accepting = new Accepting()) {
      assertEquals(ErrorCode.INTERNAL, refusal(acceptor(accepting, null), "k1"));
    }
  }

  @Test
  @DisplayName("S2: an answer that cannot be given does not keep others from theirs")
  void failingCaller() throws Exception {
    try (Accepting accepting = new Accepting(Map.of("postroom.accept.lanes", "1"))) {
      accepting.room("a");
      accepting.combiner.submit(
          new Command(
              submission("ann", "a", "k1", "x"),
              false,
              outcome -> {
                throw new IllegalStateException("of the test");
              }));
      CompletableFuture<Outcome> next = accepting.submit(submission("bob", "a", "k1", "x"));
      assertInstanceOf(Outcome.Accepted.class, next.get(30, TimeUnit.SECONDS));
    }
  }

  private static ErrorCode refusal(Acceptor acceptor, String id) {
    Outcome outcome =
        acceptor.accept(submission("ann", "a", id, "x")).await().atMost(Duration.ofSeconds(30));
    return assertInstanceOf(Outcome.Refused.class, outcome).code();
  }

  private static Acceptor acceptor(Accepting accepting, Decision decision) {
    return new Acceptor(
        new Always(decision), accepting.combiner, accepting.config, accepting.metrics);
  }

  private record Always(Decision decision) implements RoomPolicy {

    @Override
    public Uni<Decision> decide(Principal principal, RoomId room, Role needed) {
      return Uni.createFrom().item(decision);
    }

    @Override
    public Uni<Decision> decideAmongMany(Principal principal, RoomId room, Role needed) {
      return decide(principal, room, needed);
    }

    @Override
    public Uni<Decision> decide(Principal principal, Room room, Role needed) {
      return decide(principal, room.id(), needed);
    }

    @Override
    public boolean mayCreate(Principal principal, RoomId room) {
      return false;
    }
  }
}
