package dev.postroom.figures;

import dev.postroom.testkit.EmbeddedPg;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the ways of keeping an outbox cost (ADR 0005): the transaction that accepts, the delivery,
 * and the look for work after 300,000 delivered events while an old snapshot is held open. Run by
 * hand; the ways take turns, so that they share whatever else the machine does.
 */
public final class OutboxWays {
  private static final int ROOMS = Integer.getInteger("postroom.ways.rooms", 10_000);
  private static final int BATCH = 50;
  private static final int ROUNDS = 7;
  private static final int DELIVERED = 300_000;

  private OutboxWays() {}

  public static void main(String... arguments) throws SQLException {
    Map<String, Way> ways = new LinkedHashMap<>();
    ways.put("none", new Way("SELECT 1", "SELECT 1", "", "", "SELECT 1"));
    ways.put(
        "row per message, marked",
        new Way(
            "CREATE TABLE outbox (no bigint GENERATED ALWAYS AS IDENTITY, room_no bigint, seq bigint,"
                + " sent_at timestamptz); CREATE INDEX ON outbox (no) WHERE sent_at IS NULL",
            "INSERT INTO outbox (room_no, seq) SELECT room_no, seq FROM stored RETURNING 1",
            "UPDATE outbox SET sent_at = now() WHERE no IN"
                + " (SELECT no FROM outbox WHERE sent_at IS NULL ORDER BY no LIMIT 1000)",
            "",
            "SELECT no FROM outbox WHERE sent_at IS NULL ORDER BY no LIMIT 100"));
    ways.put(
        "row per message, deleted",
        new Way(
            "CREATE TABLE outbox (no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                + " room_no bigint, seq bigint)",
            "INSERT INTO outbox (room_no, seq) SELECT room_no, seq FROM stored RETURNING 1",
            "DELETE FROM outbox WHERE no IN (SELECT no FROM outbox ORDER BY no LIMIT 1000)",
            "",
            "SELECT no FROM outbox ORDER BY no LIMIT 100"));
    ways.put("lane written by accept, 1 sink", laneByAccept(1));
    ways.put("lane written by accept, 3 sinks", laneByAccept(3));
    ways.put(
        "row per room and transaction, rung into a lane, 1 sink",
        new Way(
            LANE
                + "CREATE TABLE outbox (no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                + " room_no bigint, first_seq bigint, last_seq bigint)",
            "INSERT INTO outbox (room_no, first_seq, last_seq)"
                + " SELECT room_no, min(seq), max(seq) FROM stored GROUP BY room_no RETURNING 1",
            """
            WITH rung AS MATERIALIZED (
              DELETE FROM outbox WHERE no = ANY (ARRAY(
                SELECT no FROM outbox WHERE no > (SELECT low FROM water) ORDER BY no LIMIT 1000))
              RETURNING no, room_no, last_seq),
            heads AS (SELECT room_no, max(last_seq) AS known FROM rung GROUP BY room_no),
            wet AS (UPDATE water SET low = (SELECT max(no) FROM rung)
                     WHERE EXISTS (SELECT 1 FROM rung))
            INSERT INTO lane SELECT 1, room_no, 1, known, 'ready', now() FROM heads ORDER BY room_no
            ON CONFLICT (sink_no, room_no) DO UPDATE
               SET known_seq = excluded.known_seq, state = 'ready', due_at = excluded.due_at
            """,
            """
            WITH due AS MATERIALIZED (SELECT room_no FROM lane
              WHERE sink_no = 1 AND due_at <= now() AND due_at >= now() - interval '30 s'
              ORDER BY due_at LIMIT 1000 FOR UPDATE SKIP LOCKED)
            UPDATE lane SET next_seq = known_seq + 1, state = 'idle', due_at = NULL
             WHERE sink_no = 1 AND room_no = ANY (ARRAY(SELECT room_no FROM due))
            """,
            "SELECT (SELECT no FROM outbox WHERE no > (SELECT low FROM water) ORDER BY no LIMIT 1),"
                + " EXISTS (SELECT 1 FROM lane WHERE sink_no = 1 AND due_at <= now()"
                + " AND due_at >= now() - interval '1 s')"));
    Map<String, Bench> benches = new LinkedHashMap<>();
    for (Map.Entry<String, Way> way : ways.entrySet()) {
      benches.put(way.getKey(), new Bench(way.getValue()));
    }
    System.out.println(
        "| way | accept: µs/message, 50 rooms | WAL B/message | µs, one room | WAL |");
    for (int round = 0; round < ROUNDS; round++) {
      for (Bench bench : benches.values()) {
        bench.accept(true);
        bench.accept(false);
      }
    }
    for (Map.Entry<String, Bench> each : benches.entrySet()) {
      Bench bench = each.getValue();
      System.out.printf(
          "| %s | %.1f | %d | %.1f | %d |%n",
          each.getKey(),
          bench.wide.micros(),
          bench.wide.wal(),
          bench.hot.micros(),
          bench.hot.wal());
    }
    System.out.println(
        "| way | deliver 300,000 of 10,000 rooms: WAL B/event | look: ms | buffers |");
    for (Map.Entry<String, Bench> each : benches.entrySet()) {
      if (!each.getKey().equals("none")) {
        System.out.printf("| %s | %s |%n", each.getKey(), each.getValue().deliver());
      }
    }
  }

  private static final String LANE =
      """
      CREATE TABLE lane (sink_no integer, room_no bigint, next_seq bigint, known_seq bigint,
        state text, due_at timestamptz, PRIMARY KEY (sink_no, room_no)) WITH (fillfactor = 50);
      CREATE INDEX ON lane (sink_no, due_at) WHERE due_at IS NOT NULL;
      """;

  private static Way laneByAccept(int sinks) {
    return new Way(
        LANE,
        """
        INSERT INTO lane SELECT s, room_no, 1, max(seq), 'ready', now()
          FROM stored, generate_series(1, %d) s GROUP BY s, room_no ORDER BY s, room_no
        ON CONFLICT (sink_no, room_no) DO UPDATE
           SET known_seq = excluded.known_seq, state = 'ready', due_at = excluded.due_at
        RETURNING 1
        """
            .formatted(sinks),
        """
        WITH due AS MATERIALIZED (SELECT sink_no, room_no FROM lane
          WHERE due_at <= now() AND sink_no = 1 ORDER BY due_at LIMIT 1000 FOR UPDATE SKIP LOCKED)
        UPDATE lane SET next_seq = known_seq + 1, state = 'idle', due_at = NULL FROM due
         WHERE lane.sink_no = due.sink_no AND lane.room_no = due.room_no
        """,
        "",
        "SELECT EXISTS (SELECT 1 FROM lane WHERE sink_no = 1 AND due_at <= now()"
            + " AND due_at >= now() - interval '1 s')");
  }

  /** The SQL of one way. */
  private record Way(String schema, String bell, String deliver, String deliver2, String look) {}

  /** One way in a database of its own. */
  private static final class Bench {
    private final Way way;
    private final EmbeddedPg.Database database = EmbeddedPg.emptyDatabase();
    private final Connection connection;
    private final Figures wide = new Figures();
    private final Figures hot = new Figures();
    private int key;

    Bench(Way way) throws SQLException {
      this.way = way;
      this.connection = database.connect();
      execute(
          """
          CREATE TABLE room (no bigint PRIMARY KEY, head bigint NOT NULL DEFAULT 0)
            WITH (fillfactor = 50);
          CREATE TABLE message (room_no bigint, seq bigint, who text, key text, text text,
            PRIMARY KEY (room_no, seq), UNIQUE (room_no, who, key));
          CREATE TABLE water (low bigint); INSERT INTO water VALUES (0);
          INSERT INTO room SELECT n FROM generate_series(1, %d) n;
          """
              .formatted(ROOMS));
      execute(way.schema);
    }

    private String accept(String rooms, int perRoom) {
      return """
      WITH grown AS (UPDATE room SET head = head + %2$d WHERE no IN (%1$s) RETURNING no, head),
      stored AS (INSERT INTO message SELECT no, head - n, 'ann', 'k%3$d-' || n, repeat('x', 100)
                   FROM grown, generate_series(0, %2$d - 1) n RETURNING room_no, seq)
      %4$s
      """
          .formatted(rooms, perRoom, key++, way.bell);
    }

    void accept(boolean many) throws SQLException {
      long wal = wal();
      long start = System.nanoTime();
      int transactions = 200;
      for (int i = 0; i < transactions; i++) {
        int first = 1 + i * BATCH % ROOMS;
        execute(
            many
                ? accept("SELECT generate_series(" + first + "," + (first + BATCH - 1) + ")", 1)
                : accept("" + (1 + i % ROOMS), BATCH));
      }
      Figures figures = many ? wide : hot;
      figures.add((System.nanoTime() - start) / 1e3 / transactions / BATCH);
      figures.wal = (wal() - wal) / transactions / BATCH;
    }

    /** 300,000 events accepted and delivered, with a snapshot from before held open. */
    String deliver() throws SQLException {
      drain();
      execute("VACUUM");
      try (Connection old = database.connect();
          Statement reader = old.createStatement()) {
        old.setAutoCommit(false);
        old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        reader.executeQuery("SELECT count(*) FROM room").close();
        long delivery = 0;
        for (int done = 0; done < DELIVERED; done += 1_000) {
          int first = 1 + done % ROOMS;
          execute(accept("SELECT generate_series(" + first + ", " + (first + 999) + ")", 1));
          long before = wal();
          drain();
          delivery += wal() - before;
        }
        execute("VACUUM");
        execute("SELECT pg_sleep(1.5)");
        String look = look();
        old.rollback();
        return "%d | %s".formatted(delivery / DELIVERED, look);
      }
    }

    private void drain() throws SQLException {
      while (update(way.deliver) > 0) {
        // until nothing is left
      }
      while (!way.deliver2.isEmpty() && update(way.deliver2) > 0) {
        // until nothing is left
      }
    }

    private String look() throws SQLException {
      List<Double> times = new ArrayList<>();
      String buffers = "";
      for (int i = 0; i < 21; i++) {
        try (Statement statement = connection.createStatement();
            ResultSet rows =
                statement.executeQuery("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + way.look)) {
          rows.next();
          String plan = rows.getString(1);
          times.add(after(plan, "\"Execution Time\": "));
          buffers = (long) after(plan, "\"Shared Hit Blocks\": ") + "";
        }
      }
      Collections.sort(times);
      return "%.2f | %s".formatted(times.get(times.size() / 2), buffers);
    }

    private static double after(String plan, String label) {
      int begin = plan.indexOf(label) + label.length();
      int end = begin;
      while ("0123456789.".indexOf(plan.charAt(end)) >= 0) {
        end++;
      }
      return Double.parseDouble(plan.substring(begin, end));
    }

    private long wal() throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet rows =
              statement.executeQuery("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) {
        rows.next();
        return rows.getLong(1);
      }
    }

    private void execute(String sql) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }

    private int update(String sql) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        return statement.executeUpdate(sql);
      }
    }
  }

  /** Median time and last count. */
  private static final class Figures {
    private final List<Double> micros = new ArrayList<>();
    private long wal;

    void add(double value) {
      micros.add(value);
    }

    double micros() {
      Collections.sort(micros);
      return micros.get(micros.size() / 2);
    }

    long wal() {
      return wal;
    }
  }
}
