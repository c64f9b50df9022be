// Whatever is called from a handler counts: nothing that was under way when it was told undoes it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage } from "../../../main/resources/META-INF/resources/client/index.js";
import {
  ANN, World, ack, bodies, body, delta, live, refusal, seqs, settle, snapshot, welcome,
} from "./world.js";

const HOUR_MS = 3_600_000;

const CALLS = {
  reconnect: (client) => client.reconnect(),
  close: (client) => client.close(),
  leave: (client, room) => room.leave(),
  send: (client, room) => room.send("from a handler"),
  join: (client) => client.join("s"),
  rejoin: (client, room) => { room.leave(); client.join("r"); },
  earlier: (client, room) => room.loadEarlier(),
  resend: (client, room) => room.pending.forEach((each) => each.resend()),
  discard: (client, room) => room.pending.forEach((each) => each.discard()),
  edit: (client, room) => room.pending.forEach((each) => each.edit("another text")),
  throws: () => { throw new Error("a handler"); },
};
const EVENTS = {
  state: (client, room, command, handler) => client.on("state", handler),
  error: (client, room, command, handler) => client.on("error", handler),
  change: (client, room, command, handler) => room.on("change", handler),
  message: (client, room, command, handler) => room.on("message", handler),
  reset: (client, room, command, handler) => room.on("reset", handler),
  command: (client, room, command, handler) => command.on("change", handler),
};

/** Every second token cannot be had. */
const token = (world) => async () => {
  if (++world.tokens % 2 === 0) {
    throw new Error("offline");
  }
  return "t";
};

for (const [name, call] of Object.entries(CALLS)) {
  for (const [event, listen] of Object.entries(EVENTS)) {
    test(`anything may be called from any handler: ${name} in ${event}`, async () => {
      const world = new World();
      const client = world.client({ token: token(world) });
      client.on("error", () => {});
      await settle();
      const room = client.join("r");
      const command = room.send("hello");
      let times = 0;
      listen(client, room, command, () => times++ < 2 && call(client, room));
      const answers = () => world.hear(
        "no frame", welcome(), snapshot(2, [body(1), body(2)], { earlier: false }), live(3), live(4),
        refusal("busy", true, { clientMessageId: command.id }), ack(command.id, 5),
      );
      await answers();
      for (let round = 0; round < 3; round++) {
        await world.cut();
        await answers();
      }
      assert.ok(times > 0);
      const again = client.rooms.find((each) => each.name === "r");
      if (name === "close") {
        assert.equal(client.state.name, "closed");
        assert.equal(world.clock.pending, 0, "nothing is left running");
      } else if (name !== "leave") {
        assert.equal(client.state.name, "online");
        assert.deepEqual(seqs(again).slice(-2), [3, 4]);
        assert.equal(again.state.name, "live");
      }
    });
  }
}

test("who closes or reconnects when a token cannot be had is not overruled by the next try", async () => {
  for (const what of ["close", "reconnect"]) {
    const world = new World();
    const client = world.client({ token: token({ tokens: 1 }) });
    const seen = [];
    client.on("state", ({ name }) => seen.push(name));
    client.on("error", () => client[what]());
    await settle();
    assert.deepEqual([seen.at(-1), client.state.name], what === "close" ? ["closed", "closed"] : ["connecting", "connecting"]);
    assert.deepEqual([world.clock.pending, world.sockets.length], what === "close" ? [0, 0] : [1, 1]);
  }
});

test("N2 who reconnects when a command is parked has none passed over that was behind it", async () => {
  const world = new World();
  const { client, room } = await world.joined(0, { maxAgeMs: HOUR_MS });
  await world.close(1006);
  const old = room.send("of yesterday");
  world.clock.sleep(HOUR_MS + 1);
  const fresh = ["first", "second"].map((text) => room.send(text).id);
  old.on("change", ({ state }) => state === "failed" && client.reconnect());
  await world.clock.advance(500);
  await world.hear(welcome(), delta(0));
  await world.hear(welcome(), delta(0));
  assert.deepEqual(world.sends, fresh);
});

test("who discards a command in the moment it is asked for or wanted again does not find it kept", async () => {
  const storage = new MemoryStorage();
  const world = new World();
  const { client, room } = await world.joined(0, { storage, maxAgeMs: HOUR_MS });
  const end = room.on("change", () => room.pending.forEach((each) => each.discard()));
  room.send("never mind");
  await settle();
  assert.deepEqual([await storage.all(), world.sends], [[], []]);
  end();
  await world.close(1006);
  const old = room.send("of yesterday");
  world.clock.sleep(HOUR_MS + 1);
  await world.clock.advance(500);
  await world.hear(welcome(), delta(0));
  old.on("change", ({ state }) => state === "queued" && old.discard());
  assert.ok(old.resend());
  await settle();
  assert.deepEqual([await storage.all(), world.sends, client.unsent], [[], [], 0]);
});

test("who closes when a command is refused for the moment leaves no timer behind", async () => {
  const world = new World();
  const { client, room } = await world.joined();
  const command = room.send("hello");
  await settle();
  command.on("change", ({ delay }) => delay && client.close());
  await world.hear(refusal("busy", true, { clientMessageId: command.id }));
  assert.equal(world.clock.pending, 0);
});

test("R2 who reconnects when a command turns up in a snapshot is not live before the next answer", async () => {
  const world = new World();
  const { client, room } = await world.joined(0, { maxAgeMs: HOUR_MS });
  await world.close(1006);
  const old = room.send("of yesterday");
  world.clock.sleep(HOUR_MS + 1);
  await world.clock.advance(500);
  await world.hear(welcome(), delta(0));
  assert.equal(old.failure.code, "too_old");
  let resets = 0;
  room.on("reset", () => resets++);
  old.on("change", () => client.reconnect());
  await world.hear(snapshot(1, [body(1, old.id, ANN, old.text)]));
  assert.deepEqual([room.state.name, seqs(room), resets], ["joining", [1], 1]);
});

test("who joins again in the moment a room ends gets a new room", async () => {
  const world = new World();
  const { client, room } = await world.joined();
  const command = room.send("under way");
  await settle();
  let again = null;
  command.on("change", () => (again ??= client.join("r")));
  room.leave();
  assert.notEqual(again, room);
  assert.deepEqual([again.state.name, client.rooms], ["joining", [again]]);
});

test("R6 who asks for the next page in the change of the last one gets it, and each ask has its answer", async () => {
  const world = new World();
  const { client, room } = await world.joined();
  await world.hear(snapshot(9, bodies(7, 9), { earlier: true }));
  let next = null;
  room.on("change", () => (next ??= room.loadEarlier(3)));
  const page = (from, to) => ({ type: "history", room: "r", epoch: "e1", messages: bodies(from, to), earlier: from > 1 });
  const first = room.loadEarlier(3);
  await world.hear(page(4, 6));
  assert.equal(await first, true);
  assert.equal(world.said.at(-1).before, 4);
  await world.hear(page(1, 3));
  assert.equal(await next, true);
  client.close();
});
