// The list and the cursor of one room, which never part.
import assert from "node:assert/strict";
import { test } from "node:test";
import { View } from "../../../main/resources/META-INF/resources/client/view.js";
import { ANN, bodies, body, snapshot } from "./world.js";

const numbers = (view) => view.messages.map(({ seq }) => seq);
const filled = (from, to, earlier = from > 1) => {
  const view = new View(({ author }) => author.id === ANN.id);
  view.replace(snapshot(to, bodies(from, to), { earlier }));
  return view;
};
const history = (from, to, earlier, epoch = "e1") => ({
  type: "history", room: "r", epoch, messages: bodies(from, to), earlier,
});

test("R1 a snapshot replaces list and cursor together, and may lead back (REC-12)", () => {
  const view = filled(1, 9);
  view.replace(snapshot(2, bodies(1, 2)));
  assert.deepEqual([numbers(view), view.cursor], [[1, 2], { epoch: "e1", after: 2 }]);
});

test("PR-43 REC-10 what is next, known, or a hole; never of another epoch", () => {
  const view = filled(1, 5);
  assert.deepEqual([4, 5, 6, 7].map((seq) => view.place("e1", seq)), ["known", "known", "next", "hole"]);
  assert.equal(view.place("e2", 6), "hole");
  assert.equal(new View(() => false).place("e1", 1), "hole");
});

test("the list that was given out does not change under its reader", () => {
  const view = filled(1, 2);
  const before = view.messages;
  assert.equal(view.messages, before);
  view.append("e1", body(3, "k", ANN));
  assert.equal(before.length, 2);
  assert.ok(view.messages[2].own && !view.messages[1].own);
  assert.deepEqual(view.cursor, { epoch: "e1", after: 3 });
});

test("R6 REC-20 older pages join without a hole, 5,000 messages to the very first", () => {
  const view = filled(4_951, 5_000);
  while (view.historyBefore !== null) {
    const before = view.historyBefore;
    const from = Math.max(1, before - 100);
    assert.ok(view.prepend(history(from, before - 1, from > 1)) > 0);
  }
  assert.deepEqual(numbers(view), Array.from({ length: 5_000 }, (_, at) => at + 1));
  assert.ok(!view.earlier);
  assert.deepEqual(view.cursor, { epoch: "e1", after: 5_000 });
});

test("R6 a page that was asked for another list is not taken", () => {
  const view = filled(51, 60);
  assert.equal(view.prepend(history(31, 49, true)), 0, "50 would be missing");
  assert.equal(view.prepend(history(41, 51, true)), 0, "51 would be there twice");
  assert.equal(view.prepend(history(41, 50, true, "e2")), 0);
  assert.deepEqual(numbers(view), [51, 52, 53, 54, 55, 56, 57, 58, 59, 60]);
  assert.equal(view.prepend(history(1, 0, false)), 0);
  assert.ok(!view.earlier, "what is older is not kept any more");
});

test("clearing drops the cursor with the list", () => {
  const view = filled(1, 3);
  view.clear();
  assert.deepEqual([numbers(view), view.cursor, view.historyBefore], [[], null, null]);
});

test("R6 what is let go of is history, and joins again without a hole", () => {
  const view = filled(1, 100);
  const before = view.messages;
  assert.ok(view.keepNewest(10));
  assert.ok(!view.keepNewest(10));
  assert.deepEqual(numbers(view), [91, 92, 93, 94, 95, 96, 97, 98, 99, 100]);
  assert.deepEqual([before.length, view.earlier, view.cursor], [100, true, { epoch: "e1", after: 100 }]);
  assert.equal(view.prepend(history(31, 80, true)), 0, "asked for before");
  assert.equal(view.prepend(history(41, 90, true)), 50);
  view.append("e1", body(101));
  assert.equal(view.prepend(history(1, 40, false)), 40);
  assert.deepEqual([numbers(view).length, view.earlier], [101, false]);
});
