// Clients in generated weather: lost and late answers, repeated events, cut sockets, refusals, new
// epochs, closed tabs. The same again: POSTROOM_SEED; more of them: POSTROOM_SEEDS.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage } from "../../../main/resources/META-INF/resources/client/index.js";
import { PretendServer, Random } from "./pretend-server.js";
import { Locks, World } from "./world.js";

const ROOMS = ["a", "b"];
const STEPS = 150;

/** One page of a participant, until it is closed. */
class Tab {
  sent = { a: [], b: [] };
  failures = [];

  constructor(person) {
    this.person = person;
    const { id, world, server, random, storage, locks } = person;
    this.random = random;
    this.client = world.client({
      participant: id, storage, locks,
      newId: () => `${id}-${world.ids++}`,
      random: () => random.next(),
      ackTimeoutMs: 2_000,
      WebSocket: server.socketOf({ id, name: id }),
    });
    this.client.on("error", (error) => this.failures.push(error));
    this.rooms = Object.fromEntries(ROOMS.map((name) => [name, this.#join(name)]));
  }

  #join(name) {
    const room = this.client.join(name);
    let last = null;
    room.on("reset", () => (last = room.cursor));
    room.on("message", ({ seq }) => {
      // Each once and in order (N3), and the cursor has come exactly as far.
      assert.deepEqual([seq, room.cursor], [last.after + 1, { epoch: last.epoch, after: seq }]);
      last = room.cursor;
      if (this.random.chance(0.02)) {
        this.client.reconnect();
      } else if (this.random.chance(0.05)) {
        throw new Error("a handler");
      }
    });
    return room;
  }

  step() {
    const name = ROOMS[this.random.below(2)];
    const dice = this.random.next();
    if (dice < 0.75) {
      this.sent[name].push(this.rooms[name].send(`text ${this.person.world.ids}`).id);
    } else if (dice < 0.8) {
      this.rooms[name].leave();
      this.rooms[name] = this.#join(name);
    } else {
      this.rooms[name].loadEarlier(1 + this.random.below(9));
    }
  }
}

/** One participant in one browser, with this many tabs open. */
class Person {
  closed = [];

  constructor(id, tabs, world, server, random) {
    const [storage, locks] = [new MemoryStorage(), new Locks()];
    Object.assign(this, { id, world, server, random, storage, locks });
    this.tabs = Array.from({ length: tabs }, () => new Tab(this));
  }

  step() {
    const at = this.random.below(this.tabs.length);
    if (this.random.chance(0.03)) {
      this.tabs[at].client.close();
      this.closed.push(this.tabs[at]);
      this.tabs[at] = new Tab(this);
    } else {
      this.tabs[at].step();
    }
  }
}

async function storm(seed, tabs) {
  const random = new Random(seed);
  const world = new World();
  const server = new PretendServer(world.clock, random);
  const people = ["ann", "bob", "cid"].map((id) => new Person(id, tabs, world, server, random));
  server.faults = 0.2;
  for (let step = 0; step < STEPS; step++) {
    people[random.below(people.length)].step();
    if (random.chance(0.02)) {
      server.newEpoch(ROOMS[random.below(2)]);
    } else if (random.chance(0.02)) {
      server.cutAll();
    }
    await world.clock.advance(random.below(150));
  }
  server.faults = 0;
  world.window.dispatchEvent(new Event("online")); // what closed tabs left behind is looked for
  await world.clock.advance(120_000);
  for (const person of people) {
    for (const name of ROOMS) {
      checkLog(name, server.log(name), person);
      for (const tab of person.tabs) {
        await checkList(tab, name, server.log(name), world);
      }
    }
    assert.deepEqual(await person.storage.all(), []);
    for (const { client, failures } of person.tabs) {
      assert.equal(client.unsent, 0);
      assert.deepEqual(failures.filter(({ code }) => code !== "handler"), []);
      client.close();
    }
  }
  assert.ok(server.duplicates > 0, "the weather was too fine");
  return server.duplicates;
}

/** Every command once (A1), and those of one page in their order (N2). */
function checkLog(name, log, { id, tabs, closed }) {
  const accepted = log.filter(({ author }) => author.id === id).map((each) => each.clientMessageId);
  const pages = [...closed, ...tabs].map(({ sent }) => sent[name]);
  for (const page of pages) {
    assert.deepEqual(accepted.filter((each) => page.includes(each)), page, `A1 N2: ${id} in ${name}`);
  }
  assert.equal(accepted.length, pages.flat().length, `A1: ${id} in ${name}`);
  if (tabs.length === 1) {
    assert.deepEqual(accepted, pages.flat(), `N2 over reloads: ${id} in ${name}`);
  }
}

/** What is shown is the log, to its first message. */
async function checkList({ rooms }, name, log, world) {
  const room = rooms[name];
  while (room.earlier) {
    const page = room.loadEarlier(7);
    await world.clock.advance(1_000);
    assert.ok(await page);
  }
  assert.deepEqual(room.messages.map(({ own, ...message }) => message), log, `R6: ${name}`);
  assert.deepEqual(room.pending, []);
  assert.equal(room.state.name, "live");
}

const first = Number(process.env.POSTROOM_SEED ?? Date.now() % 1_000_000);
const seeds = Number(process.env.POSTROOM_SEEDS ?? 4);
for (let seed = first; seed < first + seeds; seed++) {
  for (const tabs of [1, 2]) {
    test(`A1 N2 N3 R1 R2 REC-19 REC-24 TAB-03 weather of seed ${seed}, tabs: ${tabs}`, async (context) => {
      const duplicates = await storm(seed, tabs);
      context.diagnostic(`POSTROOM_SEED=${seed}: ${duplicates} duplicates on the wire, none in a log`);
    });
  }
}
