// A room of a client, by what the page sees and what the socket is told.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage } from "../../../main/resources/META-INF/resources/client/index.js";
import {
  ANN, LIMITS, Locks, World, ack, bodies, body, delta, live, refusal, seqs, settle, snapshot, welcome,
} from "./world.js";

const own = (seq, id, text) => body(seq, id, ANN, text);

test("ACC-17 ack, live event and replay in all six orders: one bubble, and the store is empty", async () => {
  const orders = ["aer", "are", "ear", "era", "rae", "rea"];
  for (const order of orders) {
    const world = new World();
    const storage = new MemoryStorage();
    const { room } = await world.joined(0, { storage });
    const told = [];
    room.on("message", ({ seq }) => told.push(seq));
    const command = room.send("hello");
    await settle();
    for (const step of order) {
      if (step === "a") {
        await world.hear(ack(command.id, 1, { duplicate: order.indexOf("r") < order.indexOf("a") }));
      } else if (step === "e") {
        await world.hear(live(own(1, command.id, "hello")));
      } else {
        const have = room.cursor.after;
        await world.cut(welcome(), delta(1, have === 0 ? [own(1, command.id, "hello")] : []));
        assert.deepEqual(world.joins[0].cursor, { epoch: "e1", after: have }, order);
      }
    }
    assert.deepEqual([seqs(room), told, room.pending.length], [[1], [1], 0], order);
    assert.equal(command.state, "acked", order);
    assert.deepEqual(await storage.all(), [], order);
    assert.ok(room.messages[0].own);
  }
});

test("A1 a command is kept before it is written, and forgotten by its ack only", async () => {
  const world = new World();
  const memory = new MemoryStorage();
  let open;
  const storage = {
    put: (command) => new Promise((go) => (open = go)).then(() => memory.put(command)),
    remove: (id) => memory.remove(id),
    all: () => memory.all(),
  };
  const { room } = await world.joined(0, { storage });
  const command = room.send("hello");
  await settle();
  assert.deepEqual([command.state, world.sends], ["queued", []]);
  assert.deepEqual(room.pending, [command]);
  open();
  await settle();
  assert.deepEqual([command.state, world.sends], ["sent", [command.id]]);
  await world.hear(live(own(1, command.id, "hello")), ack("stranger", 9));
  assert.equal((await memory.all()).length, 1);
  await world.hear(ack(command.id, 1));
  assert.equal((await memory.all()).length, 0);
});

test("ACC-03 resend keeps the id, editing makes a new one, each only of a failed one", async () => {
  const world = new World();
  const { room } = await world.joined();
  const command = room.send("hello");
  await settle();
  assert.ok(!command.resend() && command.edit("x") === null && !command.discard());
  await world.hear(refusal("forbidden", false, { clientMessageId: command.id }));
  assert.deepEqual([command.state, command.failure.code], ["failed", "forbidden"]);
  assert.ok(command.resend());
  await settle();
  assert.deepEqual(world.sends, [command.id, command.id]);
  await world.hear(refusal("invalid", false, { clientMessageId: command.id }));
  const edited = command.edit("hello!");
  await settle();
  assert.notEqual(edited.id, command.id);
  assert.deepEqual(room.pending, [edited]);
  assert.equal(world.sends.at(-1), edited.id);
});

test("a reload finds what was not acked, in order and with its ids; parked ones stay parked", async () => {
  const world = new World();
  const [storage, locks] = [new MemoryStorage(), new Locks()];
  const first = await world.joined(0, { storage, locks });
  const [a, b, c] = ["a", "b", "c"].map((text) => first.room.send(text));
  await settle();
  await world.hear(refusal("forbidden", false, { clientMessageId: b.id }));
  first.client.close(); // what the browser does to the locks of a page that is gone
  await settle();
  const second = await world.joined(0, { storage, locks });
  assert.deepEqual(world.sends, [a.id, c.id]);
  assert.deepEqual(second.room.pending.map(({ state }) => state), ["sent", "failed", "sent"]);
  second.room.send("d");
  await settle();
  await world.hear(ack(a.id, 1, { duplicate: true }), ack(c.id, 2), ack(world.sends[2], 3));
  assert.deepEqual((await storage.all()).map(({ id }) => id), [b.id]);
});

test("ACC-15 a command of yesterday asks the page, and keeps its id", async () => {
  const world = new World();
  const { room } = await world.joined(0, { maxAgeMs: 3_600_000 });
  await world.close(1006);
  const command = room.send("see you tomorrow");
  world.clock.sleep(16 * 3_600_000);
  await world.clock.advance(30_000);
  await world.hear(welcome(), delta(0));
  assert.deepEqual([command.state, command.failure.code, world.sends], ["failed", "too_old", []]);
  command.resend();
  await settle();
  assert.deepEqual(world.sends, [command.id]);
});

test("S1 PR-33 a temporary error is repeated after retryAfterMs, before what comes after it", async () => {
  const world = new World();
  const { room } = await world.joined();
  const ids = ["a", "b"].map((text) => room.send(text).id);
  await settle();
  for (const clientMessageId of ids) {
    await world.hear(refusal("busy", true, { clientMessageId, retryAfterMs: 700 }));
  }
  const later = room.send("c");
  await world.clock.advance(699);
  assert.deepEqual(world.sends, ids);
  await world.clock.advance(1);
  assert.deepEqual(world.sends, [...ids, ...ids, later.id]);
});

