package dev.postroom.bench.relay;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postroom.bench.Bed;
import dev.postroom.bench.Started;
import dev.postroom.bench.host.Database;
import dev.postroom.bench.host.ProcessTree;
import dev.postroom.bench.peer.PostroomPeer;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Postroom's relay with one webhook sink for all rooms, all bounds at their defaults. */
final class PostroomOutlet implements Outlet {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The receiver is on loopback, and a signing secret needs a key. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "POSTROOM_WEBHOOK_ALLOW", "127.0.0.0/8",
          "POSTROOM_SECRETS_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");

  /** Messages as the accept transaction leaves them, so many more in every room. */
  private static final String FILL =
      """
      WITH bumped AS (
        UPDATE room SET head = head + %1$d RETURNING no, head - %1$d AS old
      ), rung AS (
        INSERT INTO outbox (room_no, first_seq, last_seq)
        SELECT no, old + 1, old + %1$d FROM bumped
      )
      INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                           lineage, hash_rule, content_hash, text, accepted_at)
      SELECT no, old + n, gen_random_uuid(), 'ann', 'k' || (old + n), 'Ann',
             (SELECT max(no) FROM lineage), 1, '\\x00', repeat('x', %2$d), now()
        FROM bumped, generate_series(1, %1$d) n
      """;

  private final Started service;
  private final Database database;
  private final Calls calls;
  private final String sink;

  private PostroomOutlet(Started service, Database database, Calls calls, String sink) {
    this.service = service;
    this.database = database;
    this.calls = calls;
    this.sink = sink;
  }

  static Outlet start(Bed bed, String receiver) throws IOException, InterruptedException {
    Started service = PostroomPeer.start(bed.database(), bed.bench(), SETTINGS);
    Calls calls = new Calls(service.port());
    String token = calls.post("/dev/tokens", "{\"participant\":\"operator\",\"admin\":true}");
    calls.authorize(JSON.readTree(token).path("token").asText());
    String sink =
        calls.post(
            "/api/sinks",
            "{\"type\":\"webhook\",\"name\":\"bench\",\"url\":\"%s\",\"rooms\":[\"*\"]}"
                .formatted(receiver));
    String id = JSON.readTree(sink).path("id").asText();
    PostroomOutlet outlet = new PostroomOutlet(service, bed.database(), calls, id);
    outlet.rest();
    return outlet;
  }

  @Override
  public void fill(int events, int rooms, int bytes) throws Exception {
    if (database.value("SELECT count(*) FROM room").equals("0")) {
      database.execute(
          "INSERT INTO room (id, nonce) SELECT 'r' || n, 7 FROM generate_series(1, %d) n"
              .formatted(rooms));
    }
    database.execute(FILL.formatted(events / rooms, bytes));
    database.execute("VACUUM ANALYZE");
    while (!database.value("SELECT count(*) FROM outbox").equals("0")) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  @Override
  public void drain() throws Exception {
    calls.post("/api/sinks/" + sink + "/resume", "{}");
  }

  @Override
  public void rest() throws IOException, InterruptedException {
    calls.post("/api/sinks/" + sink + "/pause", "{}");
  }

  @Override
  public String unfinished() {
    return "SELECT count(*) FROM lane WHERE next_seq <= known_seq OR state <> 'idle'";
  }

  @Override
  public ProcessTree processes() {
    return service.process().processes();
  }

  @Override
  public Map<String, String> settings() {
    return service.settings();
  }

  @Override
  public void close() {
    service.close();
  }
}
