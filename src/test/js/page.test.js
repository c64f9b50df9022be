// The plain page in a browser against the packaged service: two people in two windows, sockets cut,
// the server killed. Pictures are left in target/page.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { Service } from "./service.js";

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome"];
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const PICTURES = fileURLToPath(new URL("../../../target/page/", import.meta.url));
const DESKTOP = { viewport: { width: 1100, height: 760 } };
const PHONE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true };

let service;
let browser;

before(async () => {
  const executablePath = BROWSERS.find((path) => path && existsSync(path));
  assert.ok(executablePath, "Chromium is needed: apt-get install chromium, or set CHROMIUM");
  service = await Service.start();
  browser = await chromium.launch({ executablePath, headless: true, args: FLAGS });
});

after(async () => {
  await browser?.close();
  await service?.close();
});

/** One person's window, signed in. Anything the browser complains about fails the test. */
async function open(name, room, options = DESKTOP) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (line) => {
    // That a killed server cannot be reached is what the test does.
    if (line.type() === "error" && !/WebSocket|net::ERR/.test(line.text())) {
      complaints.push(line.text());
    }
  });
  await page.goto(service.url);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Room", { exact: true }).fill(room);
  await page.getByRole("button", { name: "Go in" }).click();
  await page.locator("#state[data-state=live]").waitFor();
  return {
    page,
    async say(text) {
      const field = page.getByRole("textbox", { name: "Message" });
      await field.fill(text);
      await field.press("Enter");
    },
    bubble: (text) => page.locator("#messages li").filter({ hasText: text }),
    state: (state) => page.locator(`#state[data-state=${state}]`).waitFor(),
    cut: () => page.getByRole("button", { name: "Cut the socket" }).click(),
    /** Until every command is acked and the view reaches this number. */
    async settled(seq) {
      await page.locator("#pending").filter({ hasText: /^0$/ }).waitFor({ timeout: 60_000 });
      await page.locator(`#messages li[data-seq="${seq}"]`).waitFor({ timeout: 60_000 });
    },
    shown: () =>
      page.locator("#messages li").evaluateAll((lines) =>
        lines.map((line) => ({
          seq: Number(line.dataset.seq),
          author: line.querySelector(".author").textContent,
          text: line.querySelector(".text").textContent,
        })),
      ),
    picture: (file) => page.screenshot({ path: `${PICTURES}${file}.png` }),
    async close() {
      assert.deepEqual(complaints, []);
      await context.close();
    },
  };
}

test("two people see the same room; text stays text", async () => {
  const ann = await open("Ann", "talk");
  const bob = await open("Bob", "talk");
  const odd = "<img src=x onerror=alert(1)> \u202eabc\u202c e\u0301 👩‍👩‍👧 \\u0000";
  await ann.say("Good morning, Bob");
  await bob.bubble("Good morning, Bob").waitFor();
  await bob.say(odd);
  await ann.bubble("onerror").waitFor();
  for (const each of [ann, bob]) {
    await each.settled(2);
    assert.deepEqual(await each.shown(), [
      { seq: 1, author: "Ann", text: "Good morning, Bob" },
      { seq: 2, author: "Bob", text: odd },
    ]);
  }
  await ann.close();
  await bob.close();
});

test("A2 A3 the same id again is acked as duplicate; with other text it is refused", async () => {
  const ann = await open("Ann", "repeats");
  const bob = await open("Bob", "repeats");
  await ann.say("once");
  await ann.settled(1);
  await ann.bubble("once").getByRole("button", { name: "Send again, same id" }).click();
  await ann.bubble("once").getByText("ack #1 · duplicate").waitFor();
  await ann.bubble("once").getByRole("button", { name: "Same id, other text" }).click();
  await ann.bubble("once").getByText("id_conflict (it is #1)").waitFor();
  await ann.say("twice");
  await bob.settled(2);
  assert.deepEqual((await bob.shown()).map((each) => each.text), ["once", "twice"]);
  await ann.close();
  await bob.close();
});

