// Clients in generated weather: lost and late answers, repeated events, cut sockets, refusals, new
// epochs, closed tabs. The same again: POSTROOM_SEED; more of them: POSTROOM_SEEDS.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage } from "../../../main/resources/META-INF/resources/client/index.js";
import { PretendServer, Random } from "./pretend-server.js";
import { HeldClock, Locks, World, settle } from "./world.js";

const ROOMS = ["a", "b"];
const STEPS = 150;

/** One participant: a storage, and the tab that is open. */
class Person {
  sent = { a: [], b: [] };
  failures = [];

  constructor(id, world, server, random) {
    Object.assign(this, { id, world, server, random, storage: new MemoryStorage(), locks: new Locks() });
    this.open();
  }

  open() {
    this.client = this.world.client({
      participant: this.id,
      storage: this.storage,
      locks: this.locks,
      newId: () => `${this.id}-${this.world.ids++}`,
      random: () => this.random.next(),
      ackTimeoutMs: 2_000,
      WebSocket: this.server.socketOf({ id: this.id, name: this.id }),
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
    if (dice < 0.7) {
      this.sent[name].push(this.rooms[name].send(`text ${this.world.ids}`).id);
    } else if (dice < 0.75) {
      this.rooms[name].leave();
      this.rooms[name] = this.#join(name);
    } else if (dice < 0.8) {
      this.rooms[name].loadEarlier(1 + this.random.below(9));
    } else if (dice < 0.83) {
      this.client.close();
      this.open();
    }
  }
}

async function storm(seed) {
  const random = new Random(seed);
  const world = new World();
  world.clock = new HeldClock();
  const server = new PretendServer(world.clock, random);
  const people = ["ann", "bob", "cid"].map((id) => new Person(id, world, server, random));
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
  await world.clock.advance(120_000);
  for (const name of ROOMS) {
    await check(name, server.log(name), people, world);
  }
  for (const person of people) {
    assert.deepEqual(await person.storage.all(), []);
    assert.equal(person.client.unsent, 0);
    assert.deepEqual(person.failures.filter(({ code }) => code !== "handler"), []);
    person.client.close();
  }
  assert.ok(server.duplicates > 0, "the weather was too fine");
  return server.duplicates;
}

async function check(name, log, people, world) {
  for (const { id, sent, rooms } of people) {
    const accepted = log.filter(({ author }) => author.id === id).map((each) => each.clientMessageId);
    assert.deepEqual(accepted, sent[name], `A1 N2: ${id} in ${name}`);
    const room = rooms[name];
    while (room.earlier) {
      const page = room.loadEarlier(7);
      await world.clock.advance(1_000);
      assert.ok(await page);
    }
    assert.deepEqual(room.messages.map(({ own, ...message }) => message), log, `R6: ${id} in ${name}`);
    assert.deepEqual(room.pending, []);
    assert.equal(room.state.name, "live");
  }
  await settle();
}

const first = Number(process.env.POSTROOM_SEED ?? Date.now() % 1_000_000);
const seeds = Number(process.env.POSTROOM_SEEDS ?? 4);
for (let seed = first; seed < first + seeds; seed++) {
  test(`A1 N2 N3 R1 R2 REC-19 REC-24 F3 generated weather, seed ${seed}`, async (context) => {
    const duplicates = await storm(seed);
    context.diagnostic(`POSTROOM_SEED=${seed}: ${duplicates} duplicates on the wire, none in a log`);
  });
}
