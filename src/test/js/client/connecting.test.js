// The connection, by what its socket is told and what the page sees.
import assert from "node:assert/strict";
import { test } from "node:test";
import { UnauthorizedError } from "../../../main/resources/META-INF/resources/client/index.js";
import { ANN, BOB, World, ack, body, delta, live, refusal, seqs, setEvery, settle, snapshot, welcome } from "./world.js";

const inMs = (world, ms) => new Date(world.clock.now() + ms).toISOString();

test("REC-16 one stream of states for all paths", async () => {
  const world = new World();
  const client = world.client();
  const seen = [];
  client.on("state", (state) => seen.push(state.name));
  await settle();
  await world.hear(welcome());
  await world.close(1006);
  await world.clock.advance(500);
  await world.hear(welcome());
  client.close();
  assert.deepEqual(seen, ["online", "waiting", "connecting", "online", "closed"]);
  assert.equal(client.state.name, "closed");
  assert.equal(world.socket.closedWith, 1000);
  assert.equal(world.clock.pending, 0, "nothing is left running");
});

test("AUTH-01 a token is fetched anew before each attempt", async () => {
  const world = new World();
  world.client();
  await settle();
  await world.close(1006);
  await world.clock.advance(500);
  assert.match(world.socket.protocols[1], /token-2$/);
});

test("every failure before the welcome makes the wait longer: token, constructor, close, silence", async () => {
  const world = new World();
  const waits = [];
  let step = 0;
  class Refusing {
    constructor() {
      if (step === 2) {
        throw new Error("SecurityError");
      }
      world.sockets.push(this);
    }
    close() {}
  }
  const token = async () => {
    step++;
    if (step === 1) {
      throw new Error("offline");
    }
    return "t";
  };
  const client = world.client({ token, WebSocket: Refusing });
  client.on("error", () => {});
  client.on("state", (state) => state.name === "waiting" && waits.push(state.until - world.clock.now()));
  await settle();
  await world.clock.advance(500);
  await world.clock.advance(1_000);
  await world.close(1006);
  await world.clock.advance(2_000);
  await world.clock.advance(20_000);
  assert.deepEqual(waits, [500, 1_000, 2_000, 4_000]);
});

test("AUTH-03 nobody signed in, or tokens refused again: unauthorized, until somebody asks again", async () => {
  const world = new World();
  let signedIn = false;
  const client = world.client({
    token: async () => {
      if (!signedIn) {
        throw new UnauthorizedError();
      }
      return "t";
    },
  });
  await settle();
  assert.equal(client.state.name, "unauthorized");
  await world.clock.advance(3_600_000);
  assert.equal(world.sockets.length, 0, "no loop");
  signedIn = true;
  client.reconnect();
  await settle();
  await world.hear(refusal("unauthorized", false, { room: undefined }));
  await world.close(4401);
  await world.clock.advance(30_000);
  await world.close(4401);
  assert.equal(client.state.name, "unauthorized");
  client.reconnect();
  await settle();
  await world.hear(welcome());
  assert.equal(client.state.name, "online");
});

test("AUTH-07 PR-36 the token is renewed on the open socket; the welcome to it is no new beginning", async () => {
  const world = new World();
  const { room } = await world.joined(3);
  await world.hear(welcome({ tokenExpiresAt: inMs(world, 100_000) }));
  room.send("pending");
  await settle();
  const heard = setEvery(world, 10_000);
  await world.clock.advance(80_000);
  heard.stop();
  assert.deepEqual(world.said.filter(({ type }) => type === "auth"), [{ type: "auth", token: "token-2" }]);
  await world.hear(welcome({ tokenExpiresAt: inMs(world, 100_000) }));
  assert.equal(world.joins.length, 1);
  assert.equal(world.sockets.length, 1);
  await world.hear(ack("id-1", 4), live(body(4, "id-1", ANN, "pending")));
  assert.deepEqual(seqs(room), [1, 2, 3, 4]);
});

test("NET-05 online and visibility cut the wait, but not one that the server asked for", async () => {
  const world = new World();
  const client = world.client();
  await settle();
  await world.close(1006);
  world.window.dispatchEvent(new Event("online"));
  await settle();
  assert.equal(world.sockets.length, 2);
  await world.close(1013, "full; retryAfterMs=9000");
  world.window.dispatchEvent(new Event("visibilitychange"));
  await settle();
  assert.equal(world.sockets.length, 2);
  assert.equal(client.state.until, world.clock.now() + 9_000);
  await world.clock.advance(9_000);
  assert.equal(world.sockets.length, 3);
});

