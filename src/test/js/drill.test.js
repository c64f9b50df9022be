// The drill panel in a browser against the packaged service: every drill is ordered by its button, and
// the picture shows what became of the message. Pictures are left in target/page.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { Bench } from "./browser/bench.js";
import { DESKTOP, PHONE, PICTURES, Window, launch } from "./desk-browser.js";

const SOURCES = new URL("../../main/resources/META-INF/resources/", import.meta.url);
/** In a document of the service's, under its policy: nothing but a client and the panel. */
async function host({ who, room: name, language }) {
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/desk/drill.css" });
  const place = Object.assign(document.createElement("aside"), { className: "drill", hidden: true });
  document.head.append(style);
  document.body.replaceChildren(place);
  const { Postroom } = await import("/client/index.js");
  const { mount } = await import("/desk/drill.js");
  const token = async () => {
    const answer = await fetch("/dev/tokens", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ participant: who }),
    });
    return (await answer.json()).token;
  };
  const url = `${location.origin.replace("http", "ws")}/ws`;
  globalThis.client = new Postroom({ url, token, participant: who });
  globalThis.room = client.join(name);
  globalThis.panel = await mount(place, { client, room, language });
}

const bench = new Bench();
before(() => bench.start());
after(() => bench.close());

/** A page of one person with the panel; anything the browser complains about fails the test. */
async function open(who, room, { language = "en", hasFaults = true } = {}) {
  const context = await bench.browser.newContext({ viewport: { width: 400, height: 900 } });
  const complaints = [];
  const page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (line) => {
    if (line.type() === "error" && !/WebSocket|404/.test(line.text())) {
      complaints.push(line.text());
    }
  });
  if (!hasFaults) {
    await context.route("**/dev/faults", (route) => route.fulfill({ status: 404 }));
  }
  if (process.env.POSTROOM_SOURCES) {
    // While one works on it: what is served comes from the sources.
    await context.route("**/desk/*", async (route) => {
      const path = new URL(route.request().url()).pathname.slice(1);
      const contentType = path.endsWith(".js") ? "text/javascript" : "text/css";
      await route.fulfill({ body: await readFile(new URL(path, SOURCES)), contentType });
    });
  }
  await page.goto(`${bench.service.url}client/package.json`);
  await page.evaluate(host, { who, room, language });
  await until(page, () => client.state.name === "online" && room.state.name === "live");
  const row = (text) => page.locator(".drill-picture > li").filter({ hasText: text });
  return {
    page,
    order: (drill) => Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/dev/faults/drills")),
      page.locator(`button[data-drill=${drill}]`).click(),
    ]),
    send: (text) => page.evaluate((what) => void room.send(what), text),
    shows: (text, ...steps) => Promise.all(steps.map((step) => row(text).getByText(step, { exact: true }).waitFor())),
    steps: (text) => row(text).locator("ol > li").allTextContents(),
    tells: (text) => page.locator(".drill-journal").getByText(text).last().waitFor(),
    picture: (file) => page.screenshot({ path: `${PICTURES}${file}.png` }),
    async close() {
      assert.deepEqual(complaints, []);
      await context.close();
    },
  };
}

/** Not waitForFunction, which the policy of the page forbids. */
async function until(page, isSo, argument) {
  for (const limit = Date.now() + 30_000; !(await page.evaluate(isSo, argument)); await wait(20)) {
    assert.ok(Date.now() < limit, `${isSo}: ${await page.evaluate(() => JSON.stringify([client.state, room.state]))}`);
  }
}

const texts = async (room) => (await bench.log(room)).map(({ text }) => text);

test("A1 A2 the next ack is lost, and the socket with it: one message, a duplicate, shown once", async () => {
  const ann = await open("ann", "lose");
  await ann.order("lose_ack");
  await ann.page.getByText("Now send a message.").waitFor();
  await ann.send("was it lost?");
  await ann.shows("was it lost?", "written 2×", "duplicate", "no. 1", "shown 1×");
  await ann.send("and now?");
  await ann.shows("and now?", "written 1×", "first", "no. 2", "shown 1×");
  await ann.tells("Socket lost");
  assert.deepEqual(await texts("lose"), ["was it lost?", "and now?"]);
  await ann.picture("drill");
  await ann.close();
});

test("A1 N2 R1 sent twice, refused, cut, repeated: one message each, in order", async () => {
  const ann = await open("ann", "several");
  await ann.order("send_twice");
  await ann.send("twice");
  await ann.shows("twice", "no. 1", "shown 1×");
  await ann.order("refuse");
  await ann.send("refused at first");
  await ann.shows("refused at first", "written 2×", "first", "no. 2");
  await ann.order("cut");
  await ann.tells("Socket lost");
  await ann.send("after the cut");
  await ann.shows("after the cut", "no. 3", "shown 1×");
  await ann.order("repeat_delta");
  await ann.send("after the repeat");
  await ann.shows("after the repeat", "no. 4", "shown 1×");
  assert.deepEqual(await texts("several"), ["twice", "refused at first", "after the cut", "after the repeat"]);
  assert.deepEqual(await ann.page.evaluate(() => room.messages.map(({ seq }) => seq)), [1, 2, 3, 4]);
  await ann.close();
});

