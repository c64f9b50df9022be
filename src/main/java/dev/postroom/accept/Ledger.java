package dev.postroom.accept;

import dev.postroom.db.Db;
import dev.postroom.room.Epochs;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import dev.postroom.room.Rooms;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Insert or return, for many commands in one transaction: the SQL of accepting (ADR 0002).
 *
 * <p>Two statements. The first locks the rooms that will get a number, in the order of their
 * numbers. The second, which therefore sees everything that was committed under those locks, looks
 * the keys up, and for those not found hands out the room's next numbers, writes the messages, the
 * rooms' heads and the outbox (A4). Repeats take no lock and write nothing (A2). Should a key slip
 * in all the same, the UNIQUE constraint fails the whole transaction (A1).
 *
 * <p>The caller guarantees: a key occurs once, and a command with {@code ifHead} is the first of
 * its room. Safe for any thread.
 */
@ApplicationScoped
class Ledger {

  /**
   * The subqueries with LIMIT stay nested loops over an index, whatever the planner believes about
   * the size of the tables.
   */
  static final String LOCK =
      """
      WITH input AS MATERIALIZED (
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
                   AS i (room, participant, client_message_id)
      )
      SELECT room.no
        FROM room
       -- Not "IS NULL", which would offer to read all of the index of open rooms.
       WHERE coalesce(room.closed_at, 'infinity') = 'infinity'
         AND room.no = ANY (ARRAY(
               SELECT r.no
                 FROM input i
                CROSS JOIN LATERAL (
                      SELECT no FROM room
                       WHERE room.id = i.room AND room.closed_at IS NULL LIMIT 1) r
                 LEFT JOIN LATERAL (
                      SELECT 1 AS one FROM message
                       WHERE message.room_no = r.no
                         AND message.participant = i.participant
                         AND message.client_message_id = i.client_message_id LIMIT 1) m ON true
                WHERE m.one IS NULL))
       ORDER BY room.no
         FOR NO KEY UPDATE
      """;

  static final String ACCEPT =
      """
      WITH input AS MATERIALIZED (
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::uuid[],
                             $6::bytea[], $7::text[], $8::bigint[]) WITH ORDINALITY
                   AS i (room, participant, client_message_id, author_name, message_id,
                         content_hash, text, if_head, n)
      ), history AS MATERIALIZED (
        SELECT no, mark FROM lineage ORDER BY no DESC LIMIT 1
      ), seen AS MATERIALIZED (
        SELECT i.*, r.no AS room_no, r.nonce, r.head, r.title, r.kept_from, r.rights,
               m.seq AS first_seq, m.message_id AS first_id, m.author_name AS first_name,
               m.accepted_at AS first_at, m.hash_rule AS first_rule, m.content_hash AS first_hash,
               m.mark AS first_mark,
               r.no IS NOT NULL AND m.seq IS NULL
                 AND (i.if_head IS NULL OR i.if_head = r.head) AS fresh
          FROM input i
          LEFT JOIN LATERAL (
               SELECT no, nonce, head, title, kept_from, rights FROM room
                WHERE room.id = i.room AND room.closed_at IS NULL LIMIT 1) r ON true
          LEFT JOIN LATERAL (
               SELECT message.seq, message.message_id, message.author_name, message.accepted_at,
                      message.hash_rule, message.content_hash,
                      (SELECT mark FROM lineage WHERE lineage.no = message.lineage) AS mark
                 FROM message
                WHERE message.room_no = r.no
                  AND message.participant = i.participant
                  AND message.client_message_id = i.client_message_id LIMIT 1) m ON true
      ), numbered AS MATERIALIZED (
        SELECT seen.*,
               head + row_number() OVER (PARTITION BY room_no, fresh ORDER BY n) AS next_seq,
               count(*) FILTER (WHERE fresh) OVER (PARTITION BY room_no) AS added
          FROM seen
      ), bumped AS (
        UPDATE room SET head = room.head + grown.added
          FROM (SELECT DISTINCT room_no, added FROM numbered WHERE fresh) grown
         WHERE room.no = grown.room_no
           -- Says nothing new, but leaves no plan that reads every room.
           AND room.no = ANY (ARRAY(SELECT room_no FROM numbered WHERE fresh))
      ), stored AS (
        INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                             lineage, hash_rule, content_hash, text, accepted_at)
        SELECT room_no, next_seq, message_id, participant, client_message_id, author_name,
               history.no, $9, content_hash, text, statement_timestamp()
          FROM numbered, history
         WHERE fresh
         ORDER BY n
      ), rung AS (
        INSERT INTO outbox (room_no, first_seq, last_seq)
        SELECT DISTINCT room_no, head + 1, head + added FROM numbered WHERE fresh
      )
      SELECT room_no, nonce, title, kept_from, rights, history.mark,
             -- What is stale is told the head that it was compared with.
             head + CASE WHEN fresh OR first_seq IS NOT NULL THEN added ELSE 0 END AS head,
             CASE WHEN fresh THEN next_seq ELSE first_seq END AS seq,
             CASE WHEN fresh THEN message_id ELSE first_id END AS message_id,
             CASE WHEN fresh THEN author_name ELSE first_name END AS author_name,
             CASE WHEN fresh THEN statement_timestamp() ELSE first_at END AS accepted_at,
             CASE WHEN fresh THEN $9 ELSE first_rule END AS hash_rule,
             CASE WHEN fresh THEN content_hash ELSE first_hash END AS content_hash,
             CASE WHEN fresh THEN history.mark ELSE first_mark END AS message_mark
        FROM numbered, history
       ORDER BY n
      """;

