// Tabs of one participant, in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { numbered } from "./bench.js";
import { away, here, hurry } from "./tab.js";

/** @param {import("./bench.js").Bench} bench */
export function tabs(bench) {
  test("TAB-03 the command of a closed tab is taken by one of two; that of a living one by none", () =>
    bench.person(async (context, open) => {
      const [first, second, third] = [
        await open({ room: "tabs" }), await open({ room: "tabs" }), await open({ room: "tabs" }),
      ];
      await away(first.page);
      await first.page.evaluate(() => client.reconnect());
      const ids = await first.send(...numbered("left behind", 5));
      await first.untilKept(ids);
      await hurry(second, third);
      // Both have seen its commands, and wait for its lock.
      await second.until(async () => (await navigator.locks.query()).pending.length === 2);
      for (const tab of [second, third]) {
        assert.deepEqual([await tab.sends(), await tab.page.evaluate(() => room.pending.length)], [[], 0]);
      }
      assert.equal((await second.kept()).length, 5);
      await first.page.close();
      await Promise.all([second.settled(5), third.settled(5)]);
      const sent = [...(await second.sends()), ...(await third.sends())];
      assert.deepEqual(sent, ids, "one tab has sent all of them");
      assert.deepEqual(await bench.texts("tabs"), numbered("left behind", 5));
      for (const tab of [second, third]) {
        assert.deepEqual([await tab.list(), await tab.kept()], [await bench.log("tabs"), []]);
      }
    }));

  test("TAB-03 A1 without Web Locks both send it, and it is one message", () =>
    bench.person(async (context, open) => {
      await away(context);
      const lockless = { room: "lockless", locks: null };
      const first = await open(lockless);
      const ids = await first.send("one", "two");
      await first.untilKept(ids);
      const second = await open(lockless);
      await second.until(() => room.pending.length === 2);
      await here(context);
      await hurry(first, second);
      await Promise.all([first.settled(2), second.settled(2)]);
      assert.deepEqual([await first.sends(), await second.sends()], [ids, ids]);
      assert.deepEqual([await bench.texts("lockless"), await first.kept()], [["one", "two"], []]);
    }));
}
