// Waits: the timer, the back-off, the plan for coming back, the heartbeat, the renewal of tokens.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Backoff } from "../../../main/resources/META-INF/resources/client/backoff.js";
import { Comeback } from "../../../main/resources/META-INF/resources/client/comeback.js";
import { Heartbeat } from "../../../main/resources/META-INF/resources/client/heartbeat.js";
import { Renewal } from "../../../main/resources/META-INF/resources/client/renewal.js";
import { Timer } from "../../../main/resources/META-INF/resources/client/timer.js";
import { HeldClock, World, settle } from "./world.js";

const loss = (code, more = {}) => ({
  code, reason: "", drainedMs: null, onlineMs: null, ...more,
});

test("a timer has one call at most, and a stopped one does not come", async () => {
  const clock = new HeldClock();
  const timer = new Timer(clock);
  const came = [];
  timer.start(10, () => came.push("first"));
  timer.start(20, () => came.push("second"));
  await clock.advance(15);
  assert.ok(timer.isPending);
  await clock.advance(5);
  timer.start(5, () => came.push("stopped"));
  timer.stop();
  await clock.advance(100);
  assert.deepEqual(came, ["second"]);
  assert.ok(!timer.isPending);
});

test("a timer's call may set it anew", async () => {
  const clock = new HeldClock();
  const timer = new Timer(clock);
  let calls = 0;
  timer.start(1, function again() {
    calls++;
    timer.start(1, again);
  });
  await clock.advance(3);
  assert.equal(calls, 3);
});

test("NET-01 full jitter: from nothing to a bound that doubles and then stays", () => {
  const bounds = (random) => {
    const backoff = new Backoff(() => random, { firstMs: 100, longestMs: 1_000 });
    return Array.from({ length: 6 }, () => backoff.next());
  };
  assert.deepEqual(bounds(0.5), [50, 100, 200, 400, 500, 500]);
  assert.deepEqual(bounds(0), [0, 0, 0, 0, 0, 0]);
  const worn = new Backoff(() => 0, { firstMs: 100, longestMs: 1_000 });
  assert.ok(Array.from({ length: 2_000 }, () => worn.next()).every((delay) => delay === 0));
});

test("the server's waits are kept to, its final closes are final", () => {
  const comeback = new Comeback(() => 0.5);
  const named = comeback.after(loss(1013, { reason: "full; retryAfterMs=4200" }));
  assert.deepEqual([named.kind, named.delayMs, named.asked], ["wait", 4200, true]);
  assert.equal(comeback.after(loss(1012, { drainedMs: 77 })).delayMs, 77);
  for (const code of [4400, 4403, 4409]) {
    assert.equal(comeback.after(loss(code)).kind, "stop", `${code}`);
  }
  for (const code of [1000, 1001, 1006, 1009, 1011, 1012, 1013, 4408, 4999]) {
    assert.deepEqual(comeback.after(loss(code)).asked, false, `${code}`);
  }
});

test("every failure before a welcome counts; a steady connection forgives, a short one does not", () => {
  const comeback = new Comeback(() => 0.5);
  const delay = (onlineMs) => comeback.after(loss(1006, { onlineMs })).delayMs;
  assert.deepEqual([null, null, 5, 9_999].map(delay), [500, 1_000, 2_000, 4_000]);
  assert.equal(delay(10_000), 500);
});

test("AUTH-03 fresh tokens that are refused again end the trying; one that expired does not", () => {
  const comeback = new Comeback(() => 0.5);
  assert.equal(comeback.after(loss(4401, { onlineMs: 50_000 })).kind, "wait");
  assert.equal(comeback.after(loss(4401)).kind, "wait");
  assert.equal(comeback.after(loss(4401)).kind, "unauthorized");
  comeback.welcomed();
  assert.equal(comeback.after(loss(4401)).kind, "wait");
});

test("NET-04 NET-08 the heartbeat asks, takes any frame for an answer, and sees a sleep", async () => {
  const clock = new HeldClock();
  const seen = [];
  const heartbeat = new Heartbeat(clock, () => seen.push("ping"), (why) => seen.push(why));
  heartbeat.start(10_000);
  await clock.advance(10_000);
  heartbeat.heard();
  await clock.advance(20_000);
  assert.deepEqual(seen, ["ping", "ping", "ping"]);
  await clock.advance(10_000);
  assert.equal(seen.at(-1), "no sign of life");
  heartbeat.start(10_000);
  assert.ok(!heartbeat.isStale);
  clock.sleep(20_001);
  assert.ok(heartbeat.isStale);
});

