// Thirty people's clients, as they are served, over the packaged service in bad weather: a fifth of
// all acks lost or late, events and commands twice, sockets cut, commands refused, new epochs, frozen
// networks, reloads. The same again: POSTROOM_SEED; longer: POSTROOM_STORM_SECONDS; several seeds one
// after the other: POSTROOM_SEEDS.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { MemoryStorage, Postroom } from "../../main/resources/META-INF/resources/client/index.js";
import { Random } from "./client/pretend-server.js";
import { Locks } from "./client/world.js";
import { Service } from "./service.js";

const PEOPLE = 30;
const ROOMS = 3;
const SECONDS = Number(process.env.POSTROOM_STORM_SECONDS ?? 12);
const CALM_MS = 120_000;
const FAULTS = ["dropAcks", "delayAcks", "repeatEvents", "repeatCommands", "cutSockets", "refuse", "moveEpochs"];

let service;
before(async () => (service = await Service.start()));
after(() => service?.close());

/** One participant and one page, which is reloaded at times and finds what was kept. */
class Person {
  #storage = new MemoryStorage();
  #locks = new Locks();
  #window = new EventTarget();
  #token = null;
  failures = [];
  repeats = 0;

  constructor(id, names, random) {
    Object.assign(this, { id, names, random });
    this.sent = Object.fromEntries(names.map((name) => [name, []]));
    this.#open();
  }

