// Networks, tokens and long rooms, in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { numbered } from "./bench.js";
import { Relay } from "./relay.js";
import { Tab } from "./tab.js";

/** @param {import("./bench.js").Bench} bench */
export function connections(bench) {
  test("REC-17 offline while others write: the wait is cut, and the list is the log", () =>
    bench.person(async (context) => {
      const relay = await Relay.to(bench.service.port);
      const tab = await Tab.open(relay, context, {
        room: "offline",
        spoil: "Math.random = () => 0.999", // the longest waits: 1, 2, 4, 8, 16 s
      });
      await tab.until(() => room.state.name === "live");
      await bench.write("offline", ["before"]);
      await tab.settled(1);
      await context.setOffline(true);
      relay.cut();
      await tab.until(() => client.state.name !== "online");
      const mine = await tab.send("written offline");
      await bench.write("offline", numbered("while away", 40));
      await tab.until(() => states.filter((name) => name === "waiting").length >= 5);
      assert.deepEqual([await tab.kept(), (await bench.log("offline")).length], [mine, 41]);
      const until = await tab.page.evaluate(() => client.state.until);
      await relay.mend();
      await context.setOffline(false);
      await tab.settled(42);
      assert.ok((await tab.page.evaluate(() => Date.now())) < until, "nobody waited it out");
      assert.deepEqual(await tab.list(), await bench.log("offline"));
      assert.deepEqual(await tab.see("told"), Array.from({ length: 42 }, (_, at) => at + 1));
      relay.cut();
    }));

  test("AUTH-01 AUTH-07 a token that is about to expire is renewed on the open socket", () =>
    bench.person(async (context, open) => {
      const tab = await open({ room: "renewal" });
      await tab.until(() => said.some(({ type }) => type === "auth"));
      await tab.send("right at a renewal");
      await tab.until(() => expiries.length === 3); // the first token has expired by then
      await tab.send("long after");
      await tab.settled(2);
      assert.deepEqual(await tab.see("states"), ["online"]);
      const expiries = await tab.see("expiries");
      assert.deepEqual(expiries, [...new Set(expiries)].sort(), "each token is good for longer");
      assert.deepEqual(await bench.texts("renewal"), ["right at a renewal", "long after"]);
      assert.equal(await tab.page.evaluate(() => sockets.length), 1);
    }));

  test("R6 REC-20 5,000 messages to the very first, while more are written: no hole", () =>
    bench.person(async (context, open) => {
      await bench.write("long", numbered("line", 5_000));
      const tab = await open({ room: "long" });
      await tab.until(() => room.state.name === "live");
      const more = bench.write("long", numbered("meanwhile", 20));
      await tab.page.evaluate(async () => {
        while (room.earlier) {
          await room.loadEarlier();
        }
      });
      await more;
      await tab.settled(5_020);
      assert.deepEqual(await tab.list(), await bench.log("long"));
    }));

  test("a page that comes out of the back/forward cache goes on where it was", () =>
    bench.person(async (context, open) => {
      const tab = await open({ room: "back" });
      await tab.until(() => room.state.name === "live");
      await bench.write("back", ["before"]);
      await tab.settled(1);
      await tab.page.evaluate(() => {
        addEventListener("pageshow", ({ persisted }) => (window.persisted = persisted));
        room.send("right before");
      });
      await tab.page.goto(`${bench.service.url}client/index.js`);
      await bench.write("back", numbered("meanwhile", 3));
      await tab.page.goBack({ waitUntil: "commit" });
      await tab.settled(5);
      assert.ok(await tab.see("persisted"), "it was frozen, not loaded again");
      assert.deepEqual(await tab.list(), await bench.log("back"));
      assert.deepEqual(await tab.see("told"), [1, 2, 3, 4, 5]);
      await tab.send("afterwards");
      await tab.settled(6);
    }));
}
