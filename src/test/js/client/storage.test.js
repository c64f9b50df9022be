// What a storage does to a client that is slow, wrong about time, or has what nobody wrote.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CarefulStorage } from "../../../main/resources/META-INF/resources/client/careful-storage.js";
import { MemoryStorage } from "../../../main/resources/META-INF/resources/client/index.js";
import { HeldClock, World, delta, settle, snapshot, welcome } from "./world.js";

const stored = (id, more = {}) => ({
  id, room: "r", text: id, participant: "ann", owner: "gone", createdAt: 1, wantedAt: 1, place: 0,
  failure: null, ...more,
});
const ids = (commands) => commands.map(({ id }) => id).sort();

/** A storage whose puts are open until they are let go. */
class Stuck extends MemoryStorage {
  open = [];
  removes = 0;
  isStuck = true;

  async put(command) {
    if (this.isStuck) {
      await new Promise((go) => this.open.push(go));
    }
    await super.put(command);
  }

  async remove(id) {
    this.removes++;
    await super.remove(id);
  }

  letGo() {
    this.isStuck = false;
    this.open.splice(0).forEach((go) => go());
  }
}

const UNREADABLE = [
  null, 7, {}, stored("text", { text: 7 }), stored("no text", { text: undefined }),
  stored("whose", { participant: 7 }), stored("room", { room: undefined }), stored("age", { wantedAt: "old" }),
  stored("place", { place: null }), stored("head", { ifHead: -1 }), stored("why", { failure: { code: 7 } }),
];

test("S2 a kept record that cannot be read is told of once, left where it is, and holds nobody up", async () => {
  const world = new World();
  const memory = new MemoryStorage();
  const whole = [stored("a"), ...UNREADABLE, stored("b", { room: "s" })];
  const storage = {
    put: (command) => memory.put(command),
    remove: (id) => assert.fail(`${id} is removed`),
    all: async () => [...whole, ...(await memory.all())],
  };
  const client = world.client({ storage, maxAgeMs: Infinity });
  const errors = [];
  client.on("error", (error) => errors.push(error));
  await settle();
  const [r, s] = ["r", "s"].map((name) => client.join(name));
  await world.hear(welcome(), snapshot(0), { ...snapshot(0), room: "s" });
  await world.cut(welcome(), delta(0), { ...delta(0), room: "s" });
  assert.deepEqual(world.sends.sort(), ["a", "b"]);
  assert.deepEqual([r.pending.length, s.pending.length], [1, 1]);
  assert.deepEqual(new Set(errors.map(({ code }) => code)), new Set(["storage"]));
  const named = UNREADABLE.filter((each) => each?.id).length;
  assert.equal(errors.length, named + 1, "those without a name count as one");
});

test("S2 a room that cannot be served is told of, and holds no other up", async () => {
  const world = new World();
  const { client, room } = await world.joined();
  const other = client.join("s");
  await world.hear({ ...snapshot(0), room: "s" });
  await world.close(1006);
  const ids = [room.send("one"), other.send("two")].map(({ id }) => id);
  await world.clock.advance(500);
  await world.hear(welcome(), delta(0));
  const errors = [];
  client.on("error", ({ code, cause }) => errors.push([code, cause.message]));
  await world.close(1006);
  await world.clock.advance(1_000);
  await world.hear(welcome(), { ...snapshot(0), room: "s" });
  world.clock.setTimeout = () => {
    delete world.clock.setTimeout; // the browser's may throw, too
    throw new Error("no timer");
  };
  await world.hear(delta(0));
  assert.deepEqual(errors, [["internal", "no timer"]]);
  assert.deepEqual(world.sends.sort(), ids);
});

test("a discarded command is not kept by a put that was late, though its remove was in doubt", async () => {
  const clock = new HeldClock();
  const stuck = new Stuck();
  const storage = new CarefulStorage(stuck, clock, () => {});
  const kept = storage.put(stored("a"));
  await settle();
  await clock.advance(5_000);
  await kept;
  await storage.remove("a");
  assert.equal(stuck.removes, 0, "it is in doubt");
  stuck.letGo();
  await settle();
  assert.deepEqual(await stuck.all(), []);
  assert.equal(clock.pending, 0);
});

test("a storage that overtakes itself keeps no discarded command either", async () => {
  const clock = new HeldClock();
  const stuck = new Stuck();
  const storage = new CarefulStorage(stuck, clock, () => {});
  storage.put(stored("a"));
  await settle();
  await clock.advance(5_000);
  await clock.advance(30_000);
  await storage.remove("a");
  assert.equal(stuck.removes, 1);
  stuck.letGo();
  await settle();
  assert.deepEqual(await stuck.all(), []);
});

test("what could not be removed is removed later, unless it is kept again; told of once", async () => {
  const clock = new HeldClock();
  const memory = new MemoryStorage();
  const failures = [];
  let isReadOnly = true;
  const storage = new CarefulStorage({
    put: (command) => memory.put(command),
    remove: async (id) => {
      if (isReadOnly) {
        throw new Error("read only");
      }
      await memory.remove(id);
    },
    all: () => memory.all(),
  }, clock, ({ cause }) => failures.push(cause.message));
  for (const id of ["a", "b"]) {
    await storage.put(stored(id));
    await storage.remove(id);
  }
  await clock.advance(60_000);
  assert.deepEqual(ids(await memory.all()), ["a", "b"]);
  assert.deepEqual(failures, ["read only", "read only"]);
  isReadOnly = false;
  await storage.put(stored("b"));
  await clock.advance(30_000);
  assert.deepEqual([ids(await memory.all()), ids(await storage.all())], [["b"], ["b"]]);
  assert.equal(clock.pending, 0);
});

test("who is away asks a storage for nothing more, and who is back does", async () => {
  const clock = new HeldClock();
  let removes = 0;
  const storage = new CarefulStorage({
    put: async () => {},
    remove: async () => {
      removes++;
      throw new Error("read only");
    },
    all: async () => [],
  }, clock, () => {});
  await storage.remove("a");
  storage.rest();
  assert.equal(clock.pending, 0);
  await clock.advance(60_000);
  assert.equal(removes, 1);
  storage.wake();
  await settle();
  assert.equal(removes, 2);
});

test("a clock that is set back does not make the doubt of a storage longer", async () => {
  const clock = new HeldClock();
  const stuck = new Stuck();
  const storage = new CarefulStorage(stuck, clock, () => {});
  storage.put(stored("a"));
  await settle();
  await clock.advance(5_000);
  clock.setBack(3_600_000);
  await clock.advance(30_000);
  storage.put(stored("b"));
  await settle();
  assert.equal(stuck.open.length, 2, "asked again");
});