  #open() {
    this.client = new Postroom({
      url: service.url.replace("http", "ws") + "ws",
      token: async () => (this.#token ??= await service.token({ participant: this.id })),
      participant: this.id,
      storage: this.#storage,
      locks: this.#locks,
      window: this.#window,
      WebSocket,
      ackTimeoutMs: 2_000,
    });
    this.client.on("error", (error) => this.failures.push(error));
    this.rooms = Object.fromEntries(this.names.map((name) => [name, this.#join(name)]));
  }

  /** Each message once and in order (N3), and the cursor has come exactly as far. */
  #join(name) {
    const room = this.client.join(name);
    let last = null;
    room.on("reset", () => (last = room.cursor));
    room.on("message", ({ seq }) => {
      const here = { epoch: last.epoch, after: last.after + 1 };
      if (seq !== here.after || room.cursor.epoch !== here.epoch || room.cursor.after !== seq) {
        this.failures.push(new Error(`N3: ${this.id} in ${name}: ${seq} after ${last.after}`));
      }
      last = room.cursor;
    });
    return room;
  }

  async live(until) {
    while (Date.now() < until) {
      await wait(this.random.below(1_000));
      const dice = this.random.next();
      const name = this.names[this.random.below(this.names.length)];
      if (dice < 0.7) {
        this.#send(name);
      } else if (dice < 0.9) {
        this.hurry();
      } else if (dice < 0.95) {
        this.rooms[name].loadEarlier(20);
      } else {
        this.client.close();
        this.#open();
      }
    }
  }

  #send(name) {
    const command = this.rooms[name].send(`${this.id} ${this.sent[name].length}`);
    this.sent[name].push(command.id);
    command.on("change", () => {
      this.repeats += command.state === "acked" && command.duplicate ? 1 : 0;
    });
  }

  /** As a network does that is there again: waits are cut short. */
  hurry() {
    this.#window.dispatchEvent(new Event("online"));
  }

  kept() {
    return this.#storage.all();
  }
}

async function log(token, name) {
  const messages = [];
  for (let head = null; head === null || messages.length < head; ) {
    const last = messages.at(-1)?.seq ?? 0;
    const page = await service.call("GET", `api/rooms/${name}/messages?after=${last}&limit=200`, token);
    head = page.head;
    messages.push(...page.messages);
  }
  return messages;
}

/** Now and then the network of one of them freezes, or what came last comes again. */
async function trouble(people, random, until) {
  while (Date.now() < until) {
    await wait(500 + random.below(1_000));
    const { id, names } = people[random.below(people.length)];
    const drill = random.chance(0.5) ? { drill: "freeze", ms: 700 } : { drill: "repeat_delta", room: names[0] };
    await service.call("POST", "dev/faults/drills", null, { participant: id, ...drill });
  }
}

async function settled(people, what, isSo) {
  const limit = Date.now() + CALM_MS;
  for (;;) {
    const late = [];
    for (const person of people) {
      (await isSo(person)) || late.push(person);
    }
    if (late.length === 0) {
      return;
    }
    const state = ({ id, client, rooms }) =>
      `${id} is ${client.state.name} (${client.state.reason}), unsent ${client.unsent}: ${Object.values(rooms).map((room) =>
        `${room.name} ${room.state.name} ${room.cursor?.after} ${room.pending.map((each) =>
          `${each.state} ${each.failure?.code} ${each.delay?.code}`)}`)}`;
    assert.ok(Date.now() < limit, `${what}: ${late.map(state).join("; ")}`);
    late.forEach((person) => person.hurry());
    await wait(200);
  }
}

async function storm(seed, context) {
  const people = [];
  try {
    await through(seed, people, context);
  } finally {
    people.forEach(({ client }) => client.close());
  }
}

async function through(seed, people, context) {
  const random = new Random(seed);
  const rooms = Array.from({ length: ROOMS }, (_, at) => `storm-${seed}-${at}`);
  for (let at = 0; at < PEOPLE; at++) {
    const names = [rooms[at % ROOMS], rooms[(at + 1) % ROOMS]];
    people.push(new Person(`p${at}-${seed}`, names, new Random(seed * 1_000 + at)));
  }
  const weather = Object.fromEntries(FAULTS.map((fault) => [fault, 0.2]));
  await service.call("PUT", "dev/faults", null, { seed, delayMs: 500, ...weather });
  const until = Date.now() + SECONDS * 1_000;
  await Promise.all([...people.map((person) => person.live(until)), trouble(people, random, until)]);
  const { happened } = await service.call("GET", "dev/faults");
  await service.call("DELETE", "dev/faults");

  await settled(people, "A1: all is answered", ({ client }) => client.unsent === 0);
  const token = await service.token({ participant: people[0].id });
  const logs = Object.fromEntries(await Promise.all(rooms.map(async (name) => [name, await log(token, name)])));
  await settled(people, "R1: all is seen", (person) =>
    person.names.every((name) => {
      const room = person.rooms[name];
      return room.state.name === "live" && room.cursor.after === logs[name].length && room.pending.length === 0;
    }));
  for (const person of people) {
    for (const name of person.names) {
      await check(person, name, logs[name]);
    }
    assert.deepEqual(await person.kept(), [], person.id);
    assert.deepEqual(person.failures, [], person.id);
  }
  const count = Object.values(logs).flat().length;
  const repeats = people.reduce((sum, person) => sum + person.repeats, 0);
  context.diagnostic(`POSTROOM_SEED=${seed}, ${SECONDS} s: ${count} commands, ${repeats} acked as repeats, ${JSON.stringify(happened)}`);
  for (const fault of FAULTS) {
    assert.ok(happened[fault] > 0, `the weather was too fine: ${fault}`);
  }
}

async function check({ id, sent, rooms }, name, messages) {
  assert.deepEqual(messages.map(({ seq }) => seq), messages.map((_, at) => at + 1), `N1: ${name}`);
  const accepted = messages.filter(({ author }) => author.id === id).map((each) => each.clientMessageId);
  assert.deepEqual(accepted, sent[name], `A1 N2: ${id} in ${name}`);
  const room = rooms[name];
  while (room.earlier) {
    assert.ok(await room.loadEarlier(100), `R6: ${id} in ${name}`);
  }
  assert.deepEqual(room.messages.map(({ own, ...message }) => message), messages, `R1 R6: ${id} in ${name}`);
}

const first = Number(process.env.POSTROOM_SEED ?? Date.now() % 1_000_000);
for (let seed = first; seed < first + Number(process.env.POSTROOM_SEEDS ?? 1); seed++) {
  test(`A1 A2 N1 N2 N3 R1 R4 R6 F3 thirty clients in bad weather, seed ${seed}`, (context) => storm(seed, context));
}
