// What becomes of commands over pages, tabs and people.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage } from "../../../main/resources/META-INF/resources/client/index.js";
import { BOB, Locks, World, ack, bodies, delta, refusal, seqs, settle, snapshot, welcome } from "./world.js";

test("N2 what an earlier page left behind goes before what this one was asked for", async () => {
  const world = new World();
  const storage = new MemoryStorage();
  const first = await world.joined(0, { storage, participant: "ann" });
  const old = first.room.send("old");
  await settle();
  first.client.close();
  const client = world.client({ storage, participant: "ann" });
  const room = client.join("r");
  const fresh = room.send("new");
  await settle();
  assert.deepEqual(room.pending.map(({ id }) => id), [old.id, fresh.id], "shown before any welcome");
  await world.hear(welcome(), snapshot(0));
  assert.deepEqual(world.sends, [old.id, fresh.id]);
});

test("N2 nothing is sent before what is kept was looked up", async () => {
  const world = new World();
  const memory = new MemoryStorage();
  let open = () => {};
  const storage = {
    put: (command) => memory.put(command),
    remove: (id) => memory.remove(id),
    all: () => new Promise((go) => (open = go)).then(() => memory.all()),
  };
  const { room } = await world.joined(0, { storage });
  const command = room.send("hello");
  await settle();
  assert.deepEqual(world.sends, []);
  while (world.sends.length === 0) {
    open();
    await settle();
  }
  assert.deepEqual(world.sends, [command.id]);
});

test("R4 an ack of the epoch before needs no bubble once the new view is there", async () => {
  const world = new World();
  const { room } = await world.joined(3);
  const command = room.send("lost with the backup");
  await settle();
  await world.hear(ack(command.id, 4));
  assert.deepEqual(room.pending, [command], "until its event comes");
  await world.hear(snapshot(2, bodies(1, 2), { epoch: "e2" }));
  assert.deepEqual(room.pending, []);
});

test("a command that was typed before anybody was known asks the page after a reload", async () => {
  const world = new World();
  const storage = new MemoryStorage();
  const nobody = world.client({ storage });
  const command = nobody.join("r").send("whose?");
  await settle();
  nobody.close();
  const { room } = await world.joined(0, { storage });
  assert.deepEqual([world.sends, room.pending[0].failure.code], [[], "unclaimed"]);
  room.pending[0].resend();
  await settle();
  assert.deepEqual(world.sends, [command.id]);
  assert.equal((await storage.all())[0].participant, "ann");
});

test("a command that was typed before anybody was known is his who is welcomed to the same page", async () => {
  const world = new World();
  const storage = new MemoryStorage();
  const client = world.client({ storage });
  client.join("r").send("mine");
  await settle();
  assert.equal((await storage.all())[0].participant, null);
  await world.hear(welcome());
  assert.equal((await storage.all())[0].participant, "ann");
});

test("TAB-03 what a closed tab left is sent by the open one when it is looked at", async () => {
  const world = new World();
  const shared = { storage: new MemoryStorage(), locks: new Locks() };
  await world.joined(0, shared);
  const open = world.socket;
  const other = await world.joined(0, shared);
  const command = other.room.send("left behind");
  await settle();
  other.client.close();
  world.window.dispatchEvent(new Event("visibilitychange"));
  await settle();
  const sends = open.said.filter(({ type }) => type === "send");
  assert.deepEqual(sends.map(({ clientMessageId }) => clientMessageId), [command.id]);
});

test("TAB-03 what a tab left that lived a moment longer than its window is sent all the same", async () => {
  const world = new World();
  const shared = { storage: new MemoryStorage(), locks: new Locks() };
  await world.joined(0, shared);
  const open = world.socket;
  const other = await world.joined(0, shared);
  const command = other.room.send("left behind");
  await settle();
  const sends = () => open.said.filter(({ type }) => type === "send");
  world.window.dispatchEvent(new Event("visibilitychange"));
  await settle();
  assert.deepEqual(sends(), []);
  other.client.close();
  await settle();
  assert.deepEqual(sends().map(({ clientMessageId }) => clientMessageId), [command.id]);
});

test("N2 who comes after somebody else has the own kept commands looked up first", async () => {
  const world = new World();
  const storage = new MemoryStorage();
  const bobs = world.client({ storage, participant: "bob" });
  const old = bobs.join("r").send("Bob's old one");
  await settle();
  bobs.close();
  const { client, room } = await world.joined(0, { storage });
  await world.close(1006);
  await world.clock.advance(500);
  client.on("state", ({ name }) => name === "online" && room.send("Bob's new one"));
  const both = [welcome({ participant: BOB }), snapshot(0)];
  both.forEach((frame) => world.socket.onmessage({ data: JSON.stringify(frame) }));
  await settle();
  assert.deepEqual([world.sends[0], world.sends.length], [old.id, 2]);
});

