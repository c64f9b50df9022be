// The page's Room on a socket that the test plays: cases by id of shared promises (A, N, R) and of
// the protocol document (PR).
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { mock, test } from "node:test";
import {
  EPOCH, sockets, tokens, turn, last, welcome, snapshot,
  delta, body, event, ack, refusal, seqs, joined, rejoined,
} from "./played.js";

test("PR-21 the token goes into the second sub-protocol, not into the URL", async () => {
  await joined();
  assert.equal(last().url, "ws://x/ws");
  assert.deepEqual(last().protocols, [
    "postroom.v1",
    "quarkus-http-upgrade%23Authorization%23Bearer%20token-1",
  ]);
});

test("ACC-17 command, ack, live event and replay in any order: one message, nothing pending", async () => {
  const orders = [
    ["ack", "event"], ["event", "ack"], ["replay", "ack"], ["ack", "replay"],
    ["event", "replay", "ack"], ["ack", "event", "replay"],
  ];
  for (const order of orders) {
    const room = await joined();
    room.send("hello", "k1");
    for (const what of order) {
      if (what === "replay") {
        room.cut();
        await rejoined(room, delta(1, room.cursor.after === 0 ? [body(1)] : []));
      } else {
        last().hear(what === "ack" ? ack("k1", 1) : event(1));
      }
    }
    last().hear(event(1));
    assert.deepEqual(seqs(room), [1], order.join());
    assert.deepEqual(room.pending, [], order.join());
  }
});

test("A1 what has no ack is repeated after a loss: same ids, same order, after the join's answer", async () => {
  const room = await joined();
  ["a", "b", "c"].forEach((id) => room.send(id, id));
  last().hear(ack("a", 1));
  room.cut();
  room.send("d", "d");
  mock.timers.tick(10_000);
  await turn();
  last().open();
  assert.deepEqual(last().said[0], { type: "join", room: "r", cursor: { epoch: EPOCH, after: 0 } });
  assert.deepEqual(last().sends, []);
  last().hear(welcome, delta(2, [body(1, "a"), body(2, "b")]));
  assert.deepEqual(last().sends, ["b", "c", "d"]);
  last().hear(ack("b", 2, true), ack("c", 3), ack("d", 4), event(3, "c"), event(4, "d"));
  assert.deepEqual(room.pending, []);
  assert.equal(room.answers.get("b")[0].duplicate, true);
  assert.deepEqual(seqs(room), [1, 2, 3, 4]);
});

test("N2 PR-33 after a temporary error the first unanswered command is repeated first", async () => {
  const room = await joined();
  ["a", "b", "c"].forEach((id) => room.send(id, id));
  last().hear(refusal("a", "busy", true, { retryAfterMs: 100 }));
  room.send("d", "d");
  assert.deepEqual(last().sends, ["a", "b", "c"], "nothing new behind a failed one");
  mock.timers.tick(100);
  assert.deepEqual(last().sends, ["a", "b", "c"], "b and c are still under way");
  last().hear(refusal("b", "busy", true, { retryAfterMs: 50 }));
  last().hear(refusal("c", "busy", true, { retryAfterMs: 50 }));
  mock.timers.tick(50);
  assert.deepEqual(last().sends, ["a", "b", "c", "a", "b", "c", "d"]);
});

test("PR-13 no more under way than half of what the server allows", async () => {
  const room = await joined();
  for (let i = 0; i < 100; i++) {
    room.send("x", `k${i}`);
  }
  assert.equal(last().sends.length, 32);
  last().hear(ack("k0", 1));
  assert.equal(last().sends.length, 33);
});

test("A3 a permanent error ends the command and is kept to be shown", async () => {
  const room = await joined();
  room.send("other", "k1");
  last().hear(refusal("k1", "id_conflict", false, { messageId: "m1", seq: 1 }));
  assert.deepEqual(room.pending, []);
  assert.equal(room.answers.get("k1")[0].code, "id_conflict");
});

