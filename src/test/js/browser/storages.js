// What outlives a page, and what does not stand in the way when it does not, in a real browser.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { numbered } from "./bench.js";
import { away, here, hurry } from "./tab.js";

/** @param {import("./bench.js").Bench} bench */
export function storages(bench) {
  test("A1 nothing is written to a socket before the transaction is complete", () =>
    bench.person(async (context, open) => {
      await context.addInitScript(() => {
        window.order = [];
        window.transactions = new Set();
        const { put } = IDBObjectStore.prototype;
        IDBObjectStore.prototype.put = function (value) {
          this.transaction.addEventListener("complete", () => order.push("complete"));
          transactions.add(this.transaction);
          const request = put.call(this, value);
          request.addEventListener("success", () => order.push("success"));
          return request;
        };
        const { send } = WebSocket.prototype;
        WebSocket.prototype.send = function (text) {
          JSON.parse(text).type === "send" && order.push("send");
          send.call(this, text);
        };
      });
      const tab = await open({ room: "durable" });
      await tab.until(() => room.state.name === "live");
      await tab.send("kept first");
      await tab.settled(1);
      assert.deepEqual(await tab.see("order"), ["success", "complete", "send"]);
      await tab.send(...numbered("all at once", 100));
      await tab.settled(101);
      assert.equal(await tab.page.evaluate(() => transactions.size), 2, "one for all of one turn");
      assert.deepEqual(await tab.kept(), []);
    }));

  test("A1 of what is kept together, one that cannot be takes no other along", () =>
    bench.person(async (context, open) => {
      const tab = await open({ room: "together" });
      const kept = await tab.page.evaluate(async () => {
        const { IndexedDbStorage } = await import("/client/index.js");
        const storage = new IndexedDbStorage("together");
        const records = [{ id: "a" }, { id: "b", spoilt() {} }, { id: "c" }];
        const answers = await Promise.allSettled(records.map((each) => storage.put(each)));
        const all = (await storage.all()).map(({ id }) => id);
        return [answers.map(({ status }) => status), all];
      });
      assert.deepEqual(kept, [["fulfilled", "rejected", "fulfilled"], ["a", "c"]]);
    }));

  test("A1 N2 a reload with pending commands: shown at once, sent in order with their ids", () =>
    bench.person(async (context, open) => {
      await away(context);
      const tab = await open({ room: "reload" });
      const ids = await tab.send("one", "two", "three");
      await tab.untilKept(ids);
      await tab.page.reload();
      await tab.join({ room: "reload" });
      await tab.until(() => room.pending.length === 3);
      assert.deepEqual(await tab.page.evaluate(() => room.pending.map(({ id }) => id)), ids);
      await here(context);
      await hurry(tab);
      await tab.settled(3);
      assert.deepEqual(await bench.texts("reload"), ["one", "two", "three"]);
      assert.deepEqual([await tab.sends(), await tab.kept()], [ids, []]);
      assert.deepEqual(await tab.list(), await bench.log("reload"));
    }));

  test("A1 A2 a tab that crashes before it heard the ack: the next one asks, one message", () =>
    bench.person(async (context, open) => {
      const tab = await open({ room: "crash", isDeaf: true });
      const [id] = await tab.send("was accepted");
      await tab.until(() => room.cursor?.after === 1);
      assert.deepEqual(await tab.kept(), [id]);
      const crashed = once(tab.page, "crash");
      const session = await context.newCDPSession(tab.page);
      session.send("Page.crash").catch(() => {});
      await crashed;
      const next = await open({ room: "crash" });
      await next.until(() => said.some(({ type }) => type === "send"));
      await next.settled(1);
      await next.untilKept([]);
      assert.deepEqual([await next.sends(), await bench.texts("crash")], [[id], ["was accepted"]]);
    }));

  test("a storage that throws, is full, is deleted or is not there loses nothing", () =>
    bench.person(async (context, open) => {
      const spoilt = {
        throws: () => (IDBFactory.prototype.open = () => {
          throw new DOMException("private", "SecurityError");
        }),
        hidden: () => Object.defineProperty(window, "indexedDB", {
          get() {
            throw new DOMException("not allowed", "SecurityError");
          },
        }),
        absent: () => Object.defineProperty(window, "indexedDB", { value: undefined }),
        full: () => {},
      };
      const told = {
        throws: "storage SecurityError", hidden: "storage SecurityError", absent: "storage Error",
        full: "storage QuotaExceededError",
      };
      for (const [name, spoil] of Object.entries(spoilt)) {
        const tab = await open({ room: name, spoil: `(${spoil})()` });
        if (name === "full") {
          const session = await context.newCDPSession(tab.page);
          const origin = await tab.page.evaluate(() => location.origin);
          await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
        }
        await tab.send("one", "two");
        await tab.settled(2);
        assert.deepEqual(await bench.texts(name), ["one", "two"], name);
        const errors = await tab.see("errors");
        assert.equal(errors[0], told[name], name);
        await tab.page.close();
      }
    }));

  test("a database that another tab deletes is made anew; one that is held up holds up nobody", () =>
    bench.person(async (context, open) => {
      const tab = await open({ room: "deleted" });
      await tab.send("one");
      await tab.settled(1);
      const other = await open({ room: "other" });
      const remove = () => new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase("postroom");
        Object.assign(request, { onsuccess: () => resolve("deleted"), onblocked: () => resolve("blocked") });
        request.onerror = reject;
      });
      assert.equal(await other.page.evaluate(remove), "deleted", "nobody stands in the way");
      await away(tab.page);
      await tab.page.evaluate(() => client.reconnect());
      await tab.untilKept(await tab.send("two"));
      await other.page.evaluate(() => new Promise((resolve) => {
        indexedDB.open("postroom").onsuccess = ({ target }) => resolve((window.held = target.result));
      }).then(() => {}));
      assert.equal(await other.page.evaluate(remove), "blocked");
      await here(tab.page);
      await hurry(tab);
      await tab.send("three");
      await tab.settled(3);
      assert.deepEqual(await bench.texts("deleted"), ["one", "two", "three"]);
      assert.ok((await tab.see("errors")).includes("storage Error"), "and says so");
    }));
}