test("R4 a new epoch replaces the list; the message is still shown once", async () => {
  const ann = await open("ann", "epoch-drill");
  await ann.send("before");
  await ann.shows("before", "no. 1");
  const epoch = await ann.page.evaluate(() => room.cursor.epoch);
  await ann.order("new_epoch");
  await until(ann.page, (old) => room.cursor.epoch !== old, epoch);
  await ann.tells("The list was replaced");
  await ann.shows("before", "shown 1×");
  await ann.close();
});

test("a frozen network holds everything back, and lets it go", async () => {
  const ann = await open("ann", "ice");
  await ann.order("freeze");
  await ann.send("from the ice");
  await ann.shows("from the ice", "no answer yet", "not shown yet");
  assert.deepEqual(await texts("ice"), []);
  await bench.service.call("DELETE", "dev/faults");
  await ann.shows("from the ice", "written 1×", "first", "no. 1", "shown 1×");
  await ann.close();
});

test("texts are no markup, Russian is Russian, without a case there is nothing to repeat", async () => {
  const ann = await open("ann", "words", { language: "ru-RU" });
  await ann.send("<b>bold</b>");
  await ann.shows("<b>bold</b>", "впервые", "№ 1", "показано 1×");
  await ann.page.getByRole("button", { name: "Заморозить сеть на 10 с" }).waitFor();
  await ann.picture("drill-ru");
  await ann.page.evaluate(() => panel.show(null));
  await ann.page.getByText("Сначала откройте обращение.").waitFor();
  assert.ok(await ann.page.locator("button[data-drill=lose_ack]").isDisabled());
  assert.ok(await ann.page.locator("button[data-drill=cut]").isEnabled());
  await ann.page.evaluate(() => panel.close());
  assert.equal(await ann.page.locator("aside").isVisible(), false);
  await ann.close();
});

test("where there is no fault mode there is no panel", async () => {
  const ann = await open("ann", "none", { hasFaults: false });
  assert.equal(await ann.page.evaluate(() => panel), null);
  assert.equal(await ann.page.locator("aside").isVisible(), false);
  await ann.close();
});

test("the commands of the document do what it says", async () => {
  const ann = await open("ann", "document");
  const document = await readFile(new URL("../../../docs/testing-your-app.md", import.meta.url), "utf8");
  const blocks = [...document.matchAll(/```sh\n([^`]*)```/g)].map(([, commands]) =>
    commands.replaceAll("http://127.0.0.1:8080/", bench.service.url));
  const outputs = [];
  for (const commands of blocks) {
    outputs.push((await promisify(execFile)("bash", ["-ec", commands])).stdout);
  }
  assert.match(outputs[0], /"on":true.*"seed":7.*"moveEpochs":0.2/);
  assert.match(outputs[1], /"on":true.*"happened":{"cutSockets":.*"on":false/s);
  assert.match(outputs[2], /^{"sockets":1}/);
  assert.equal(outputs.length, 3);
  await ann.send("lost ack");
  await until(ann.page, () => room.messages.length === 1 && client.unsent === 1);
  await ann.close();
});

test("both languages have the same words, with the same places in them", async () => {
  const { DRILL_WORDS: { en, ru } } = await import(new URL("desk/drill-words.js", SOURCES));
  assert.deepEqual(Object.keys(ru), Object.keys(en));
  const places = (text) => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const key of Object.keys(en)) {
    assert.deepEqual(places(ru[key]), places(en[key]), key);
  }
});

test("the desk opens the panel by a button, for the case that is open, wide and narrow, light and dark", async () => {
  const browser = await launch();
  for (const [file, options] of Object.entries({ "drill-desk": DESKTOP, "drill-phone": PHONE })) {
    const ann = await Window.open(browser, bench.service, options);
    await ann.signIn(`Ann ${file}`);
    await ann.go(file);
    const toggle = ann.page.getByRole("button", { name: "Drill", exact: true });
    await toggle.click();
    await ann.page.locator("button[data-drill=send_twice]").click();
    await ann.page.getByText("Now send a message.").waitFor();
    await ann.composer.fill("sent twice");
    await ann.composer.press("Enter");
    const row = ann.page.locator(".drill-picture > li").filter({ hasText: "sent twice" });
    await row.getByText("shown 1×", { exact: true }).waitFor();
    await row.getByText("no. 1", { exact: true }).waitFor();
    for (const colorScheme of ["light", "dark"]) {
      await ann.page.emulateMedia({ colorScheme });
      await ann.assertSound(`${file} ${colorScheme}`);
      await ann.page.screenshot({ path: `${PICTURES}${file}-${colorScheme}.png` });
    }
    await toggle.click();
    assert.equal(await ann.page.locator("#drill").isVisible(), false);
    await ann.close();
  }
  await browser.close();
});
