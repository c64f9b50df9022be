// What went wrong in other clients, by the ids of those cases, where no other file has them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ANN, World, ack, bodies, body, delta, live, refusal, seqs, settle, snapshot, welcome } from "./world.js";

test("REC-02 REC-23 nothing was missed, on whatever node: no reload, and the next one is told", async () => {
  const world = new World();
  const { room } = await world.joined(3);
  const seen = { resets: 0, told: [] };
  room.on("reset", () => seen.resets++);
  room.on("message", ({ seq }) => seen.told.push(seq));
  await world.cut(welcome({ connection: "of another node" }), delta(3));
  assert.deepEqual(world.joins[0].cursor, { epoch: "e1", after: 3 });
  assert.deepEqual([room.state.name, seqs(room)], ["live", [1, 2, 3]]);
  await world.hear(live(4));
  assert.deepEqual(seen, { resets: 0, told: [4] });
});

test("REC-03 the cursor comes with the join: what happened before the first event is not lost", async () => {
  const world = new World();
  const { room } = await world.joined(0);
  await world.cut(welcome(), delta(1, [body(1)]));
  assert.deepEqual(world.joins[0].cursor, { epoch: "e1", after: 0 });
  assert.deepEqual(seqs(room), [1]);
});

test("REC-06 REC-10 only a room's own frames move its cursor, whatever else is said or written", async () => {
  const world = new World();
  const { client, room } = await world.joined(1);
  const errors = [];
  client.on("error", ({ code }) => errors.push(code));
  await world.hear(
    { type: "typing", room: "r", epoch: "e9", after: 999, seq: 999, text: "e9:999" },
    { type: "pong", room: "r", epoch: "e9", after: 999 },
    { ...live(2), room: "s" },
    ack("stranger", 999),
    { ...live(999), epoch: undefined },
    { ...delta(999), epoch: "" },
  );
  assert.deepEqual([room.cursor, errors], [{ epoch: "e1", after: 1 }, ["malformed", "malformed"]]);
  await world.hear(live(body(2, "k", ANN, "e1:999")));
  assert.deepEqual([room.cursor, room.state.name], [{ epoch: "e1", after: 2 }, "live"]);
});

test("REC-11 a room that was made again: its two messages, and none of the 600 of before", async () => {
  const world = new World();
  const { room } = await world.joined();
  await world.hear(snapshot(600, bodies(551, 600), { earlier: true }));
  await world.cut(welcome(), snapshot(2, bodies(1, 2), { epoch: "e2" }));
  assert.deepEqual([seqs(room), room.earlier], [[1, 2], false]);
  await world.hear(live(3, { epoch: "e2" }));
  assert.deepEqual(room.cursor, { epoch: "e2", after: 3 });
});

test("REC-13 every room has its own cursor, and a new epoch reaches each of them", async () => {
  const world = new World();
  const { client } = await world.joined(3);
  const other = client.join("s");
  const ofOther = (frame) => ({ ...frame, room: "s" });
  await world.hear(ofOther(snapshot(7, bodies(1, 7))));
  const e2 = { epoch: "e2" };
  await world.hear(snapshot(2, bodies(1, 2), e2), ofOther(snapshot(6, bodies(1, 6), e2)));
  await world.cut(welcome());
  assert.deepEqual(world.joins.map(({ room, cursor }) => [room, cursor]).sort(), [
    ["r", { epoch: "e2", after: 2 }],
    ["s", { epoch: "e2", after: 6 }],
  ]);
  assert.deepEqual(seqs(other), [1, 2, 3, 4, 5, 6]);
});

test("REC-01 REC-15 nobody has to listen: what is missed is asked for once, and a snapshot mends it", async () => {
  const world = new World();
  const { room } = await world.joined(2);
  await world.hear(live(8), live(9), live(10));
  assert.equal(world.joins.length, 2);
  await world.hear(snapshot(10, bodies(6, 10), { earlier: true }));
  await world.clock.advance(10_000);
  assert.deepEqual([seqs(room), room.earlier, room.state.name], [[6, 7, 8, 9, 10], true, "live"]);
  assert.equal(world.joins.length, 2);
});

test("AUTH-04 a renewal that is refused and a token that ends cost no command", async () => {
  const world = new World();
  const { client, room } = await world.joined();
  const end = new Date(world.clock.now() + 20_000).toISOString();
  await world.hear(welcome({ tokenExpiresAt: end }));
  await world.clock.advance(16_000);
  assert.equal(world.said.at(-1).type, "auth");
  await world.hear(refusal("unauthorized", false, { room: undefined }));
  const command = room.send("hello");
  await settle();
  await world.hear(refusal("unauthorized", false, { clientMessageId: command.id }));
  assert.equal(command.state, "queued");
  await world.close(4401);
  await world.clock.advance(1_000);
  await world.hear(welcome(), delta(0));
  assert.deepEqual([client.state.name, world.sends], ["online", [command.id]]);
});

test("TXT-01 what a database cannot hold is refused before it is sent, by its field", async () => {
  const world = new World();
  const { room } = await world.joined();
  const failures = ["a\u0000b", "\ud800", ""].map((text) => room.send(text).failure);
  await settle();
  assert.deepEqual(failures.map(({ code, field }) => [code, field]), Array(3).fill(["invalid", "text"]));
  assert.deepEqual(world.sends, []);
});

test("TXT-04 a normal close that nobody asked for is a loss: all is sent again", async () => {
  const world = new World();
  const { room } = await world.joined();
  const command = room.send("hello");
  await settle();
  await world.close(1000);
  assert.equal(command.state, "queued");
  await world.clock.advance(1_000);
  await world.hear(welcome(), delta(0));
  assert.deepEqual(world.sends, [command.id]);
});

test("TXT-05 names of rooms by the rule of the protocol, counted in characters that are bytes", async () => {
  const world = new World();
  const client = world.client();
  for (const name of ["a", "A-Z_0.9:", "x".repeat(128)]) {
    assert.equal(client.join(name).name, name);
  }
  for (const name of ["", "x".repeat(129), "a b", "ä", "a/b", "..", "a\n"]) {
    assert.throws(() => client.join(name), { code: "invalid" }, JSON.stringify(name));
  }
});
