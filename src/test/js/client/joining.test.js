// Joining, leaving, being refused, and older messages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { World, bodies, delta, live, refusal, seqs, settle, snapshot, welcome } from "./world.js";

test("who leaves drops cursor and list together, and joins afresh; unsent commands come back", async () => {
  const world = new World();
  const { client, room } = await world.joined();
  const command = room.send("unsent");
  await settle();
  room.on("message", () => room.leave());
  await world.hear(live(1), live(2));
  assert.deepEqual([seqs(room), room.cursor, room.state.name], [[], null, "left"]);
  assert.equal(room.send("too late").failure.code, "not_joined");
  const again = client.join("r");
  assert.notEqual(again, room);
  await world.hear({ type: "left", room: "r", reason: "requested" });
  assert.equal(world.joins[1].cursor, undefined);
  await world.hear(snapshot(2, bodies(1, 2)));
  assert.deepEqual(seqs(again), [1, 2]);
  assert.equal(again.pending[0].id, command.id);
});

test("ACC-18 joining a joined room gives the same one, and no second join", async () => {
  const world = new World();
  const { client, room } = await world.joined();
  assert.equal(client.join("r"), room);
  await settle();
  assert.equal(world.joins.length, 1);
  assert.throws(() => client.join(".."), { code: "invalid" });
});

test("ACC-18 after a reconnect each message is told once", async () => {
  const world = new World();
  const { room } = await world.joined();
  const told = [];
  room.on("message", ({ seq }) => told.push(seq));
  await world.cut(welcome(), delta(1, bodies(1, 1)));
  await world.hear(live(1), live(2), live(2));
  assert.deepEqual(told, [1, 2]);
});

test("AUTH-05 PR-47 removed, closed and refused rooms say so; others do not notice", async () => {
  const world = new World();
  const { client, room } = await world.joined(1);
  await world.hear({ type: "left", room: "r", reason: "removed" });
  assert.deepEqual(room.state, { name: "left", reason: "removed" });
  const other = client.join("s");
  await world.hear({ ...refusal("forbidden", false), room: "s" });
  assert.deepEqual(other.state, { name: "left", reason: "forbidden" });
  assert.deepEqual(client.rooms, []);
});

test("a join that is refused for the moment is tried again after its wait", async () => {
  const world = new World();
  const client = world.client();
  await settle();
  const room = client.join("r");
  await world.hear(welcome(), refusal("unavailable", true, { retryAfterMs: 300 }));
  await world.clock.advance(299);
  assert.equal(world.joins.length, 1);
  await world.clock.advance(1);
  assert.equal(world.joins.length, 2);
  await world.hear(snapshot(0));
  assert.equal(room.state.name, "live");
});

test("R6 earlier messages come by pages; a page of a broken connection or another list is not taken", async () => {
  const world = new World();
  const { room } = await world.joined();
  await world.hear(snapshot(9, bodies(7, 9), { earlier: true }));
  const first = room.loadEarlier(3);
  assert.deepEqual(world.said.at(-1), { type: "history", room: "r", before: 7, limit: 3 });
  const page = { type: "history", room: "r", epoch: "e1", messages: bodies(4, 6), earlier: true };
  await world.hear(page, page);
  assert.ok(await first);
  assert.deepEqual(seqs(room), [4, 5, 6, 7, 8, 9]);
  const broken = room.loadEarlier();
  await world.cut(welcome(), delta(9));
  assert.equal(await broken, false);
  const late = room.loadEarlier();
  await world.hear(snapshot(9, bodies(8, 9), { earlier: true }));
  await world.hear({ ...page, messages: bodies(1, 3), earlier: false });
  assert.equal(await late, false);
  assert.deepEqual(seqs(room), [8, 9]);
});

test("PR-12 what belongs to the time before a leave is no answer to the next join", async () => {
  const world = new World();
  const client = world.client();
  await settle();
  client.join("r").leave();
  assert.deepEqual(world.sockets[0].said, [], "nothing to leave yet");
  client.join("r");
  await world.hear(welcome());
  client.rooms[0].leave();
  const room = client.join("r");
  assert.deepEqual(world.said.map(({ type }) => type), ["join", "leave", "join"]);
  await world.hear(refusal("unavailable", true), refusal("not_joined", false), snapshot(1, bodies(1, 1)));
  assert.deepEqual([seqs(room), room.state.name, world.joins.length], [[1], "live", 2]);
  room.leave();
  const again = client.join("r");
  await world.hear(live(2), snapshot(9, bodies(9, 9)), { type: "left", room: "r", reason: "requested" });
  assert.deepEqual([again.cursor, again.state.name], [null, "joining"]);
  await world.hear(snapshot(2, bodies(1, 2)));
  assert.deepEqual(seqs(again), [1, 2]);
});

test("PR-12 PR-35 of a room that was lost, each page of history is refused, and then the leave", async () => {
  const world = new World();
  const { client, room } = await world.joined();
  await world.hear(snapshot(9, bodies(9, 9), { earlier: true }));
  room.loadEarlier();
  room.leave();
  const again = client.join("r");
  const refused = refusal("not_joined", false);
  await world.hear(refused, snapshot(9, bodies(9, 9)), refused, snapshot(1, bodies(1, 1)));
  assert.deepEqual([seqs(again), world.joins.length], [[1], 2]);
});

test("R1 a delta that ends before its cursor is a hole, too", async () => {
  const world = new World();
  const { room } = await world.joined(3);
  await world.cut(welcome(), delta(6, bodies(4, 5)));
  assert.deepEqual([seqs(room), room.state.name], [[1, 2, 3, 4, 5], "joining"]);
  assert.equal(world.joins[1].cursor, undefined);
});
