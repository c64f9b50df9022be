package dev.postroom.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;

/**
 * Stops what a node writes about its lanes inside the database, at a statement of the test's
 * choice: it waits until the gate is opened, or fails. So a test has a node exactly where it wants
 * it, and nothing of the node's is changed for it.
 *
 * <p>A row of {@code gate} is a closed one; a sequence counts who got there, which no rollback
 * takes back. Safe for any thread.
 */
public final class LaneGate {

  /** A statement about a lane. */
  public enum Step {
    /** Before a claim has changed anything. */
    CLAIM("BEFORE", "NEW.token > OLD.token AND NEW.state = 'leased'"),
    /** A claim has changed the lane; its node has not been told. */
    CLAIMED("AFTER", "NEW.token > OLD.token AND NEW.state = 'leased'"),
    /** Before events are marked. */
    MARK("BEFORE", "NEW.next_seq > OLD.next_seq"),
    /** Before a lease is renewed. */
    RENEW(
        "BEFORE",
        "NEW.token = OLD.token AND NEW.state = 'leased' AND OLD.state = 'leased'"
            + " AND NEW.due_at > OLD.due_at"),
    /** Before a lane is parked. */
    PARK("BEFORE", "NEW.state = 'parked' AND OLD.state <> 'parked'");

    private final String time;
    private final String condition;

    Step(String time, String condition) {
      this.time = time;
      this.condition = condition;
    }
  }

  private static final String FUNCTION =
      """
      CREATE TABLE gate (step text PRIMARY KEY, throwing integer);
      CREATE SEQUENCE gate_reached;
      CREATE FUNCTION at_gate() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
      DECLARE most integer;
      BEGIN
        SELECT coalesce(throwing, 0) INTO most FROM gate WHERE step = TG_ARGV[0];
        IF NOT FOUND THEN RETURN NEW; END IF;
        IF nextval('gate_reached') <= most THEN
          RAISE EXCEPTION 'thrown by the test at %', TG_ARGV[0];
        END IF;
        WHILE most = 0 AND EXISTS (SELECT 1 FROM gate WHERE step = TG_ARGV[0]) LOOP
          PERFORM pg_sleep(0.01);
        END LOOP;
        RETURN NEW;
      END $$;
      """;

  private final EmbeddedPg.Database database;

  /** In this database, whose schema must be there. */
  public LaneGate(EmbeddedPg.Database database) {
    this.database = database;
    database.execute(FUNCTION);
    for (Step step : Step.values()) {
      database.execute(
          "CREATE TRIGGER gate_%1$s %2$s UPDATE ON lane FOR EACH ROW WHEN (%3$s)"
                  .formatted(step.name(), step.time, step.condition)
              + " EXECUTE FUNCTION at_gate('%s')".formatted(step.name()));
    }
  }

  /** From now on who comes there waits, up to the statement's own timeout. */
  public void close(Step step) {
    shut(step, "NULL");
  }

  /** The next {@code times} who come there fail; all later ones pass. */
  public void fail(Step step, int times) {
    shut(step, Integer.toString(times));
  }

  private void shut(Step step, String times) {
    database.execute(
        "SELECT setval('gate_reached', 1, false); INSERT INTO gate VALUES ('%s', %s)"
            .formatted(step.name(), times));
  }

  /** Everybody passes. */
  public void open() {
    database.execute("DELETE FROM gate");
  }

  /** Returns when so many have come to the closed gate. */
  public void awaitReached(int times) {
    Awaitility.await("somebody at the gate")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                database.number(
                        "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM gate_reached")
                    >= times);
  }

  /** Ends the connections of those who wait there: what they wrote is rolled back. */
  public void cut() {
    database.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND wait_event = 'PgSleep'");
  }
}
