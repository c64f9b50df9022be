// What the desk page shows: long cases, new epochs, blind replies, what is read out, and how it looks,
// on a phone and a desktop, in both themes and languages. Pictures are left in target/page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, PHONE, Window, launch, writeMany } from "./desk-browser.js";
import { Service } from "./service.js";

const LONG = 5_000;

let service;
let browser;
let ann;
let bob;

before(async () => {
  browser = await launch();
  // The long case is written in one go.
  service = await Service.start({ POSTROOM_ACCEPT_RATE: "0" });
  await writeMany(browser, service, "long", LONG);
  ann = await Window.open(browser, service);
  bob = await Window.open(browser, service, PHONE);
  await Promise.all([ann.signIn("Ann", "agent"), bob.signIn("Bob", "customer")]);
});

after(async () => {
  await browser?.close();
  await service?.close();
});

const both = (room) => Promise.all([ann.go(room), bob.go(room)]);
const send = (who, room, key, text) =>
  service.token({ participant: who, name: who }).then((token) =>
    service.call("POST", `api/rooms/${room}/messages`, token, { text }, { "Idempotency-Key": key }));

test("ifHead: what others wrote while the agent was cut off is shown, and asked about", async () => {
  await both("blind");
  await bob.say("Please cancel it.");
  await ann.bubble("cancel").waitFor();
  ann.isCut = true;
  await ann.cut();
  await ann.state("waiting");
  await ann.say("I have cancelled it.");
  await ann.say("Anything else?");
  await ann.reaches("cancelled it", "queued");
  await bob.say("Stop, do not cancel!");
  await bob.reaches("Stop", "accepted");
  await ann.uncut();
  await ann.reaches("cancelled it", "failed");
  await ann.reaches("Anything else", "failed");
  await ann.bubble("Stop").waitFor();
  assert.equal(await bob.bubble("cancelled it").count(), 0);
  await ann.bubble("Anything else").getByRole("button", { name: "Discard" }).click();
  await ann.bubble("cancelled it").getByRole("button", { name: "Edit" }).click();
  assert.equal(await ann.composer.inputValue(), "I have cancelled it.");
  await ann.say("I have not cancelled it.");
  await bob.bubble("not cancelled").waitFor();
  assert.deepEqual((await ann.shown()).map(({ text }) => text),
    ["Please cancel it.", "Stop, do not cancel!", "I have not cancelled it."]);
});

test("ifHead: a reply to what was scrolled past is asked about before it is sent", async () => {
  for (let i = 1; i <= 20; i++) {
    await send("bob", "past", `k${i}`, `line ${i}\n\n\n`);
  }
  await both("past");
  await ann.bubble("line 20").waitFor();
  await ann.page.locator(".log").evaluate((log) => (log.scrollTop = 0));
  await ann.page.locator(".latest").waitFor();
  await bob.say("Wait!");
  await ann.page.getByRole("button", { name: "1 new message" }).waitFor();
  await ann.say("Done.");
  const ask = ann.page.getByRole("alertdialog");
  await ask.waitFor();
  assert.match((await ask.textContent()).replace(/[\u2068\u2069]/g, ""), /Bob wrote 1 message/);
  assert.equal(await ann.bubble("Done.").count(), 0);
  assert.equal(await ann.composer.inputValue(), "Done.");
  await ann.page.keyboard.press("Enter");
  await ann.reaches("Done.", "accepted");
  assert.equal(await ask.isVisible(), false);
  assert.equal(await ann.composer.inputValue(), "");
});

test("N2 own messages in quick succession need no asking, and stay in order", async () => {
  await both("quick");
  const said = Array.from({ length: 12 }, (_, i) => `quick ${i}.`);
  for (const text of said) {
    await ann.say(text);
  }
  await ann.reaches(said.at(-1), "accepted");
  await bob.bubble(said.at(-1)).waitFor();
  assert.deepEqual((await bob.shown()).map(({ text }) => text), said);
  await ann.page.locator(".bubble:not([data-state=accepted])").waitFor({ state: "detached" });
});

