// Waits that a server asks for, and what it says that is none.
import assert from "node:assert/strict";
import { test } from "node:test";
import { World, refusal, setEvery, settle } from "./world.js";

test("S1 a wait that the server asks for has an end, however large its number", async () => {
  const hugeMs = Number.MAX_SAFE_INTEGER;
  const ways = {
    command: async (world, room) => {
      const { id } = room.send("hello");
      await settle();
      await world.hear(refusal("busy", true, { clientMessageId: id, retryAfterMs: hugeMs }));
    },
    drain: async (world) => {
      await world.hear({ type: "drain", reason: "", withinMs: hugeMs, retryAfterMs: hugeMs });
      await world.close(1012);
    },
    admission: (world) => world.close(1013, "full; retryAfterMs=999999999"),
    join: (world, room, client) => {
      client.join("s");
      return world.hear({ ...refusal("busy", true, { retryAfterMs: hugeMs }), room: "s" });
    },
  };
  for (const [way, happens] of Object.entries(ways)) {
    const world = new World();
    const { client, room } = await world.joined();
    await happens(world, room, client);
    const before = [world.sockets.length, world.said.length];
    const heard = setEvery(world, 5_000);
    const isQuiet = async (ms) => {
      await world.clock.advance(ms);
      const said = world.said.filter(({ type }) => type !== "ping").length;
      return world.sockets.length === before[0] && said === before[1];
    };
    assert.ok(await isQuiet(599_999), way);
    assert.ok(!(await isQuiet(1)), way);
    heard.stop();
    client.close();
  }
});

test("S2 a wait that is none makes a frame that no server should say; the answer is asked for again", async () => {
  for (const retryAfterMs of [-1, 0.5, 2 ** 53, "soon"]) {
    const world = new World();
    const { client, room } = await world.joined(0, { ackTimeoutMs: 10_000 });
    const errors = [];
    client.on("error", ({ code }) => errors.push(code));
    const { id } = room.send("hello");
    await settle();
    await world.hear(refusal("busy", true, { clientMessageId: id, retryAfterMs }));
    assert.deepEqual(errors, ["malformed"]);
    await world.clock.advance(10_000);
    assert.deepEqual(world.sends, [id, id], `${retryAfterMs}`);
    client.close();
  }
});