test("R1 R4 a snapshot replaces the view and leaves what is pending", async () => {
  const room = await joined(2, [body(1), body(2)]);
  room.send("mine", "p");
  room.cut();
  await rejoined(room, { ...snapshot(1, [body(1)]), epoch: "e2" });
  assert.deepEqual(room.cursor, { epoch: "e2", after: 1 });
  assert.deepEqual(seqs(room), [1]);
  assert.deepEqual(last().sends, ["p"]);
});

test("R1 a catch-up in several deltas moves the cursor; what comes twice is dropped", async () => {
  const room = await joined(1, [body(1)]);
  last().hear(delta(3, [body(2), body(3)], true), delta(4, [body(4)]), event(4), event(2), event(5));
  assert.deepEqual(seqs(room), [1, 2, 3, 4, 5]);
  assert.deepEqual(room.cursor, { epoch: EPOCH, after: 5 });
});

test("R1 a hole is not shown: the room is joined again from the cursor", async () => {
  const room = await joined(1, [body(1)]);
  last().hear(event(3), event(4));
  assert.deepEqual(seqs(room), [1]);
  assert.deepEqual(last().said.slice(1), [
    { type: "join", room: "r", cursor: { epoch: EPOCH, after: 1 } },
  ]);
  last().hear(delta(4, [body(2), body(3), body(4)]));
  assert.deepEqual(seqs(room), [1, 2, 3, 4]);
});

test("REC-07 a socket that was replaced has nothing more to say", async () => {
  const room = await joined();
  const old = last();
  room.cut();
  assert.ok(old.closed);
  old.hear(event(1));
  old.onclose({ code: 4400, reason: "" });
  assert.deepEqual(seqs(room), []);
  assert.equal(room.state, "waiting");
  await rejoined(room, delta(0));
  assert.equal(room.state, "live");
});

test("R6 older pages go in front and do not move the cursor", async () => {
  const room = await joined(4, [body(3), body(4)]);
  room.earlier = true;
  room.loadEarlier();
  assert.deepEqual(last().said.at(-1), { type: "history", room: "r", before: 3 });
  last().hear({
    type: "history", room: "r", epoch: EPOCH, messages: [body(1), body(2)], earlier: false,
  });
  assert.deepEqual(seqs(room), [1, 2, 3, 4]);
  assert.equal(room.cursor.after, 4);
});

test("closes: 4400 is final, 4401 asks for a new token, 1012 waits as drain said", async () => {
  const abused = await joined();
  last().onclose({ code: 4400, reason: "" });
  mock.timers.tick(60_000);
  assert.equal(abused.state, "stopped");

  const before = tokens;
  await joined();
  last().onclose({ code: 4401, reason: "" });
  mock.timers.tick(10_000);
  await turn();
  assert.equal(tokens, before + 2);

  await joined();
  last().hear({ type: "drain", room: "r", reason: "restart", withinMs: 1, retryAfterMs: 30_000 });
  const count = sockets.length;
  last().onclose({ code: 1012, reason: "" });
  mock.timers.tick(29_999);
  await turn();
  assert.equal(sockets.length, count);
  mock.timers.tick(1);
  await turn();
  assert.equal(sockets.length, count + 1);
});

test("closes: 1013 waits as its reason says", async () => {
  await joined();
  const count = sockets.length;
  last().onclose({ code: 1013, reason: "Full; retryAfterMs=20000" });
  mock.timers.tick(19_999);
  await turn();
  assert.equal(sockets.length, count);
  mock.timers.tick(1);
  await turn();
  assert.equal(sockets.length, count + 1);
});

test("twice the heartbeat without a sign of life is a dead socket", async () => {
  const room = await joined();
  mock.timers.tick(25_000);
  assert.equal(last().said.at(-1).type, "ping");
  last().hear({ type: "pong" });
  mock.timers.tick(50_000);
  assert.equal(room.state, "live");
  mock.timers.tick(25_000);
  assert.notEqual(room.state, "live");
});

test("every golden server frame, and one from the future, is heard", async () => {
  const goldens = new URL("../resources/golden/", import.meta.url);
  for (const file of (await readdir(goldens)).filter((name) => name.startsWith("server-"))) {
    const room = await joined();
    last().hear(JSON.parse(await readFile(new URL(file, goldens), "utf8")), { type: "future" });
    assert.ok(room.state, file);
  }
});