const leaving = (type, persisted) => Object.assign(new Event(type), { persisted });

test("a page that may be shown again is left without a socket and a lock, and goes on where it was", async () => {
  const world = new World();
  const shared = { storage: new MemoryStorage(), locks: new Locks() };
  const { client, room } = await world.joined(2, shared);
  world.window.dispatchEvent(leaving("pagehide", false));
  assert.ok(world.socket.isOpen, "one that ends needs nothing");
  const command = room.send("under way");
  await settle();
  world.window.dispatchEvent(leaving("pagehide", true));
  await settle();
  assert.deepEqual([world.socket.isOpen, client.state.name], [false, "waiting"]);
  let isFree = null;
  const seen = (lock) => (isFree = lock !== null);
  await shared.locks.request("postroom:id-0", { ifAvailable: true }, seen);
  assert.ok(isFree);
  world.clock.sleep(600_000);
  world.window.dispatchEvent(leaving("pageshow", true));
  await settle();
  await shared.locks.request("postroom:id-0", { ifAvailable: true }, seen);
  assert.ok(!isFree, "it lives again");
  await world.hear(welcome(), delta(3, bodies(3, 3)));
  assert.deepEqual(world.joins, [{ type: "join", room: "r", cursor: { epoch: "e1", after: 2 } }]);
  assert.deepEqual([seqs(room), world.sends], [[1, 2, 3], [command.id]]);
});

test("N2 a handler that asks for more while frames are written is served after them", async () => {
  const world = new World();
  const { client, room } = await world.joined();
  const [first, second] = ["first", "second"].map((text) => room.send(text));
  await settle();
  await world.hear(
    refusal("busy", true, { clientMessageId: first.id, retryAfterMs: 100 }),
    refusal("forbidden", false, { clientMessageId: second.id }),
  );
  first.on("change", ({ state }) => {
    if (state === "sent" && second.resend()) {
      client.join("s"); // whatever has something to be written at once
    }
  });
  await world.clock.advance(100);
  assert.deepEqual(world.sends, [first.id, second.id, first.id, second.id]);
});

test("what a handler asks for while frames are written is asked for at once", async () => {
  const world = new World();
  const { room } = await world.joined();
  await world.hear(snapshot(9, bodies(7, 9), { earlier: true }));
  room.send("hello").on("change", ({ state }) => state === "sent" && room.loadEarlier());
  await settle();
  assert.deepEqual(world.said.map(({ type }) => type), ["join", "send", "history"]);
});

test("who holds a command from before leaving and joining again acts on what has become of it", async () => {
  const world = new World();
  const storage = new MemoryStorage();
  const { client, room } = await world.joined(0, { storage });
  const [sent, failed, other] = ["sent", "failed", "other"].map((text) => room.send(text));
  await settle();
  for (const { id } of [failed, other]) {
    await world.hear(refusal("forbidden", false, { clientMessageId: id }));
  }
  room.leave();
  const again = client.join("r");
  await settle();
  await world.hear({ type: "left", room: "r", reason: "requested" }, snapshot(0));
  assert.deepEqual(again.pending.map(({ state }) => state), ["sent", "failed", "failed"]);
  assert.ok(!sent.discard(), "it is under way");
  assert.ok(failed.discard());
  assert.equal(other.edit("another text").room, "r");
  await settle();
  assert.deepEqual(again.pending.map(({ text }) => text), ["sent", "another text"]);
  assert.equal((await storage.all()).length, 2);
  await world.hear(refusal("forbidden", false, { clientMessageId: sent.id }));
  assert.ok(again.pending[0].failure.uncertain);
  assert.ok(sent.resend());
  await settle();
  assert.deepEqual([again.pending[0].state, world.sends.at(-1)], ["sent", sent.id]);
});

test("a command of a room that was left and not joined again can be discarded", async () => {
  const world = new World();
  const storage = new MemoryStorage();
  const { room } = await world.joined(0, { storage });
  const command = room.send("hello");
  await settle();
  await world.hear(refusal("forbidden", false, { clientMessageId: command.id }));
  room.leave();
  assert.ok(command.discard());
  await settle();
  assert.deepEqual([room.pending, await storage.all()], [[], []]);
});
