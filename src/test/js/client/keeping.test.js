// Keeping commands: a storage that fails, the order of what is asked of it, and tabs that find
// each other's commands. IndexedDB and Web Locks themselves are the browser's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Keeper } from "../../../main/resources/META-INF/resources/client/keeper.js";
import { CarefulStorage, MemoryStorage } from "../../../main/resources/META-INF/resources/client/storage.js";
import { HeldClock, Locks, settle } from "./world.js";

const stored = (id, more = {}) => ({
  id, room: "r", text: id, participant: "ann", owner: "tab-1", createdAt: 1, wantedAt: 1, place: 0,
  failure: null, ...more,
});
const ids = (commands) => commands.map(({ id }) => id);
const clock = new HeldClock();
const never = (cause) => assert.fail(cause);

test("memory where the storage throws, and nothing is lost by it", async () => {
  const failures = [];
  const broken = {
    put: async () => { throw new Error("full"); },
    remove: () => { throw new Error("gone"); },
    all: async () => { throw new Error("closed"); },
  };
  const storage = new CarefulStorage(broken, clock, (cause) => failures.push(cause.message));
  await storage.put(stored("a"));
  assert.deepEqual(ids(await storage.all()), ["a"]);
  await storage.remove("a");
  assert.deepEqual(await storage.all(), []);
  assert.deepEqual(failures, ["full", "closed", "gone", "closed"]);
});

test("what is asked for one id happens in that order, however slow the storage is", async () => {
  const memory = new MemoryStorage();
  const open = [];
  const slow = {
    put: (command) => new Promise((go) => open.push(go)).then(() => memory.put(command)),
    remove: (id) => memory.remove(id),
    all: () => memory.all(),
  };
  const storage = new CarefulStorage(slow, clock, never);
  storage.put(stored("a"));
  const removed = storage.remove("a");
  await settle();
  open.forEach((go) => go());
  await removed;
  assert.deepEqual(await memory.all(), []);
});

test("A1 commands of a client that is gone are found by the next, in their order", async () => {
  const [storage, locks] = [new MemoryStorage(), new Locks()];
  const first = new Keeper("tab-1", storage, clock, locks, never);
  await first.keep(stored("b", { createdAt: 2, place: 1 }));
  await first.keep(stored("c", { createdAt: 2, place: 2 }));
  await first.keep(stored("a", { createdAt: 1, place: 9 }));
  await first.keep(stored("elsewhere", { room: "s" }));
  await first.keep(stored("bobs", { participant: "bob" }));
  first.close();
  await settle();
  const second = new Keeper("tab-2", storage, clock, locks, never);
  const found = await second.find("r", "ann");
  assert.deepEqual(ids(found), ["a", "b", "c"]);
  assert.ok(found.every(({ owner }) => owner === "tab-2"));
});

test("TAB-03 commands of a tab that lives are not taken, and of two finders one takes them", async () => {
  const [storage, locks] = [new MemoryStorage(), new Locks()];
  const first = new Keeper("tab-1", storage, clock, locks, never);
  await first.keep(stored("a"));
  await first.keep(stored("b"));
  const [second, third] = ["tab-2", "tab-3"].map((tab) => new Keeper(tab, storage, clock, locks, never));
  assert.deepEqual(await second.find("r", "ann"), []);
  assert.deepEqual(ids(await first.find("r", "ann")), ["a", "b"]);
  first.close();
  await settle();
  const found = await Promise.all([second.find("r", "ann"), third.find("r", "ann")]);
  assert.deepEqual(found.map((each) => each.length).sort(), [0, 2]);
});

test("locks that are refused keep nobody from sending own commands", async () => {
  const locks = { request: async () => { throw new Error("SecurityError"); } };
  const keeper = new Keeper("tab-1", new MemoryStorage(), clock, locks, never);
  await keeper.keep(stored("a"));
  assert.deepEqual(ids(await keeper.find("r", "ann")), ["a"]);
});

test("a storage that never answers and a tab that stopped with the lock hold nobody up", async () => {
  const held = new HeldClock();
  const failures = [];
  const forever = () => new Promise(() => {});
  const storage = { put: forever, remove: forever, all: forever };
  const locks = new Locks();
  locks.request("postroom:taking", {}, forever);
  const keeper = new Keeper("tab-1", storage, held, locks, ({ message }) => failures.push(message));
  let found = null;
  keeper.keep(stored("a")).then(() => keeper.find("r", "ann")).then((all) => (found = ids(all)));
  await settle();
  await held.advance(15_000);
  assert.deepEqual(found, ["a"], "in memory");
  assert.deepEqual(failures, ["not done in 5000 ms", "not done in 5000 ms"]);
  assert.equal(held.pending, 0);
});