test("the live region says each message of others once: no snapshot, no replay, no own, no duplicate", async () => {
  await send("bob", "heard", "k1", "before");
  await both("heard");
  await ann.bubble("before").waitFor();
  await ann.listen();
  await bob.say("first");
  await ann.bubble("first").waitFor();
  await ann.say("own");
  await ann.reaches("own", "accepted");
  await ann.cut();
  await bob.say("missed");
  await ann.bubble("missed").waitFor();
  assert.equal((await send("bob", "heard", "k1", "before")).duplicate, true);
  await ann.go("quick");
  await ann.go("heard");
  await bob.say("last");
  await ann.bubble("last").waitFor();
  await ann.page.waitForFunction(() => globalThis.heard.at(-1)?.includes("last"));
  assert.deepEqual(await ann.heard(), ["Bob: first", "Bob: missed", "Bob: last"]);
});

test("R4 another epoch: the view is the new one, focus and what is typed stay", async () => {
  await both("epoch");
  await bob.say("of the old epoch");
  await ann.bubble("old epoch").waitFor();
  await ann.composer.fill("half a sen");
  const token = await service.token({ participant: "boss", admin: true });
  await fetch(`${service.url}api/rooms/epoch`, {
    method: "DELETE", headers: { Authorization: `Bearer ${token}` },
  });
  await ann.page.getByText("This case was closed").waitFor();
  await service.call("PUT", "api/rooms/epoch", token, { title: "Made again" });
  await send("bob", "epoch", "k1", "of the new epoch");
  await ann.page.evaluate(() => (location.hash = ""));
  await ann.go("epoch");
  await ann.bubble("new epoch").waitFor();
  assert.deepEqual((await ann.shown()).map(({ seq, text }) => [seq, text]), [[1, "of the new epoch"]]);
  assert.equal(await ann.composer.inputValue(), "half a sen");
  await ann.say("answered");
  await ann.reaches("answered", "accepted");
});

test("R6 a case of 5,000 messages, scrolled to the top: no hole, and nothing jumps", async () => {
  await ann.go("long");
  await ann.page.locator(`.bubble[data-seq="${LONG}"]`).waitFor();
  // Of every change of the list: where the message that was in the middle of the view went.
  await ann.page.evaluate(() => {
    const log = document.querySelector(".log");
    globalThis.jumps = [];
    const inView = () => {
      const { top, height } = log.getBoundingClientRect();
      const found = document.elementsFromPoint(log.clientWidth / 2 + 400, top + height / 2);
      return found.map((each) => each.closest?.(".bubble")).find(Boolean);
    };
    let seen = null;
    let before = 0;
    const remember = () => {
      seen = inView();
      before = seen?.getBoundingClientRect().top ?? 0;
    };
    log.addEventListener("scroll", remember);
    new MutationObserver(() => {
      const now = seen?.getBoundingClientRect().top ?? before;
      globalThis.jumps.push(Math.round(now - before));
    }).observe(log.querySelector(".messages"), { childList: true });
  });
  await ann.page.evaluate(async () => {
    const log = document.querySelector(".log");
    while (!document.querySelector('.bubble[data-seq="1"]')) {
      log.scrollTop = Math.min(log.scrollTop, 300);
      await new Promise(requestAnimationFrame);
    }
  });
  const shown = await ann.shown();
  assert.equal(shown.length, LONG);
  assert.ok(shown.every(({ seq, text }, at) => seq === at + 1 && text === `line ${seq}`));
  const jumps = await ann.page.evaluate(() => globalThis.jumps);
  assert.ok(jumps.length > 50, `${jumps.length} changes`);
  assert.ok(jumps.every((each) => Math.abs(each) <= 2), `jumps: ${jumps.filter((each) => Math.abs(each) > 2)}`);
  await ann.page.getByText("The case begins here").waitFor();
});

