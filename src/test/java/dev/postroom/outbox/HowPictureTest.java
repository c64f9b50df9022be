package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.EmbeddedPg;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the page under {@code /how} shows is true: every line of {@code golden/how-fates.json},
 * which its model is held against as well, happens like this with a real database, and for the
 * outbox with the real relay.
 */
class HowPictureTest {
  private static final Path FATES = Path.of("src/test/resources/golden/how-fates.json");

  /** So that a lane of a dead node is free again soon. */
  private static final Map<String, String> SETTINGS =
      Map.of("postroom.relay.lease", "2S", "postroom.relay.sweep", "1S");

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();

  private static List<Fate> fates(String design) throws IOException {
    return new ObjectMapper()
        .readValue(FATES.toFile(), new TypeReference<List<Fate>>() {}).stream()
            .filter(fate -> fate.design().equals(design))
            .toList();
  }

  @ParameterizedTest
  @DisplayName("L9, L10, L11: book and queue in either order, dead after every step")
  @ValueSource(strings = {"bookFirst", "queueFirst"})
  void withoutOutbox(String design) throws IOException {
    List<Fate> fates = fates(design);
    assertEquals(16, fates.size());
    for (Fate fate : fates) {
      assertEquals(fate, new TwoSteps(fate).lived());
    }
  }

  @ParameterizedTest
  @DisplayName("A4, H1, H2: the outbox and the relay, dead after every step")
  @CsvSource({
    "0, false", "1, false", "2, false", "3, false", "4, false",
    "0, true", "1, true", "2, true", "3, true", "4, true"
  })
  void withOutbox(int done, boolean asksAgain) throws IOException {
    Receivers receivers = new Receivers();
    Receiver receiver = receivers.of("all");
    Relaying.room(database, "a");
    Relaying first = new Relaying(database, receivers, SETTINGS);
    first.sink("all", SinkRow.Poison.BLOCK, false, "*");
    live(first, receiver, done);
    first.kill();
    receiver.behave(event -> Receiver.delivered());

    try (Relaying next = new Relaying(database, receivers, SETTINGS).started()) {
      boolean answered = done >= 2;
      if (asksAgain && !answered && database.number("SELECT count(*) FROM message") == 0) {
        Relaying.accept(database, "a", 1);
      }
      long stored = database.number("SELECT count(*) FROM message");
      handedOver(stored);
      next.pass();
      List<Fate> fates =
          fates("outbox").stream()
              .filter(fate -> fate.done() == done && fate.asksAgain() == asksAgain)
              .toList();
      assertEquals(2, fates.size());
      for (Fate fate : fates) {
        int applied = fate.inbox() ? receiver.count() : receiver.calls();
        assertEquals(fate, fate.lived((int) stored, receiver.calls(), applied));
      }
    }
  }

  /** The steps are: commit, answer, send, mark. To answer leaves no trace here. */
  private void live(Relaying node, Receiver receiver, int done) {
    if (done == 0) {
      database.execute("BEGIN; " + Relaying.acceptSql("a", 1) + "; ROLLBACK");
      return;
    }
    Relaying.accept(database, "a", 1);
    if (done == 3) {
      receiver.behave(
          event -> {
            receiver.apply(event);
            return Uni.createFrom().nothing();
          });
      node.started();
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> receiver.count() == 1);
    } else if (done == 4) {
      node.started();
      handedOver(1);
    }
  }

  private void handedOver(long count) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                database.number("SELECT count(*) FROM outbox") == 0
                    && database.number(
                            "SELECT coalesce(sum(next_seq - 1), 0) FROM lane WHERE state = 'idle'")
                        == count);
  }

  @Test
  @DisplayName("With the outbox and an inbox nothing is lost, untrue or twice, wherever it dies")
  void whyAnOutbox() throws IOException {
    assertEquals(
        List.of(),
        fates("outbox").stream()
            .filter(Fate::inbox)
            .filter(fate -> !List.of("once", "nothing").contains(fate.verdict()))
            .toList());
  }

  /** A line of the file. */
  private record Fate(
      String design,
      int done,
      boolean asksAgain,
      boolean inbox,
      int stored,
      int sent,
      int applied,
      String verdict) {

    Fate lived(int nowStored, int nowSent, int nowApplied) {
      String now;
      if (nowApplied > 1) {
        now = "repeated";
      } else if (nowApplied == nowStored) {
        now = nowStored == 1 ? "once" : "nothing";
      } else {
        now = nowStored == 1 ? "lost" : "untrue";
      }
      return new Fate(design, done, asksAgain, inbox, nowStored, nowSent, nowApplied, now);
    }
  }

  /** One process without an outbox, over two real tables: what is booked, and what is applied. */
  private final class TwoSteps {
    private final Fate fate;
    private int left;
    private int sent;
    private boolean answered;

    TwoSteps(Fate fate) {
      this.fate = fate;
      this.left = fate.done();
    }

    Fate lived() {
      database.execute("DROP TABLE IF EXISTS booking, applied");
      database.execute(
          "CREATE TABLE booking (key text UNIQUE, no int GENERATED ALWAYS AS IDENTITY)");
      database.execute("CREATE TABLE applied (id text" + (fate.inbox() ? " UNIQUE)" : ")"));
      request();
      // Started again. It remembers nothing of what it was about to do.
      left = Integer.MAX_VALUE;
      if (fate.asksAgain() && !answered) {
        request();
      }
      return fate.lived(
          (int) database.number("SELECT count(*) FROM booking"),
          sent,
          (int) database.number("SELECT count(*) FROM applied"));
    }

    private void request() {
      try {
        if (database.number("SELECT count(*) FROM booking") == 0) {
          boolean booksFirst = fate.design().equals("bookFirst");
          step(booksFirst ? this::book : this::send);
          step(booksFirst ? this::send : this::book);
        }
        step(() -> answered = true);
      } catch (Death died) {
        // A process that is gone does nothing more.
      }
    }

    private void step(Runnable work) {
      if (left-- == 0) {
        throw new Death();
      }
      work.run();
    }

    private void book() {
      database.execute("INSERT INTO booking (key) VALUES ('k1')");
    }

    /**
     * The event's id is made of the number that booking gave. Before there is none to make it of.
     */
    private void send() {
      sent++;
      database.execute(
          "INSERT INTO applied SELECT coalesce((SELECT 'order ' || no FROM booking), '"
              + UUID.randomUUID()
              + "') ON CONFLICT DO NOTHING");
    }
  }

  private static final class Death extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}
