// Keeping commands: a storage that fails, the order of what is asked of it, and tabs that find
// each other's commands. IndexedDB and Web Locks themselves are the browser's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Keeper } from "../../../main/resources/META-INF/resources/client/keeper.js";
import { CarefulStorage } from "../../../main/resources/META-INF/resources/client/careful-storage.js";
import { MemoryStorage } from "../../../main/resources/META-INF/resources/client/index.js";
import { HeldClock, Locks, settle } from "./world.js";

const stored = (id, more = {}) => ({
  id, room: "r", text: id, participant: "ann", owner: "tab-1", createdAt: 1, wantedAt: 1, place: 0,
  failure: null, ...more,
});
const ids = (commands) => commands.map(({ id }) => id);
const clock = new HeldClock();
const never = { failed: (cause) => assert.fail(cause), freed() {} };

test("memory where the storage throws, and nothing is lost by it", async () => {
  const failures = [];
  const broken = {
    put: async () => { throw new Error("full"); },
    remove: () => { throw new Error("gone"); },
    all: async () => { throw new Error("closed"); },
  };
  const storage = new CarefulStorage(broken, clock, ({ cause }) => failures.push(cause.message));
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
  first.away();
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
  first.away();
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
  const keeper = new Keeper("tab-1", storage, held, locks, { failed: ({ cause }) => failures.push(cause.message), freed() {} });
  let found = null;
  keeper.keep(stored("a")).then(() => keeper.find("r", "ann")).then((all) => (found = ids(all)));
  await settle();
  await held.advance(15_000);
  assert.deepEqual(found, ["a"], "in memory");
  assert.deepEqual(failures, ["not done in 5000 ms", "The storage does not answer."]);
  assert.equal(held.pending, 0);
});

test("S1 a storage that does not answer is waited for once, then now and then, until it answers", async () => {
  const held = new HeldClock();
  const memory = new MemoryStorage();
  const asked = [];
  const open = [];
  const stuck = {
    put: (command) => {
      asked.push(command.id);
      return new Promise((go) => open.push(go)).then(() => memory.put(command));
    },
    remove: (id) => memory.remove(id),
    all: () => memory.all(),
  };
  const storage = new CarefulStorage(stuck, held, () => {});
  const put = async (id, ms) => {
    let isKept = false;
    storage.put(stored(id)).then(() => (isKept = true));
    await settle();
    await held.advance(ms);
    assert.ok(isKept, id);
  };
  await put("a", 5_000);
  await put("b", 0);
  await held.advance(30_000);
  await put("c", 5_000);
  assert.deepEqual(asked, ["a", "c"]);
  open.forEach((go) => go());
  await settle();
  assert.deepEqual(ids(await storage.all()).sort(), ["a", "b", "c"], "from both places");
  storage.put(stored("d"));
  await settle();
  assert.deepEqual(asked, ["a", "c", "d"], "it answers again");
});

test("what is removed while a look is under way is not found by it, nor where it cannot be removed", async () => {
  const memory = new MemoryStorage();
  let open = () => {};
  const slow = {
    put: (command) => memory.put(command),
    remove: async () => { throw new Error("read only"); },
    all: async () => {
      const found = await memory.all();
      await new Promise((go) => (open = go));
      return found;
    },
  };
  const storage = new CarefulStorage(slow, clock, () => {});
  await storage.put(stored("a"));
  const looked = storage.all();
  await settle();
  await storage.remove("a");
  open();
  assert.deepEqual(await looked, []);
  const again = storage.all();
  await settle();
  open();
  assert.deepEqual(await again, []);
});

test("a client that was away gives its commands free, and has them again when it is back", async () => {
  const [storage, locks] = [new MemoryStorage(), new Locks()];
  const [first, second] = ["tab-1", "tab-2"].map((tab) => new Keeper(tab, storage, clock, locks, never));
  await first.keep(stored("a"));
  first.away();
  await settle();
  first.back();
  await settle();
  assert.deepEqual(await second.find("r", "ann"), [], "it lives");
  assert.deepEqual(ids(await first.find("r", "ann")), ["a"]);
  first.away();
  await settle();
  assert.deepEqual(ids(await second.find("r", "ann")), ["a"]);
});

test("a lock of one's own that is not given in time holds nobody up", async () => {
  const held = new HeldClock();
  const forever = { request: () => new Promise(() => {}) };
  const storage = new MemoryStorage();
  const keeper = new Keeper("tab-1", storage, held, forever, never);
  let isKept = false;
  keeper.keep(stored("a")).then(() => (isKept = true));
  await settle();
  await held.advance(5_000);
  assert.ok(isKept);
  let found = null;
  keeper.find("r", "ann").then((all) => (found = ids(all)));
  await settle();
  await held.advance(5_000);
  assert.deepEqual(found, ["a"]);
  assert.equal(held.pending, 0);
});

test("a thousand commands of a tab that is gone cost one look for its life, and are taken over together", async () => {
  const [storage, locks] = [new MemoryStorage(), new Locks()];
  for (let at = 0; at < 1_000; at++) {
    await storage.put(stored(`a${at}`, { place: at }));
  }
  const asked = [];
  const counted = {
    request: (name, options, callback) => {
      asked.push(name);
      return locks.request(name, options, callback);
    },
  };
  let [open, most] = [0, 0];
  const slow = {
    put: async (command) => {
      most = Math.max(most, ++open);
      await settle();
      open--;
      await storage.put(command);
    },
    remove: (id) => storage.remove(id),
    all: () => storage.all(),
  };
  const keeper = new Keeper("tab-2", slow, clock, counted, never);
  assert.equal((await keeper.find("r", "ann")).length, 1_000);
  assert.deepEqual(asked, ["postroom:tab-2", "postroom:taking", "postroom:tab-1"]);
  assert.equal(most, 1_000);
});
