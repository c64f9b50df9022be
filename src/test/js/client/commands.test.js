// The commands of one room, without a socket: order, repeats, parking.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Commands } from "../../../main/resources/META-INF/resources/client/commands.js";
import { newEntry } from "../../../main/resources/META-INF/resources/client/entry.js";
import { LIMITS, ack, refusal } from "./world.js";

const HOUR_MS = 3_600_000;
const entry = (id, more = {}) => Object.assign(newEntry({
  id, text: id, participant: "ann", createdAt: 0, wantedAt: 0, place: 0, failure: null,
}), { kept: true, ...more });
const filled = (...ids) => {
  const commands = new Commands(() => {});
  ids.forEach((id) => commands.add(typeof id === "string" ? entry(id) : id));
  return commands;
};
const take = (commands, more = {}) =>
  commands
    .takeReady({ limits: LIMITS, now: 1, maxAgeMs: HOUR_MS, most: 10, round: 1, ...more })
    .map(({ id }) => id);
const states = (commands) => commands.all.map(({ state }) => state);

test("N2 in order, no more than the window, each once", () => {
  const commands = filled("a", "b", "c");
  assert.deepEqual(take(commands, { most: 2 }), ["a", "b"]);
  assert.deepEqual(take(commands), ["c"]);
  assert.deepEqual(take(commands), []);
  assert.equal(commands.inFlight, 3);
});

test("nothing overtakes a command that is not kept yet", () => {
  const slow = entry("b", { kept: false });
  const commands = filled("a", slow, "c");
  assert.deepEqual(take(commands), ["a"]);
  slow.kept = true;
  assert.deepEqual(take(commands), ["b", "c"]);
});

test("ORD-03 PR-33 a refused one is repeated before those that were under way behind it", () => {
  const commands = filled("a", "b", "c");
  take(commands);
  assert.equal(commands.refused(refusal("busy", true, { clientMessageId: "a" })), "repeat");
  assert.equal(commands.all[0].delay.code, "busy");
  assert.deepEqual(take(commands), [], "b and c are still to be answered");
  commands.acked(ack("b", 1));
  commands.refused(refusal("busy", true, { clientMessageId: "c" }));
  assert.deepEqual(take(commands), ["a", "c"]);
});

test("A3 A7 a permanent error parks one command, and the others go on", () => {
  const commands = filled("a", "b");
  take(commands);
  const error = refusal("id_conflict", false, { clientMessageId: "a", messageId: "m9", seq: 9 });
  assert.equal(commands.refused(error), "parked");
  assert.deepEqual(commands.all[0].failure, {
    code: "id_conflict", message: "no", messageId: "m9", seq: 9,
  });
  assert.deepEqual(states(commands), ["failed", "sent"]);
  assert.equal(commands.unsent, 1);
});

test("not_joined and unauthorized are no fault of the command", () => {
  for (const code of ["not_joined", "unauthorized"]) {
    const commands = filled("a");
    take(commands);
    assert.equal(commands.refused(refusal(code, false, { clientMessageId: "a" })), "repeat");
    assert.deepEqual(take(commands), ["a"]);
  }
});

test("an answer to an earlier copy or to an unknown id changes nothing", () => {
  const commands = filled("a");
  assert.equal(commands.acked(ack("stranger", 1)), undefined);
  assert.equal(commands.refused(refusal("invalid", false, { clientMessageId: "a" })), "unknown");
  assert.equal(commands.refused(refusal("invalid", false)), "unknown");
  assert.deepEqual(states(commands), ["queued"]);
  take(commands);
  assert.equal(commands.acked(ack("a", 1)).id, "a");
  assert.equal(commands.acked(ack("a", 1, { duplicate: true })), undefined);
  assert.equal(commands.all[0].ack.duplicate, false, "the first answer stays");
});

test("A1 after a loss all that has no ack is sent again, in order, with the same ids", () => {
  const commands = filled("a", "b", "c");
  take(commands);
  commands.acked(ack("b", 1));
  commands.lose();
  commands.add(entry("d"));
  assert.deepEqual(take(commands), ["a", "c", "d"]);
});

test("ACC-15 a command over its age is parked and not sent; resent it is young and has its id", () => {
  const commands = filled("old", entry("young", { createdAt: HOUR_MS, wantedAt: HOUR_MS }));
  const now = HOUR_MS + 1;
  assert.deepEqual(take(commands, { now }), ["young"]);
  const [old] = commands.all;
  assert.equal(old.failure.code, "too_old");
  assert.ok(commands.requeue(old, now, "ann"));
  assert.ok(!commands.requeue(old, now, "ann"), "only a failed one");
  commands.acked(ack("young", 1));
  assert.deepEqual(take(commands, { now }), ["old"]);
});

test("ACC-15 one whose message is in view needs no asking", () => {
  const commands = filled("old", "older");
  commands.saw({ clientMessageId: "old", text: "old" });
  take(commands, { now: 2 * HOUR_MS });
  assert.deepEqual(states(commands), ["sent", "failed"]);
  assert.equal(commands.saw({ clientMessageId: "older", text: "older" }).id, "older");
  assert.deepEqual(take(commands, { now: 2 * HOUR_MS }), ["older"]);
});

test("A3 other text under the same id is not its message", () => {
  const commands = filled("a");
  commands.saw({ clientMessageId: "a", text: "something else" });
  assert.equal(commands.pending.length, 1);
});

test("TXT-03 A7 what the server would refuse is parked and not sent, in the server's unit", () => {
  const text = "ä".repeat(LIMITS.textBytes / 2);
  const commands = filled(entry("fits", { text }), entry("not", { text: `${text}x` }));
  assert.deepEqual(take(commands), ["fits"]);
  assert.equal(commands.all[1].failure.code, "too_large");
  const bad = filled(entry("0", { text: "a\0" }), entry("s", { text: "\ud800" }), entry("e", { text: "" }));
  assert.deepEqual(take(bad), []);
  assert.ok(bad.all.every(({ failure }) => failure.code === "invalid" && failure.field === "text"));
});

test("what may have been accepted is not discarded", () => {
  const commands = filled("a", "b");
  take(commands, { most: 1 });
  const [a, b] = commands.all;
  assert.ok(!commands.discard(a));
  commands.lose();
  assert.ok(!commands.discard(a), "it was written once");
  assert.ok(commands.discard(b));
  commands.restore([entry("earlier")]);
  assert.ok(!commands.discard(commands.all[0]), "another page may have written it");
});

test("an answer that does not come is asked for again, with all behind it", () => {
  const commands = filled("a", "b");
  take(commands, { most: 1, now: 100, round: 1 });
  take(commands, { now: 200, round: 2 });
  commands.repeatOverdue(0);
  assert.deepEqual(take(commands), []);
  commands.repeatOverdue(1);
  assert.deepEqual(take(commands), ["a", "b"]);
});

test("R4 an acked command has its bubble until the view covers its number", () => {
  const commands = filled("a");
  take(commands);
  commands.acked(ack("a", 7));
  commands.settle(({ seq }) => seq <= 6);
  assert.equal(commands.pending.length, 1);
  commands.settle(({ seq }) => seq <= 7);
  assert.equal(commands.all.length, 0);
});