test("NET-05 a probe that is not answered in three seconds is the end, an answered one is not", async () => {
  const clock = new HeldClock();
  const dead = [];
  const heartbeat = new Heartbeat(clock, () => {}, (why) => dead.push(why));
  heartbeat.start(15_000);
  heartbeat.probe();
  await clock.advance(2_000);
  heartbeat.heard();
  await clock.advance(4_000);
  assert.deepEqual(dead, []);
  heartbeat.probe();
  await clock.advance(3_000);
  assert.equal(dead.length, 1);
});

test("AUTH-01 a token is renewed before it expires, and tried again when that fails", async () => {
  const clock = new HeldClock();
  const given = [];
  let fails = true;
  const renewal = new Renewal(clock, async () => {
    if (fails) {
      fails = false;
      throw new Error("offline");
    }
    return "fresh";
  }, (token) => given.push([clock.now(), token]));
  const start = clock.now();
  renewal.start(new Date(start + 600_000).toISOString());
  await clock.advance(549_000);
  assert.deepEqual(given, []);
  await clock.advance(10_000);
  assert.deepEqual(given, [[start + 550_000, "fresh"]]);
  renewal.stop();
  assert.equal(clock.pending, 0);
});

test("AUTH-03 by a clock that is wrong no token is fetched in a loop", async () => {
  const clock = new HeldClock();
  let fetched = 0;
  const renewal = new Renewal(clock, async () => `${++fetched}`, () => {
    renewal.start(new Date(clock.now() - 3_600_000).toISOString());
  });
  renewal.start(new Date(clock.now() - 3_600_000).toISOString());
  await clock.advance(600_000);
  assert.ok(fetched <= 10, `${fetched}`);
});

test("a clock that cannot take a call back is as good", () => {
  const calls = [];
  const timer = new Timer({ now: () => 0, setTimeout: (run) => calls.push(run), clearTimeout() {} });
  const came = [];
  timer.start(1, () => came.push("first"));
  timer.start(1, () => came.push("second"));
  calls.forEach((call) => call());
  timer.start(1, () => came.push("stopped"));
  timer.stop();
  calls.forEach((call) => call());
  assert.deepEqual(came, ["second"]);
});

test("NET-04 a clock that is set back hides no silence, one that is set forward costs one connection at most", async () => {
  const clock = new HeldClock();
  const heartbeat = new Heartbeat(clock, () => {}, () => {});
  heartbeat.start(10_000);
  clock.setBack(3_600_000);
  assert.ok(!heartbeat.isStale);
  clock.sleep(20_001);
  assert.ok(heartbeat.isStale);
  heartbeat.heard();
  assert.ok(!heartbeat.isStale);
  clock.setBack(-3_600_000);
  assert.ok(heartbeat.isStale, "it may have slept");
  heartbeat.heard();
  assert.ok(!heartbeat.isStale);
});

test("AUTH-01 what is no token is not sent, and the next try is made", async () => {
  const clock = new HeldClock();
  const given = [];
  const answers = ["", undefined, null, 7, "fresh"];
  const renewal = new Renewal(clock, async () => answers.shift(), (token) => given.push(token));
  renewal.start(new Date(clock.now() + 50_000).toISOString());
  await clock.advance(40_000 + 40_000);
  assert.deepEqual(given, ["fresh"]);
  renewal.stop();
});

test("AUTH-01 a token that does not come is not asked for again at once, and a late one does not replace a newer", async () => {
  const clock = new HeldClock();
  const given = [];
  const asked = [];
  const renewal = new Renewal(clock, () => new Promise((go) => asked.push(go)), (token) => given.push(token));
  renewal.start(new Date(clock.now() + 50_000).toISOString());
  await clock.advance(40_000);
  assert.equal(asked.length, 1);
  await clock.advance(19_999);
  assert.equal(asked.length, 1, "one at a time");
  await clock.advance(10_001);
  assert.equal(asked.length, 2);
  asked[1]("newer");
  await settle();
  asked[0]("late");
  await settle();
  assert.deepEqual(given, ["newer"]);
  renewal.stop();
  assert.equal(clock.pending, 0);
});

test("a clock that is set back does not make the wait for an answer longer", async () => {
  const world = new World();
  const { client, room } = await world.joined(0, { ackTimeoutMs: 10_000 });
  const command = room.send("hello");
  await settle();
  world.clock.setBack(3_600_000);
  await world.clock.advance(10_000);
  assert.deepEqual(world.sends, [command.id, command.id]);
  client.close();
});