test("NET-05 a socket over a network that changed is given up after three seconds", async () => {
  const world = new World();
  await world.joined();
  world.window.dispatchEvent(new Event("online"));
  assert.deepEqual(world.said.at(-1), { type: "ping" });
  await world.clock.advance(3_000);
  assert.ok(!world.socket.isOpen || world.sockets.length === 2);
});

test("NET-04 after a sleep nothing is written to the dead socket; it is sent on the next", async () => {
  const world = new World();
  const { room } = await world.joined();
  world.clock.sleep(600_000);
  const command = room.send("good morning");
  await settle();
  assert.deepEqual(world.sends, []);
  assert.equal(command.state, "queued");
  await world.clock.advance(500);
  await world.hear(welcome(), delta(0));
  assert.deepEqual(world.sends, [command.id]);
});

test("PR-48 drain: nothing more is written, and the wait is the one that was asked for", async () => {
  const world = new World();
  const { client, room } = await world.joined();
  await world.hear({ type: "drain", reason: "restart", withinMs: 5_000, retryAfterMs: 1_234 });
  const command = room.send("later");
  await settle();
  assert.deepEqual(world.sends, []);
  await world.close(1012);
  assert.equal(client.state.until, world.clock.now() + 1_234);
  await world.clock.advance(1_234);
  await world.hear(welcome(), delta(0));
  assert.deepEqual(world.sends, [command.id]);
});

test("PR-48 a node that drains and does not close is left", async () => {
  const world = new World();
  const { client } = await world.joined();
  await world.hear({ type: "drain", reason: "restart", withinMs: 1_000, retryAfterMs: 500 });
  await world.clock.advance(3_000);
  assert.equal(client.state.name, "waiting");
});

test("final closes end it, with the reason, until the page asks again", async () => {
  for (const code of [4400, 4403, 4409]) {
    const world = new World();
    const { client } = await world.joined();
    await world.close(code);
    assert.equal(client.state.name, "closed", `${code}`);
    await world.clock.advance(3_600_000);
    assert.equal(world.sockets.length, 1);
    client.reconnect();
    await settle();
    assert.equal(world.sockets.length, 2);
  }
});

test("ORD-08 REC-07 what an earlier socket still says is dropped", async () => {
  const world = new World();
  const { client, room } = await world.joined(1);
  const old = world.socket;
  client.reconnect();
  await settle();
  await world.hear(welcome());
  old.onmessage({ data: JSON.stringify(live(2)) });
  old.onclose({ code: 4403, reason: "" });
  await world.hear(delta(2, [body(2)]));
  assert.deepEqual(seqs(room), [1, 2]);
  assert.equal(client.state.name, "online");
});

test("NET-06 a server that answers pings but no join is left", async () => {
  const world = new World();
  const client = world.client({ ackTimeoutMs: 20_000 });
  await settle();
  client.join("r");
  await world.hear(welcome());
  const heard = setEvery(world, 5_000);
  await world.clock.advance(20_000);
  heard.stop();
  assert.ok(world.sockets.length === 2 || client.state.name === "waiting");
});

test("TXT-03 a 1009 parks the longest that was under way; the others are sent again", async () => {
  const world = new World();
  const { room } = await world.joined();
  const [short, long] = [room.send("short"), room.send("a good deal longer")];
  await settle();
  await world.close(1009);
  assert.deepEqual([short.state, long.state, long.failure.code], ["queued", "failed", "too_large"]);
  await world.clock.advance(500);
  await world.hear(welcome(), delta(0));
  assert.deepEqual(world.sends, [short.id]);
});

test("another participant on the same client sees and sends nothing of the one before", async () => {
  const world = new World();
  const { client, room } = await world.joined(2);
  const anns = room.send("Ann's");
  await settle();
  await world.cut(welcome({ participant: BOB }));
  assert.deepEqual([seqs(room), room.cursor, room.pending], [[], null, []]);
  await world.hear(snapshot(1, [body(1)]));
  assert.deepEqual(world.sends, []);
  await world.cut(welcome(), snapshot(1, [body(1)]));
  assert.deepEqual(world.sends, [anns.id], "still kept");
  assert.equal(client.me.id, "ann");
});