test("A1 N1 N2 R1 R3 sockets cut, server killed: nothing twice, nothing lost, in order", async (t) => {
  const ann = await open("Ann", "storm");
  const bob = await open("Bob", "storm");
  const said = { Ann: [], Bob: [] };
  const say = async (who, name, text) => {
    said[name].push(text);
    await who.say(text);
  };
  for (let i = 0; i < 5; i++) {
    await say(ann, "Ann", `a${i}`);
    await say(bob, "Bob", `b${i}`);
  }
  await ann.cut();
  await say(ann, "Ann", "written without a socket");
  await say(bob, "Bob", "said while Ann was away");
  await ann.settled(12);
  await bob.settled(12);

  let all = 0;
  for (let round = 0; round < 3; round++) {
    const talk = async (who, name) => {
      for (let i = 0; i < 20; i++) {
        await say(who, name, `round ${round}, ${name} ${i}`);
      }
    };
    const killAfterMs = Math.floor(Math.random() * 600);
    t.diagnostic(`round ${round}: killed after ${killAfterMs} ms`);
    const kill = wait(killAfterMs).then(() => service.kill());
    await Promise.all([talk(ann, "Ann"), talk(bob, "Bob"), kill]);
    await ann.state("waiting");
    await say(ann, "Ann", `round ${round}, server away`);
    await ann.picture("server-away");
    await service.start();
    all = said.Ann.length + said.Bob.length;
    for (const each of [ann, bob]) {
      await each.settled(all);
      await each.state("live");
    }
  }
  const shown = await ann.shown();
  assert.deepEqual(await bob.shown(), shown);
  assert.deepEqual(shown.map((each) => each.seq), Array.from({ length: all }, (_, i) => i + 1));
  for (const name of ["Ann", "Bob"]) {
    const texts = shown.filter((each) => each.author === name).map((each) => each.text);
    assert.deepEqual(texts, said[name]);
  }
  await ann.close();
  await bob.close();
});

test("R1 R6 a room longer than a page: the newest first, older ones by button", async () => {
  const ann = await open("Ann", "long");
  for (let i = 1; i <= 60; i++) {
    await ann.say(`line ${i}`);
  }
  await ann.settled(60);
  const bob = await open("Bob", "long");
  await bob.settled(60);
  assert.equal((await bob.shown()).length, 50);
  await bob.page.getByRole("button", { name: "Older messages" }).click();
  await bob.page.locator('#messages li[data-seq="1"]').waitFor();
  assert.deepEqual(
    (await bob.shown()).map((each) => each.text),
    Array.from({ length: 60 }, (_, i) => `line ${i + 1}`),
  );
  assert.equal(await bob.page.getByRole("button", { name: "Older messages" }).isVisible(), false);
  await ann.close();
  await bob.close();
});

test("it fits a desktop, a phone and the dark, and nothing sticks out", async () => {
  for (const [file, options] of Object.entries({
    desktop: DESKTOP,
    phone: PHONE,
    dark: { ...DESKTOP, colorScheme: "dark" },
  })) {
    const ann = await open("Ann", `looks-${file}`, options);
    const bob = await open("Bob", `looks-${file}`, options);
    await bob.say("Good morning. Is the letter for case 1042 on its way?");
    await ann.bubble("letter").waitFor();
    await ann.say("It left at nine. ".repeat(12));
    await ann.bubble("left at nine").getByRole("button", { name: "Send again, same id" }).click();
    await ann.bubble("left at nine").getByText("duplicate").waitFor();
    await bob.say(`${"unbroken".repeat(40)} e${"\u0301".repeat(2000)}`);
    await ann.bubble("unbroken").waitFor();
    const [inner, outer] = await ann.page.evaluate(() => [
      document.documentElement.scrollWidth, document.documentElement.clientWidth,
    ]);
    assert.ok(inner <= outer, `${file}: ${inner} wide on ${outer}`);
    await ann.picture(file);
    await ann.close();
    await bob.close();
  }
});

test("the page runs its own files only, is not framed, and is not kept stale", async () => {
  for (const file of ["", "index.html", "postroom-page.js", "postroom-room.js",
    "postroom-commands.js", "postroom-page.css"]) {
    const answer = await fetch(service.url + file);
    assert.equal(answer.status, 200, file);
    const policy = answer.headers.get("content-security-policy");
    assert.match(policy, /default-src 'none'/, file);
    assert.doesNotMatch(policy, /unsafe/, file);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff", file);
    assert.doesNotMatch(answer.headers.get("cache-control") ?? "", /immutable|max-age=[1-9]/, file);
  }
});
