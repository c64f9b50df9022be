package dev.postroom.bench.limit;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one pgbench client does over and over: makes up a batch of commands, and has them stored in
 * one transaction. What stays the same is made once per client; only the keys are made anew, by a
 * statement of their own, as the service makes them outside the database.
 *
 * @param batch commands in one transaction
 * @param statements what stores them
 */
record Script(int batch, int textBytes, String statements) {

  /** Rooms that exist: {@code r0}, {@code r1} … */
  static final int ROOMS = 100;

  /** As many as the service has lanes by default. */
  static final int CLIENTS = 4;

  /** As the service does: one trip for all of a transaction. */
  static Script accept(AcceptSql sql, int batch, int textBytes) {
    String transaction =
        Stream.of(
                sql.begin().stream(),
                Stream.of(AcceptSql.forPgbench(sql.lock()), AcceptSql.forPgbench(sql.accept())),
                Stream.of("COMMIT"))
            .flatMap(statements -> statements)
            .map(statement -> statement + ";\n")
            .collect(Collectors.joining());
    return new Script(batch, textBytes, "\\startpipeline\n" + transaction + "\\endpipeline\n");
  }

  /** Rows of the same shape into the same indexes, without a look, a lock or a head. */
  static Script insert(int batch, int textBytes) {
    return new Script(
        batch,
        textBytes,
        """
        INSERT INTO bare_message (room_no, seq, message_id, participant, client_message_id,
                                  author_name, lineage, hash_rule, content_hash, text, accepted_at)
        SELECT :client_id::bigint, :n::bigint * :batch + i.no, i.id, i.participant, i.key,
               i.name, 1, :rule, i.hash, i.text, statement_timestamp()
          FROM unnest(:participants::text[], :keys::text[], :names::text[], :ids::uuid[],
                      :hashes::bytea[], :texts::text[]) WITH ORDINALITY
                   AS i (participant, key, name, id, hash, text, no);
        """);
  }

  /** Nothing but making up the batch: what that costs. */
  static Script inputs(int batch, int textBytes) {
    return new Script(batch, textBytes, "");
  }

  /**
   * In pgbench's own language. A client's rooms are its own, as a lane's are.
   *
   * @param first where {@code n}, the batch's number, begins
   */
  String text(long first) {
    return """
        \\set batch %d
        \\set rule 1
        \\if :n = %d
        SELECT array_agg('r' || ((g - 1) %% %d * %d + :client_id))::text AS rooms,
               array_agg('p' || ((g - 1) %% 50 * %d + :client_id))::text AS participants,
               array_agg('Ann'::text)::text AS names,
               array_agg(gen_random_uuid())::text AS ids,
               array_agg(sha256(g::text::bytea))::text AS hashes,
               array_agg(repeat('x', %d))::text AS texts,
               array_agg(NULL::bigint)::text AS heads
          FROM generate_series(1, :batch) g \\gset
        \\endif
        \\set n :n + 1
        SELECT array_agg('k' || :n::text || '-' || g)::text AS keys
          FROM generate_series(1, :batch) g \\gset
        %s"""
        .formatted(batch, first, ROOMS / CLIENTS, CLIENTS, CLIENTS, textBytes, statements);
  }
}