test("PR-13 no more frames wait for an answer than the server allows, over all rooms", async () => {
  const world = new World();
  const client = world.client();
  await settle();
  const rooms = Array.from({ length: 40 }, (_, at) => client.join(`r${at}`));
  const limits = { ...LIMITS, pendingCommands: 8 };
  await world.hear(welcome({ limits }));
  assert.equal(world.joins.length, 5);
  for (const { name } of rooms) {
    await world.hear({ ...snapshot(0), room: name });
  }
  assert.equal(new Set(world.joins.map(({ room }) => room)).size, 40);
  rooms.forEach((room) => room.send("hello"));
  await settle();
  assert.equal(world.sends.length, 5);
});

test("PR-43 events at or below the cursor are dropped, a hole is asked for and never shown", async () => {
  const world = new World();
  const { room } = await world.joined(3);
  await world.hear(live(2), live(3), live(5));
  assert.deepEqual([seqs(room), room.state.name], [[1, 2, 3], "joining"]);
  assert.deepEqual(world.joins[1].cursor, { epoch: "e1", after: 3 });
  await world.hear(live(6), delta(6, bodies(4, 6)));
  assert.deepEqual([seqs(room), room.state.name], [[1, 2, 3, 4, 5, 6], "live"]);
});

test("R1 a delta with a hole is not shown; a new view is asked for", async () => {
  const world = new World();
  const { room } = await world.joined(3);
  await world.cut(welcome(), delta(9, bodies(5, 9)));
  assert.deepEqual(seqs(room), [1, 2, 3]);
  assert.equal(world.joins[1].cursor, undefined);
  await world.hear(snapshot(9, bodies(4, 9)));
  assert.deepEqual(seqs(room), [4, 5, 6, 7, 8, 9]);
});

test("R4 REC-20 another epoch: the list is replaced, what is pending stays below and is sent again", async () => {
  const world = new World();
  const { room } = await world.joined(3);
  let resets = 0;
  room.on("reset", () => resets++);
  const [seen, pending] = [room.send("seen"), room.send("pending")];
  await settle();
  await world.hear(live(own(4, seen.id, "seen")));
  await world.cut(welcome(), snapshot(2, bodies(1, 2), { epoch: "e2" }));
  assert.equal(resets, 1);
  assert.deepEqual([seqs(room), room.cursor], [[1, 2], { epoch: "e2", after: 2 }]);
  assert.deepEqual(room.pending, [seen, pending]);
  assert.deepEqual(world.sends, [seen.id, pending.id]);
  await world.hear(live(3, { epoch: "e2" }), ack(seen.id, 4, { epoch: "e2" }), live(5));
  assert.deepEqual(seqs(room), [1, 2, 3]);
});

test("a handler that throws stops neither the others nor the messages behind", async () => {
  const world = new World();
  const { client, room } = await world.joined();
  const [told, errors] = [[], []];
  client.on("error", (error) => errors.push(error.code));
  room.on("message", () => { throw new Error("a handler"); });
  room.on("message", ({ seq }) => told.push([seq, room.cursor.after]));
  await world.cut(welcome(), delta(3, bodies(1, 3)));
  assert.deepEqual(told, [[1, 1], [2, 2], [3, 3]]);
  assert.deepEqual(errors, ["handler", "handler", "handler"]);
});

test("who reconnects in the middle of a batch is told the rest afterwards, each once", async () => {
  const world = new World();
  const { client, room } = await world.joined();
  const told = [];
  room.on("message", ({ seq }) => {
    told.push(seq);
    if (seq === 2) {
      client.reconnect();
    }
  });
  await world.cut(welcome(), delta(4, bodies(1, 4)));
  await world.hear(welcome());
  assert.deepEqual(world.joins[0].cursor, { epoch: "e1", after: 2 });
  await world.hear(delta(4, bodies(3, 4)));
  assert.deepEqual(told, [1, 2, 3, 4]);
});

test("an answer that is lost is asked for again on the same socket: a duplicate, one bubble", async () => {
  const world = new World();
  const { room } = await world.joined(0, { ackTimeoutMs: 10_000 });
  const command = room.send("hello");
  await settle();
  await world.hear(live(own(1, command.id, "hello")));
  await world.clock.advance(10_000);
  assert.deepEqual(world.sends, [command.id, command.id]);
  await world.hear(ack(command.id, 1, { duplicate: true }));
  assert.ok(command.duplicate);
  assert.deepEqual([seqs(room), room.pending.length], [[1], 0]);
});

test("C2 texts go out and come back as they are (TXT-07)", async () => {
  const world = new World();
  const { room } = await world.joined(0);
  const text = "\u202e<b>\r\n e\u0301\u0301 \u{1f469}";
  room.send(text, { ifHead: 0 });
  await settle();
  const said = world.said.at(-1);
  assert.deepEqual([said.text, said.ifHead], [text, 0]);
});

test("a room that nobody looks at keeps its newest; the page hears a change and no reset", async () => {
  const world = new World();
  const { room } = await world.joined(20);
  const told = [];
  room.on("reset", () => told.push("reset"));
  room.on("change", () => told.push("change"));
  room.keepNewest(20);
  assert.deepEqual(told, []);
  room.keepNewest(5);
  assert.deepEqual(told, ["change"]);
  assert.deepEqual([seqs(room), room.earlier], [[16, 17, 18, 19, 20], true]);
  assert.throws(() => room.keepNewest(0), RangeError);
  await world.hear(live(21));
  const more = room.loadEarlier();
  assert.equal(world.said.at(-1).before, 16);
  room.keepNewest(2);
  await world.hear({ type: "history", room: "r", epoch: "e1", messages: bodies(1, 15), earlier: false });
  assert.equal(await more, false, "it does not fit any more");
  assert.deepEqual(seqs(room), [20, 21]);
});
