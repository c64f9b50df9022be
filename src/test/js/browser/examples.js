// What docs/client.md shows, as it stands there, and what people see and write, in a real browser.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { numbered } from "./bench.js";

const DOCUMENT = new URL("../../../../docs/client.md", import.meta.url);
const ODD = ["\u202eabc\u202c", `e${"\u0301".repeat(2_000)}`, "<b>&amp;</b>", "a\r\nb\tc\n", " \ufeff ",
  "\u{1f469}\u200d\u{1f680}", "\u0001\u007f\uffff"];

/** A page with the document's example in it, and where it says nobody signed in, somebody is. */
async function example(bench, context, mayConnect) {
  const [, code] = /```js\n(import[^`]*)```/.exec(await readFile(DOCUMENT, "utf8"));
  const url = bench.service.url.replace("http", "ws");
  const body = code.replace("wss://chat.example.com/", url);
  assert.notEqual(body, code);
  const page = await context.newPage();
  await page.route("**/example.js", (route) => route.fulfill({ contentType: "text/javascript", body }));
  await page.route("**/my/token", async (route) =>
    mayConnect
      ? route.fulfill({ body: await bench.service.token({ participant: "ann", name: "Ann" }) })
      : route.abort());
  await page.goto(`${bench.service.url}client/package.json`);
  await page.evaluate(async () => {
    window.states = [];
    window.showConnection = ({ name }) => states.push(name);
    window.show = (messages, pending) => (window.shown = {
      messages: messages.map(({ text }) => text),
      pending: pending.map(({ text, state }) => [text, state]),
    });
    await import("/example.js");
  });
  return page;
}

/** @param {import("./bench.js").Bench} bench */
export function examples(bench) {
  test("TAB-05 docs/client.md: its example shows what is sent, and asks before unsent ones are left", () =>
    bench.person(async (context) => {
      const left = await example(bench, context, false);
      await left.waitForFunction(() => states.includes("waiting"), null, { polling: 50 });
      assert.deepEqual((await left.evaluate("shown")).pending, [["Good morning", "queued"]]);
      await left.mouse.click(5, 5); // browsers ask only those who have touched the page
      const asked = once(left, "dialog");
      left.close({ runBeforeUnload: true });
      const [dialog] = await asked;
      assert.equal(dialog.type(), "beforeunload");
      const closed = once(left, "close");
      await dialog.accept();
      await closed;
      const next = await example(bench, context, true);
      await next.waitForFunction(() => shown?.messages.length === 1, null, { polling: 50 });
      // Nobody was signed in when the first one was written: whose it is, is for people to say.
      const expected = { messages: ["Good morning"], pending: [["Good morning", "failed"]] };
      assert.deepEqual(await next.evaluate("shown"), expected);
      assert.deepEqual(await bench.texts("case-1042"), ["Good morning"]);
      assert.equal(await next.evaluate(() => states.at(-1)), "online");
    }));

  test("TXT-07 any text comes back as it was written", () =>
    bench.person(async (context, open) => {
      const tab = await open({ room: "odd" });
      await tab.send(...ODD);
      await tab.settled(ODD.length);
      assert.deepEqual((await tab.list()).map(({ text }) => text), ODD);
      assert.deepEqual(await bench.texts("odd"), ODD);
    }));

  test("TAB-01 thirty clients of one participant: thirty sockets, each message once in each", () =>
    bench.person(async (context, open) => {
      const tab = await open({ room: "thirty" });
      await tab.page.evaluate(async () => {
        const { Postroom } = await import("/client/index.js");
        const token = async () => (await (await fetch("/dev/tokens", {
          method: "POST", headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ participant: "ann" }),
        })).json()).token;
        const url = `${location.origin.replace("http", "ws")}/ws`;
        window.others = Array.from({ length: 29 }, () => new Postroom({ url, token }).join("thirty"));
      });
      await tab.until(() => others.every(({ state }) => state.name === "live"));
      await tab.page.evaluate(() => {
        window.heard = others.map(() => []);
        others.forEach((each, at) => each.on("message", ({ text }) => heard[at].push(text)));
      });
      const said = numbered("to all", 10);
      await tab.send(...said);
      await tab.settled(10);
      await tab.until(() => heard.every(({ length }) => length >= 10));
      assert.deepEqual(await tab.see("heard"), Array(29).fill(said));
    }));
}