  private static final String FREE =
      """
      SELECT id FROM room WHERE id = ANY ($1) AND closed_at IS NULL
       ORDER BY no FOR NO KEY UPDATE""";

  private static final Db.Statement SHORT_WAIT =
      new Db.Statement("SELECT set_config('lock_timeout', '100ms', true)", Tuple.tuple());

  private final Db db;

  Ledger(Db db) {
    this.db = db;
  }

  /**
   * One entry a command, in the same order. A failure that is not an unknown outcome means that
   * nothing was stored.
   *
   * @param missing rooms to make first
   */
  Future<List<Entry>> write(List<Command> commands, Collection<RoomId> missing) {
    List<Db.Statement> statements = new ArrayList<>(3);
    if (!missing.isEmpty()) {
      statements.add(Rooms.creation(missing));
    }
    statements.add(lock(commands));
    statements.add(accept(commands));
    return db.transaction(statements.toArray(Db.Statement[]::new))
        .map(rows -> entries(commands, rows));
  }

  /**
   * Those of the rooms that nobody holds. Another node that is merely writing in one lets go of it
   * within a short wait; only if somebody does not, are those free that are so at this moment.
   */
  Future<Set<String>> free(Collection<String> rooms) {
    Tuple names = Tuple.of(rooms.toArray(String[]::new));
    return db.transaction(SHORT_WAIT, new Db.Statement(FREE, names))
        .recover(held -> db.transaction(new Db.Statement(FREE + " SKIP LOCKED", names)))
        .map(
            rows -> {
              Set<String> free = new HashSet<>();
              rows.forEach(row -> free.add(row.getString("id")));
              return free;
            });
  }

  static Db.Statement lock(List<Command> commands) {
    return new Db.Statement(
        LOCK,
        Tuple.of(
            strings(commands, Command::room),
            strings(commands, command -> command.submission().principal().participant()),
            strings(commands, command -> command.submission().clientMessageId())));
  }

  static Db.Statement accept(List<Command> commands) {
    return new Db.Statement(
        ACCEPT,
        Tuple.tuple()
            .addArrayOfString(strings(commands, Command::room))
            .addArrayOfString(
                strings(commands, command -> command.submission().principal().participant()))
            .addArrayOfString(strings(commands, command -> command.submission().clientMessageId()))
            .addArrayOfString(strings(commands, command -> command.submission().principal().name()))
            .addArrayOfUUID(commands.stream().map(Command::messageId).toArray(UUID[]::new))
            .addArrayOfBuffer(
                commands.stream()
                    .map(command -> Buffer.buffer(command.hash()))
                    .toArray(Buffer[]::new))
            .addArrayOfString(strings(commands, command -> command.submission().text()))
            .addArrayOfLong(
                commands.stream()
                    .map(command -> command.submission().ifHead())
                    .toArray(Long[]::new))
            .addShort(ContentHash.RULE));
  }

  private static String[] strings(List<Command> commands, Function<Command, String> field) {
    return commands.stream().map(field).toArray(String[]::new);
  }

  private static List<Entry> entries(List<Command> commands, RowSet<Row> rows) {
    List<Entry> entries = new ArrayList<>(commands.size());
    for (Row row : rows) {
      entries.add(entry(commands.get(entries.size()), row));
    }
    return entries;
  }

  private static Entry entry(Command command, Row row) {
    Long roomNo = row.getLong("room_no");
    if (roomNo == null) {
      return new Entry.NoRoom();
    }
    int nonce = row.getInteger("nonce");
    Room room =
        new Room(
            roomNo,
            new RoomId(command.room()),
            Epochs.of(nonce, row.getInteger("mark")),
            row.getLong("head"),
            row.getString("title"),
            row.getLong("kept_from"),
            row.getLong("rights"));
    if (row.getLong("seq") == null) {
      return new Entry.Stale(room);
    }
    RoomMessage message =
        new RoomMessage(
            row.getUUID("message_id"),
            Epochs.of(nonce, row.getInteger("message_mark")),
            row.getLong("seq"),
            command.submission().principal().participant(),
            row.getString("author_name"),
            command.submission().clientMessageId(),
            command.submission().text(),
            row.get(OffsetDateTime.class, "accepted_at").toInstant());
    return new Entry.Kept(
        room, message, row.getInteger("hash_rule"), row.getBuffer("content_hash").getBytes());
  }

  /** What the ledger says to one command. */
  sealed interface Entry {

    /** There is a message of this key: just written, or found. */
    record Kept(Room room, RoomMessage message, int hashRule, byte[] contentHash) implements Entry {

      /** Whether it was this very command that made it. */
      boolean isOf(Command command) {
        return message.messageId().equals(command.messageId());
      }
    }

    /** {@code ifHead} was another one than the room's. */
    record Stale(Room room) implements Entry {}

    /** No open room of that name. */
    record NoRoom() implements Entry {}
  }
}
