// A condition on the head in rooms whose epoch changes: numbers of different epochs are not comparable.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage } from "../../../main/resources/META-INF/resources/client/index.js";
import { ANN, World, ack, bodies, body, delta, live, refusal, settle, snapshot, welcome } from "./world.js";

const NEVER = 2 ** 53 - 1;
const e2 = { epoch: "e2" };
const heads = (world) => world.said.filter(({ type }) => type === "send").map(({ ifHead }) => ifHead);
/** Messages of another history than that of `bodies`. */
const others = (from, to) =>
  bodies(from, to).map((each) => ({ ...each, messageId: `other ${each.seq}`, text: "unread" }));

/** A command on top of 3, unanswered, and then a socket that says this. */
async function queued(ifHead, ...frames) {
  const world = new World();
  const { client, room } = await world.joined(3);
  const command = room.send("hello", { ifHead });
  await settle();
  await world.cut(welcome(), ...frames);
  return { world, client, room, command };
}

test("R4 a condition of another epoch is not met by other messages with the same numbers", async () => {
  const { world, room, command } = await queued(3, snapshot(3, others(1, 3), e2));
  assert.deepEqual([heads(world), command.ifHead], [[NEVER], NEVER]);
  await world.hear(refusal("stale_head", false, { clientMessageId: command.id, head: 3 }));
  assert.deepEqual([command.failure.code, command.failure.head, command.failure.uncertain], ["stale_head", 3, undefined]);
  const edited = command.edit("hello again");
  await settle();
  assert.deepEqual([heads(world).at(-1), room.pending], [NEVER, [edited]], "nobody has read them yet");
  room.send("having read", { ifHead: 3 });
  await settle();
  assert.equal(heads(world).at(-1), 3);
});

test("R4 A2 a repeat under another epoch still hears of the first, if that survived", async () => {
  const { world, command } = await queued(3, snapshot(4, others(1, 4), e2));
  await world.hear(ack(command.id, 2, { ...e2, duplicate: true }));
  assert.deepEqual([command.state, command.seq, command.duplicate], ["acked", 2, true]);
});

test("R4 a condition holds on in another epoch where the very message is there, and on an empty room", async () => {
  const same = await queued(3, snapshot(3, bodies(1, 3), e2));
  assert.deepEqual([heads(same.world), same.command.ifHead], [[3], 3]);
  const more = await queued(3, snapshot(4, bodies(1, 4), e2));
  assert.deepEqual(heads(more.world), [3], "for the server to refuse");
  const empty = await queued(0, snapshot(0, [], e2));
  assert.deepEqual(heads(empty.world), [0]);
  const gone = await queued(3, snapshot(2, bodies(1, 2), e2));
  assert.deepEqual(heads(gone.world), [NEVER], "the next 3 is another one");
});

test("R4 REC-20 a command of an older epoch is not taken for seen by a message of the newer one", async () => {
  const world = new World();
  const { room } = await world.joined(3);
  const command = room.send("hello", { ifHead: 3 });
  await settle();
  await world.hear(live(body(4, command.id, ANN, "hello")));
  assert.deepEqual(room.pending, []);
  await world.cut(welcome(), snapshot(3, bodies(1, 3), e2));
  assert.deepEqual([room.pending, world.sends, heads(world)], [[command], [command.id], [3]]);
  await world.hear(refusal("forbidden", false, { clientMessageId: command.id }));
  assert.deepEqual([command.state, command.failure.uncertain], ["failed", true]);
});

test("R4 what a condition stands on outlives the page", async () => {
  const world = new World();
  const storage = new MemoryStorage();
  const first = await world.joined(3, { storage });
  await world.close(1006);
  const command = first.room.send("hello", { ifHead: 3 });
  await settle();
  first.client.close();
  const client = world.client({ storage });
  await settle();
  client.join("r");
  await world.hear(welcome(), snapshot(3, others(1, 3), e2));
  assert.deepEqual([world.sends, heads(world)], [[command.id], [NEVER]]);
});

test("a condition that was given before anything was in view is sent as it is", async () => {
  const world = new World();
  const client = world.client();
  await settle();
  client.join("r").send("hello", { ifHead: 3 });
  await world.hear(welcome(), snapshot(3, bodies(1, 3)));
  await world.cut(welcome(), delta(3));
  assert.deepEqual(heads(world), [3]);
});
