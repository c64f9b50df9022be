// The picture under /how: its model says what the Java test sees happen with a real database and
// the real relay, and the page shows what the model says. Pictures are left in target/how.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { breaksAt, DESIGNS, fate, stepsOf } from "../../main/resources/META-INF/resources/how/model.js";
import { wordsFor } from "../../main/resources/META-INF/resources/how/words.js";
import { Service } from "./service.js";

const FATES = new URL("../resources/golden/how-fates.json", import.meta.url);
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const PICTURES = fileURLToPath(new URL("../../../target/how/", import.meta.url));
const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome"];
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const BOTH = [false, true];

test("L9 L10 L11 H1 H2 every design at every crash point is what really happens", async () => {
  const expected = JSON.parse(await readFile(FATES, "utf8"));
  const modelled = DESIGNS.flatMap((design) => [...Array(stepsOf(design).length + 1).keys()].flatMap(
    (done) => BOTH.flatMap((asksAgain) => BOTH.map((inbox) => {
      const { stored, sent, applied, verdict } = fate(design, done, { asksAgain, inbox });
      return { design, done, asksAgain, inbox, stored, sent, applied, verdict };
    }))));
  assert.deepEqual(modelled, expected);
});

test("H1 only the outbox with an inbox is right wherever the process dies", () => {
  for (const asksAgain of BOTH) {
    assert.deepEqual(breaksAt("bookFirst", { asksAgain, inbox: true }), [1]);
    assert.deepEqual(breaksAt("queueFirst", { asksAgain, inbox: true }), [1]);
    assert.deepEqual(breaksAt("outbox", { asksAgain, inbox: false }), [3]);
    assert.deepEqual(breaksAt("outbox", { asksAgain, inbox: true }), []);
  }
});

test("both languages say the same things", () => {
  const keys = (value, path = "") => typeof value === "string"
    ? [path + [...new Set(value.match(/\{\w+\}/g) ?? [])].toSorted()]
    : Object.entries(value).flatMap(([key, each]) => keys(each, `${path}/${key}`));
  const { words } = wordsFor(["de", "ru-RU", "en"]);
  assert.notEqual(words, wordsFor([]).words);
  assert.deepEqual(new Set(keys(words)), new Set(keys(wordsFor(["en-GB", "ru"]).words)));
});

describe("in a browser", () => {
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

  /** The page, and all that its live region has said. */
  async function open(options) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (line) => complaints.push(line.text()));
    await page.goto(`${service.url}how`);
    assert.equal(page.url(), `${service.url}how/`);
    await page.evaluate(() => {
      window.said = [];
      new MutationObserver((changes) => changes.forEach(({ addedNodes }) =>
        addedNodes.forEach((node) => window.said.push(node.textContent))))
        .observe(document.querySelector("[role=status]"), { childList: true, subtree: true });
    });
    return { context, page, complaints, said: () => page.evaluate(() => window.said.splice(0)) };
  }

  async function shows(page, words, design, done, given) {
    const card = page.locator(`[data-design=${design}]`);
    const now = fate(design, done, given);
    assert.equal(await card.getAttribute("data-verdict"), now.verdict);
    assert.equal(await card.locator(".verdict").textContent(), words.verdict[now.verdict]);
    for (const side of ["stored", "sent", "applied"]) {
      const cell = card.locator(`dd.${side}`);
      assert.equal(await cell.getAttribute("data-count"), `${now[side]}`, `${design} ${done} ${side}`);
      assert.match(await cell.textContent(), new RegExp(` ${words[side][now[side]]}$`));
    }
    assert.equal(await card.locator("li.done").count(), done);
    const text = await card.getByRole("slider").getAttribute("aria-valuetext");
    const at = done === 0 ? words.at.first : done === stepsOf(design).length ? words.at.last
      : `${words.at.after} ${words.step[stepsOf(design)[done - 1]]}`;
    assert.equal(text, at);
    return words.verdict[now.verdict];
  }

  const LOOKS = {
    "desktop-en": { viewport: { width: 1280, height: 900 }, locale: "en-GB" },
    "phone-ru": { viewport: { width: 390, height: 844 }, locale: "ru-RU", hasTouch: true },
    "dark-ru": { viewport: { width: 1280, height: 900 }, locale: "ru", colorScheme: "dark" },
    "phone-dark-en": { viewport: { width: 390, height: 844 }, locale: "en", colorScheme: "dark" },
  };
  for (const [name, options] of Object.entries(LOOKS)) {
    test(`${name}: the crash moves by keys, and each change is said once`, async () => {
      const { context, page, complaints, said } = await open(options);
      const { language, words } = wordsFor([options.locale]);
      assert.equal(await page.locator("html").getAttribute("lang"), language);
      const given = { asksAgain: true, inbox: true };
      for (const design of DESIGNS) {
        const slider = page.getByRole("slider", { name: words.design[design].name });
        await slider.focus();
        await slider.press("Home");
        await said();
        for (let done = 0; done <= stepsOf(design).length; done++) {
          const verdict = await shows(page, words, design, done, given);
          if (done > 0) {
            const heard = await said();
            assert.equal(heard.length, 1, heard.join("\n"));
            assert.ok(heard[0].includes(verdict) && heard[0].includes(words.design[design].name));
          }
          await slider.press("ArrowDown");
        }
        assert.deepEqual(await said(), [], "beyond the end nothing changes");
        // To where it is most telling, and for the outbox to its repeat.
        await slider.press("Home");
        for (let i = 0; i < (design === "outbox" ? 3 : 1); i++) {
          await slider.press("ArrowDown");
        }
      }
      for (const [box, asksAgain, inbox] of [["inbox", true, false], ["asksAgain", false, false]]) {
        await said();
        await page.getByLabel(words[box]).press(" ");
        assert.equal((await said()).length, 1);
        for (const design of DESIGNS) {
          await shows(page, words, design, design === "outbox" ? 3 : 1, { asksAgain, inbox });
        }
      }
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await page.evaluate(await readFile(AXE, "utf8"));
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`), []);
      await page.screenshot({ path: `${PICTURES}${name}.png`, fullPage: true });
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }

  test("the crash is dragged along the steps, and stops where the pointer is", async () => {
    const { context, page, complaints } = await open(LOOKS["desktop-en"]);
    const { words } = wordsFor(["en"]);
    const slider = page.getByRole("slider", { name: "Outbox" });
    const lines = page.locator("[data-design=outbox] .steps li");
    const track = await slider.boundingBox();
    const x = track.x + track.width / 2;
    const under = async (step) => {
      const box = await lines.nth(step - 1).boundingBox();
      return box.y + box.height;
    };
    await page.mouse.move(x, await under(3));
    await page.mouse.down();
    for (const done of [2, 1, 4, 3]) {
      await page.mouse.move(x, await under(done), { steps: 4 });
      await shows(page, words, "outbox", done, { asksAgain: true, inbox: true });
      const crash = await page.locator("[data-design=outbox] .crash").boundingBox();
      assert.ok(Math.abs(crash.y - (await under(done))) < 2);
    }
    await page.mouse.up();
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test("its files come with the same strict policy, and without the slash one is led there", async () => {
    for (const file of ["how", "how/", "how/index.html", "how/how.js", "how/model.js", "how/words.js",
      "how/how.css"]) {
      const answer = await fetch(service.url + file, { redirect: "manual" });
      assert.equal(answer.status, file === "how" ? 308 : 200, file);
      const policy = answer.headers.get("content-security-policy");
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/, file);
      assert.doesNotMatch(policy, /unsafe/, file);
      assert.equal(answer.headers.get("x-content-type-options"), "nosniff", file);
    }
  });
});
