// The commands of one room, without a socket: order, repeats, parking.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Commands } from "../../../main/resources/META-INF/resources/client/commands.js";
import { fromStored, newEntry } from "../../../main/resources/META-INF/resources/client/entry.js";
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

test("ACC-15 one whose message is in view needs no asking: it is sent at any age, or answered by it", () => {
  const commands = filled("old", "older");
  commands.saw({ clientMessageId: "old", text: "old", seq: 3 });
  take(commands, { now: 2 * HOUR_MS });
  assert.deepEqual(states(commands), ["sent", "failed"]);
  commands.saw({ clientMessageId: "older", text: "older", seq: 4 });
  assert.deepEqual(states(commands), ["sent", "acked"]);
  const [, older] = commands.all;
  assert.deepEqual([older.ack.seq, older.ack.duplicate, older.failure], [4, true, null]);
  assert.deepEqual([commands.pending, take(commands, { now: 2 * HOUR_MS })], [[], []]);
});

test("A8 a refusal of a repeat is no refusal of what is in view, nor are limits that shrank", () => {
  for (const code of ["forbidden", "too_large", "invalid"]) {
    const commands = filled("a");
    take(commands);
    commands.lose();
    take(commands);
    commands.saw({ clientMessageId: "a", text: "a", seq: 7 });
    commands.refused(refusal(code, false, { clientMessageId: "a" }));
    const [entry] = commands.all;
    assert.deepEqual([entry.state, entry.ack.seq, commands.unsent], ["acked", 7, 0], code);
    commands.settle(() => false);
    assert.deepEqual(commands.all, [], code);
  }
  const shrunk = filled("too long by now");
  shrunk.saw({ clientMessageId: "too long by now", text: "too long by now", seq: 1 });
  assert.deepEqual(take(shrunk, { limits: { ...LIMITS, textBytes: 3 } }), []);
  assert.deepEqual(states(shrunk), ["acked"]);
});

test("A3 a denial is one whatever is in view, and shows", () => {
  for (const code of ["id_conflict", "stale_head"]) {
    const commands = filled("a");
    take(commands);
    commands.lose();
    take(commands);
    commands.saw({ clientMessageId: "a", text: "a", seq: 7 });
    commands.refused(refusal(code, false, { clientMessageId: "a" }));
    assert.deepEqual(commands.pending.map(({ state, failure }) => [state, failure.code, failure.uncertain]),
      [["failed", code, undefined]]);
  }
});

test("A8 what is refused though a copy may have been accepted says so, until that is known", () => {
  const ways = {
    "the first copy": [() => {}, undefined],
    "after a loss": [(commands) => commands.lose(), true],
    "after an answer that did not come": [(commands) => commands.repeatOverdue(1), true],
    "after a temporary error": [
      (commands) => commands.refused(refusal("unavailable", true, { clientMessageId: "a" })), true,
    ],
    "after a token that had ended": [
      (commands) => commands.refused(refusal("unauthorized", false, { clientMessageId: "a" })), undefined,
    ],
  };
  for (const [way, [happens, uncertain]] of Object.entries(ways)) {
    const commands = filled("a");
    take(commands);
    happens(commands);
    take(commands);
    commands.refused(refusal("forbidden", false, { clientMessageId: "a" }));
    const [entry] = commands.all;
    assert.deepEqual([entry.failure.code, entry.failure.uncertain], ["forbidden", uncertain], way);
    commands.requeue(entry, 1, "ann");
    take(commands);
    commands.refused(refusal("forbidden", false, { clientMessageId: "a" }));
    assert.equal(entry.failure.uncertain, uncertain, `${way}, and again`);
    commands.saw({ clientMessageId: "a", text: "a", seq: 9 });
    assert.deepEqual([entry.state, commands.pending], ["acked", []], way);
  }
});

test("A8 what an earlier page left says so when it is parked, unless that page knew", () => {
  const kept = { id: "a", room: "r", text: "a", participant: "ann", owner: "", createdAt: 0, wantedAt: 0, place: 0 };
  const parked = (failure) => fromStored({ ...kept, failure });
  const commands = new Commands(() => {});
  commands.restore([parked(null)]);
  take(commands, { now: 2 * HOUR_MS });
  assert.deepEqual([commands.all[0].failure.code, commands.all[0].failure.uncertain], ["too_old", true]);
  assert.ok(!parked({ code: "forbidden", message: "" }).doubt);
  assert.ok(parked({ code: "forbidden", message: "", uncertain: true }).doubt);
});

test("A3 other text under the same id is not its message", () => {
  const commands = filled("a");
  commands.saw({ clientMessageId: "a", text: "something else", seq: 1 });
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
