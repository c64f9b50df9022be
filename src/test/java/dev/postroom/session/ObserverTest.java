package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.FullSpeed;
import dev.postroom.testkit.Member;
import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An observer on a bad line. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class ObserverTest {
  private static final Logger LOG = Logger.getLogger(ObserverTest.class);
  private static final int SENDERS = 10;
  private static final int EACH = 10_000;
  private static final int CUT_MS = 400;

  @TestHTTPResource("/ws")
  URI uri;

  private final String room = "case-" + UUID.randomUUID();

  @Test
  @DisplayName(
      "REC-24, R1, R2, N3: cut every 400 ms while 10 senders write 100,000: 0 lost, 0 twice")
  void observerOnABadLine() {
    Member observer = new Member(uri, DevTokens.of("observer"), room);
    Awaitility.await().until(observer::joined);
    ScheduledExecutorService cutter = Executors.newSingleThreadScheduledExecutor();
    var cutting = cutter.scheduleAtFixedRate(observer::cut, CUT_MS, CUT_MS, TimeUnit.MILLISECONDS);
    List<Member> senders = new ArrayList<>();
    for (int s = 0; s < SENDERS; s++) {
      Member sender = new Member(uri, DevTokens.of("sender-" + s), room);
      senders.add(sender);
      for (int i = 0; i < EACH; i++) {
        sender.send("k" + i, "text " + i);
      }
    }
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .until(
            () -> senders.stream().allMatch(Member::settled) && observer.after() == SENDERS * EACH);
    cutting.cancel(true);
    cutter.shutdownNow();
    observer.close();
    senders.forEach(Member::close);

    LOG.infof("the observer resumed %d times", observer.resumes());
    assertTrue(observer.resumes() >= 10, "resumes: " + observer.resumes());
    assertEquals(List.of(), observer.wrongs());
    assertEquals(SENDERS * EACH, observer.view().size());
    assertEquals(SENDERS * EACH, new HashSet<>(observer.view().values()).size());
    for (Member sender : senders) {
      assertEquals(List.of(), sender.wrongs());
      assertInOrder(sender);
    }
  }

  /** N2: a sender's commands have rising numbers in the order in which it sent them. */
  private static void assertInOrder(Member sender) {
    long last = 0;
    var acks = sender.acks();
    for (int i = 0; i < EACH; i++) {
      long seq = acks.get("k" + i).path("seq").asLong();
      assertTrue(seq > last, "k" + i + " has " + seq + " after " + last);
      last = seq;
    }
  }
}
