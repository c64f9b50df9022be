// Thousands of commands at once: what each costs does not grow with the number of the others. Looks at
// commands are counted, not seconds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Commands } from "../../../main/resources/META-INF/resources/client/commands.js";
import { newEntry } from "../../../main/resources/META-INF/resources/client/entry.js";
import { LIMITS, ack, refusal } from "./world.js";

const WINDOW = 61;

/** An entry that tells of every look at one of its fields. */
function watched(id, look) {
  const entry = newEntry({
    id, text: id, participant: "ann", createdAt: 0, wantedAt: 0, place: 0, failure: null,
  });
  return new Proxy(entry, {
    get(target, field) {
      look();
      return target[field];
    },
  });
}

/** From asked for to answered and in view, as a room does it. @returns {number} looks at commands */
function looksFor(count, { parked = 0 } = {}) {
  let looks = 0;
  const commands = new Commands(() => {});
  const all = Array.from({ length: parked + count }, (_, at) => watched(`${at}`, () => looks++));
  let head = 0;
  const isCovered = ({ seq }) => seq <= head;
  const pump = (now) => {
    const most = WINDOW - commands.inFlight;
    return commands.takeReady({ limits: LIMITS, now, maxAgeMs: 10, most });
  };
  for (const [at, entry] of all.entries()) {
    entry.wantedAt = at < parked ? 0 : 100;
    commands.add(entry);
  }
  const underway = [];
  for (const entry of all) {
    entry.kept = true;
    underway.push(...pump(100));
  }
  while (underway.length > 0) {
    const { id, text } = underway.shift();
    head++;
    commands.acked(ack(id, head));
    commands.settle(isCovered);
    commands.saw({ clientMessageId: id, text, seq: head });
    commands.settle(isCovered);
    commands.refused(refusal("busy", true, { clientMessageId: "stranger" }));
    underway.push(...pump(100));
  }
  assert.equal(head, count);
  assert.equal(commands.all.length, parked);
  assert.equal(commands.unsent, 0);
  return looks;
}

test("N2 twice as many commands cost twice as much, and those that are parked cost nothing", () => {
  const some = looksFor(1_000);
  const more = looksFor(2_000);
  assert.ok(more <= 2.1 * some, `${some} looks for 1,000 commands, ${more} for 2,000`);
  assert.ok(some <= 1_000 * 10 * WINDOW, `${some} looks for 1,000 commands`);
  const behind = looksFor(1_000, { parked: 1_000 });
  assert.ok(behind <= 2.1 * some, `${behind} looks behind 1,000 that are parked`);
});
