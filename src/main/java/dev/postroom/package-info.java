/**
 * Postroom: rooms over WebSocket and HTTP on PostgreSQL, where every command is accepted once.
 *
 * <p>To follow one message from the socket to the disk and back, start at {@link
 * dev.postroom.session} and read on in this order:
 *
 * <ol>
 *   <li>{@code session} – one socket: frames in order and bounded, answers through one mailbox
 *   <li>{@code http} – the same commands and pages as HTTP resources
 *   <li>{@code protocol} – the frames, and the one codec between them and text
 *   <li>{@code access} – who acts, and what they may do in a room
 *   <li>{@code accept} – a command becomes a message, once; one transaction for many commands
 *   <li>{@code fanout} – committed messages to the room's subscribers, on this node and others
 *   <li>{@code outbox} – what was accepted on its way out: lanes, leases, the relay
 *   <li>{@code sink} – where it goes: envelopes and webhooks
 *   <li>{@code inbound} – events of other systems, and which message each of them is
 *   <li>{@code faults} – bad weather on order, for the tests of your own page
 *   <li>{@code room} – rooms, their epochs and the log of their messages
 *   <li>{@code db} – statements with a deadline, and what their failures mean
 *   <li>{@code boot} – before Quarkus: the configured database, and what to say when it will not do
 *   <li>{@code embedded} – the PostgreSQL that the default run brings along
 *   <li>{@code ops} – health and the audit; looks at everyone, imported by nobody
 * </ol>
 *
 * <p>{@code Main} stands outside: it picks the database, then starts Quarkus.
 *
 * <h2>Who may import whom</h2>
 *
 * Rows import columns. {@code ImportTableTest} reads this very table: change it together with the
 * code, and say why in the commit.
 *
 * <pre>
 * |          | protocol | db | room | access | fanout | outbox | accept | faults | session | http | sink | inbound | boot | embedded |
 * | -------- | :------: | :-: | :-: | :----: | :----: | :----: | :----: | :----: | :-----: | :--: | :--: | :-----: | :--: | :------: |
 * | protocol |    .     |    |      |        |        |        |        |        |         |      |      |         |      |          |
 * | db       |    x     | .  |      |        |        |        |        |        |         |      |      |         |      |          |
 * | room     |    x     | x  |  .   |        |        |        |        |        |         |      |      |         |      |          |
 * | access   |    x     | x  |  x   |   .    |        |        |        |        |         |      |      |         |      |          |
 * | fanout   |    x     | x  |  x   |        |   .    |        |        |        |         |      |      |         |      |          |
 * | outbox   |          | x  |  x   |        |        |   .    |        |        |         |      |      |         |      |          |
 * | accept   |    x     | x  |  x   |   x    |   x    |   x    |   .    |        |         |      |      |         |      |          |
 * | faults   |          |    |  x   |        |        |        |        |   .    |         |      |      |         |      |          |
 * | session  |    x     | x  |  x   |   x    |   x    |        |   x    |   x    |    .    |      |      |         |      |          |
 * | http     |    x     | x  |  x   |   x    |        |   x    |   x    |   x    |         |  .   |  x   |    x    |      |          |
 * | sink     |          |    |  x   |        |        |   x    |        |        |         |      |  .   |         |      |          |
 * | inbound  |          |    |  x   |   x    |        |        |   x    |        |         |      |  x   |    .    |      |          |
 * | boot     |          |    |      |        |        |        |        |        |         |      |      |         |  .   |          |
 * | embedded |          |    |      |        |        |        |        |        |         |      |      |         |  x   |    .     |
 * | ops      |    x     | x  |  x   |   x    |   x    |   x    |        |        |    x    |  x   |      |         |      |          |
 * </pre>
 *
 * <p>Some libraries have a place, and stay in it:
 *
 * <pre>
 * io.quarkus.websockets.next   session, access.UpgradeGate
 * com.fasterxml.jackson        protocol.FrameCodec, protocol.FrameReader, protocol.FrameWriter, http.Problems, http.StrictJson, sink.Envelope,
 *                              inbound.CloudEvent, inbound.EventReader, inbound.Template
 * io.vertx.pgclient            db, fanout.PgRoomFeed
 * io.vertx.sqlclient           db, room.Epochs, room.Rooms, room.RoomSummaries, room.MessageLog, access.DevelopmentIssuer,
 *                              access.Members, access.RoomDirectory, accept.Ledger,
 *                              accept.RoomChanges, accept.Purge, fanout.PgRoomFeed, outbox, ops.Audit
 * io.vertx.mutiny              db
 * java.sql                     boot
 * jakarta.ws.rs                http, ops.AuditResource
 * </pre>
 *
 * <p>A class whose comment says "Pure:" or "pure." decides and does nothing else: it imports
 * neither Quarkus nor Vert.x nor Mutiny.
 */
@NullMarked
package dev.postroom;

import org.jspecify.annotations.NullMarked;