test("by the keyboard alone: a new case, a line break, a message, back, and in again", async () => {
  await ann.page.evaluate(() => (location.hash = ""));
  const { page } = ann;
  await page.locator("#new-case").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("By hand");
  await page.keyboard.press("Enter");
  await page.locator("#case-heading").filter({ hasText: "By hand" }).waitFor();
  await page.locator(".talk[data-room=live]").waitFor();
  await page.keyboard.type("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await page.keyboard.press("Enter");
  await ann.reaches("one", "accepted");
  assert.equal((await ann.shown())[0].text, "one\ntwo");
  await page.keyboard.press("Escape");
  await page.locator(".talk.empty").waitFor();
  const focused = page.locator("a:focus");
  assert.match(await focused.textContent(), /By hand/);
  const outline = await focused.evaluate((link) => getComputedStyle(link).outlineStyle);
  assert.equal(outline, "solid", "the focus is seen");
  await page.keyboard.press("Enter");
  await page.locator("#composer:focus").waitFor();
});

test("both languages, both themes, phone and desktop: nothing serious for axe, nothing sticks out", async () => {
  for (const [name, text] of [
    ["Cid", "A text as long as it may be. ".repeat(550)],
    ["Ann", "It left at nine. ".repeat(12)],
    ["ليلى", "مرحبا، أين رسالتي؟ case 1042 — شكرا"],
    ["Bob", `${"unbroken".repeat(40)} e${"\u0301".repeat(2000)}`],
  ]) {
    await send(name, "looks", `k${name.length}${text.length}`, text);
  }
  const latin = /[A-Za-z]{2,}/g;
  for (const [file, options] of Object.entries({
    "en-light-desktop": DESKTOP,
    "ru-dark-phone": { ...PHONE, locale: "ru-RU", colorScheme: "dark" },
    "ru-light-desktop": { ...DESKTOP, locale: "ru-RU" },
    "en-dark-phone": { ...PHONE, colorScheme: "dark" },
  })) {
    const eva = await Window.open(browser, service, options);
    const check = async (what) => {
      await eva.assertSound(`${file} ${what}`);
      await eva.picture(`${file}-${what}`);
    };
    await eva.page.goto(service.url);
    await eva.page.locator("#name").waitFor();
    await check("door");
    if (file.startsWith("ru")) {
      const words = await visibleWords(eva.page, "body");
      assert.deepEqual(words.match(latin)?.filter((word) => word !== "Postroom") ?? [], [], words);
    }
    await eva.signIn("Ева");
    await eva.page.locator(".case-list a").first().waitFor();
    await check("list");
    await eva.go("looks");
    await eva.bubble("unbroken").waitFor();
    await eva.say("x".repeat(20_000));
    assert.equal(await eva.composer.getAttribute("aria-invalid"), "true");
    await check("too-long");
    await eva.composer.fill("");
    await eva.say("Слово. ".repeat(5));
    await eva.reaches("Слово", "accepted");
    await check("case");
    if (file.startsWith("ru")) {
      const words = await visibleWords(eva.page, ".bar, .talk-head, .composer, .meta, .divider, .start");
      assert.deepEqual(words.match(latin)?.filter((word) => !["Postroom", "looks"].includes(word)) ?? [], [], words);
    }
    await eva.close();
  }
});

/** All that is to be read or heard in these parts. */
function visibleWords(page, selector) {
  return page.locator(selector).evaluateAll((parts) =>
    parts.flatMap((part) => [part, ...part.querySelectorAll("*")]).flatMap((each) => [
      ...[...each.childNodes].filter((node) => node.nodeType === 3 && !each.closest("noscript")).map((node) => node.data),
      each.getAttribute("aria-label"), each.getAttribute("placeholder"), each.title,
    ]).filter(Boolean).join("\n"));
}

test("the page runs its own files only, is not framed, and is not kept stale", async () => {
  for (const file of ["", "index.html", "desk/main.js", "desk/look.css", "client/index.js"]) {
    const answer = await fetch(service.url + file);
    assert.equal(answer.status, 200, file);
    const policy = answer.headers.get("content-security-policy");
    assert.match(policy, /default-src 'none'/, file);
    assert.doesNotMatch(policy, /unsafe/, file);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff", file);
    assert.doesNotMatch(answer.headers.get("cache-control") ?? "", /immutable|max-age=[1-9]/, file);
  }
});

test("nobody complained", async () => {
  await ann.close();
  await bob.close();
});
