// The desk page in faults that take their time or come seldom: twenty seconds without a network, a new
// epoch under an open case, commands too old to be sent unasked, a browser that keeps nothing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Relay } from "./browser/relay.js";
import { PHONE, Window, launch } from "./desk-browser.js";
import { Service } from "./service.js";

const OFFLINE_MS = 20_000;

let service;
let browser;
/** Takes its twenty seconds while the other tests run. */
let offline;

before(async () => {
  browser = await launch();
  service = await Service.start();
  offline = goOffline();
  offline.catch(() => {}); // told by the test that waits for it
});

after(async () => {
  await browser?.close();
  await service?.close();
});

async function pair(room) {
  const ann = await Window.open(browser, service);
  const bob = await Window.open(browser, service, PHONE);
  await Promise.all([ann.signIn("Ann", "agent"), bob.signIn("Bob", "customer")]);
  await Promise.all([ann.go(room), bob.go(room)]);
  return [ann, bob];
}

const texts = async (window) => (await window.shown()).map(({ text }) => text);
const focused = (window) => window.page.evaluate(() => {
  const { id, textContent, selectionStart, selectionEnd, value } = document.activeElement;
  return id === "composer" ? [value, selectionStart, selectionEnd] : textContent;
});

async function goOffline() {
  const relay = await Relay.to(service.port);
  const cid = await Window.open(browser, relay, PHONE);
  const dan = await Window.open(browser, service);
  await Promise.all([cid.signIn("Cid", "customer"), dan.signIn("Dan", "agent")]);
  await Promise.all([cid.go("offline"), dan.go("offline")]);
  await dan.say("before");
  await cid.bubble("before").waitFor();
  await cid.listen();
  await cid.context.setOffline(true);
  relay.cut();
  const since = Date.now();
  await cid.state("waiting");
  await cid.say("written offline");
  await cid.reaches("written offline", "queued");
  await cid.composer.fill("half a sen");
  const said = [];
  while (Date.now() - since < OFFLINE_MS) {
    said.push(`while away ${said.length}.`);
    await dan.say(said.at(-1));
    await dan.reaches(said.at(-1), "accepted");
    await wait(500);
  }
  const whileAway = { texts: await texts(cid), status: await cid.page.locator(".case-status").textContent() };
  await relay.mend();
  await cid.context.setOffline(false);
  await cid.reaches("written offline", "accepted");
  await dan.bubble("written offline").waitFor();
  await cid.page.locator(".case-status:empty").waitFor({ state: "attached" });
  await cid.page.waitForFunction(() => globalThis.heard.length > 0);
  const there = { said, whileAway, heard: await cid.heard(), focus: await focused(cid) };
  there.shown = [await cid.shown(), await dan.shown()];
  await cid.close();
  await dan.close();
  relay.cut();
  return there;
}

test("ACC-15 written long ago, or before anybody was signed in: the page asks, and does as it is told", async () => {
  const [ann, bob] = await pair("old");
  bob.isCut = true;
  await bob.cut();
  await bob.state("waiting");
  for (const text of ["still true", "not true any more", "whose is this"]) {
    await bob.say(text);
    await bob.reaches(text, "queued");
  }
  await bob.page.evaluate(async () => {
    const { IndexedDbStorage } = await import("/client/index.js");
    const storage = new IndexedDbStorage();
    for (const command of await storage.all()) {
      const wantedAt = command.wantedAt - 2 * 3_600_000;
      const isOnes = !command.text.startsWith("whose");
      await storage.put(isOnes ? { ...command, wantedAt } : { ...command, participant: null });
    }
  });
  bob.page.on("dialog", (dialog) => dialog.accept());
  await bob.page.reload();
  await bob.reaches("not true any more", "queued");
  await bob.uncut();
  const asked = (text, words) => bob.bubble(text).getByText(words).waitFor();
  await asked("still true", "Not sent: written a while ago. Send it still?");
  await asked("not true any more", "Not sent: written a while ago. Send it still?");
  await asked("whose is this", "Not sent: written before anybody was signed in. Is it yours?");
  const row = bob.page.locator(".case-list a[data-case=old]");
  assert.match(await row.textContent(), /Not sent/);
  await ann.say("asked first");
  await bob.bubble("asked first").waitFor();
  await bob.bubble("not true any more").getByRole("button", { name: "Discard" }).click();
  await bob.bubble("still true").getByRole("button", { name: "Send now" }).click();
  await bob.reaches("still true", "accepted");
  await bob.bubble("whose is this").getByRole("button", { name: "Send now" }).click();
  await bob.reaches("whose is this", "accepted");
  await ann.bubble("whose is this").waitFor();
  for (const each of [ann, bob]) {
    assert.deepEqual((await each.shown()).map(({ seq, text }) => [seq, text]),
      [[1, "asked first"], [2, "still true"], [3, "whose is this"]]);
    await each.close();
  }
});

test("C6 where the browser keeps nothing the page says so, once; messages go out all the same", async () => {
  const spoilt = {
    "en-GB": [/^This browser does not keep what you write\. .* lost when this window is closed\.$/, () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("private", "SecurityError");
      };
    }],
    "ru-RU": [/^Браузер не сохраняет то, что вы пишете\. .* пропадёт, когда окно закроется\.$/, () => {
      Object.defineProperty(window, "indexedDB", { value: undefined });
    }],
  };
  for (const [locale, [words, spoil]] of Object.entries(spoilt)) {
    const eva = await Window.open(browser, service, { ...PHONE, locale });
    await eva.context.addInitScript(spoil);
    await eva.page.addInitScript(() => addEventListener("DOMContentLoaded", () => {
      globalThis.notices = [];
      new MutationObserver(() => {
        const text = document.querySelector(".notice[role=status]")?.textContent;
        text && globalThis.notices.at(-1) !== text && globalThis.notices.push(text);
      }).observe(document.body, { childList: true, subtree: true });
    }));
    await eva.signIn("Eva", "customer");
    await eva.go(`kept-${locale}`);
    await eva.say("one");
    await eva.say("two");
    await eva.reaches("two", "accepted");
    const notices = await eva.page.evaluate(() => globalThis.notices);
    assert.equal(notices.length, 1);
    assert.match(notices[0], words);
    await eva.page.locator(".notice").waitFor();
    await eva.assertSound(`${locale} not kept`);
    await eva.picture(`not-kept-${locale}`);
    await eva.close();
  }
});

test("ACC-17 the list has one's own message from its ack on, however late event and list come", async () => {
  const ann = await Window.open(browser, service);
  let letGo;
  const held = new Promise((resolve) => (letGo = resolve));
  await ann.context.route(/api\/rooms\?/, async (route) => {
    const answer = await route.fetch();
    await held;
    await route.fulfill({ response: answer });
  });
  await ann.signIn("Ann", "agent");
  ann.isCut = true;
  await ann.cut();
  await ann.state("waiting");
  await ann.page.evaluate(() => (location.hash = "too-early"));
  await ann.page.locator(".talk[data-room=joining]").waitFor();
  letGo(); // a list of before the case, while it is not joined
  await ann.page.locator(".cases .note").waitFor({ state: "hidden" });
  await ann.uncut();
  await ann.page.locator(".talk[data-room=live]").waitFor();
  ann.lost.add("message");
  await ann.say("from its ack on");
  await ann.reaches("from its ack on", "accepted");
  const row = ann.page.locator(".case-list a[data-case=too-early] .case-last");
  assert.match(await row.textContent(), /Ann.*: .*from its ack on/);
  await ann.close();
});

test("S1 hundreds of cases: some are drawn, one key leads through them, few messages of each are held", async () => {
  const ann = await Window.open(browser, service);
  const bob = await service.token({ participant: "bob", name: "Bob" });
  const names = Array.from({ length: 300 }, (_, at) => `many-${String(at).padStart(3, "0")}`);
  await Promise.all(names.map((name) => service.call("PUT", `api/rooms/${name}`, bob, { title: name })));
  await ann.signIn("Ann", "agent");
  const links = ann.page.locator(".case-list a");
  const press = async (key, name) => {
    await ann.page.keyboard.press(key);
    await ann.page.locator(`a[data-case=${name}]:focus`).waitFor();
  };
  const more = ann.page.getByRole("button", { name: "Show 50 more cases" });
  await more.waitFor();
  assert.equal(await links.count(), 50);
  await ann.page.locator("#new-case").focus();
  await press("Tab", "many-000");
  await press("ArrowDown", "many-001");
  await press("End", "many-049");
  await ann.page.keyboard.press("Tab");
  await press("Enter", "many-050"); // what was under "Show 50 more cases"
  await press("Home", "many-000");
  await press("ArrowDown", "many-001");
  await ann.page.keyboard.press("Enter");
  await ann.page.locator("#composer:focus").waitFor();
  await ann.page.locator(".talk[data-room=live]").waitFor();
  await press("Escape", "many-001");
  await press("ArrowDown", "many-002");
  // It is followed, and not open; as the tab key's stop it is drawn wherever it goes.
  const lines = Array.from({ length: 240 }, (_, at) => `line ${at + 1}`);
  for (const [at, text] of lines.entries()) {
    await service.call("POST", "api/rooms/many-002/messages", bob, { text }, { "Idempotency-Key": `k${at}` });
  }
  const row = ann.page.locator("a[data-case=many-002]");
  await row.filter({ hasText: "line 240" }).filter({ hasText: "240 unread messages" }).waitFor();
  await ann.go("many-002");
  await ann.bubble("line 240").waitFor();
  assert.ok((await ann.shown()).length <= 100);
  await ann.page.evaluate(async () => {
    while (!document.querySelector('.bubble[data-seq="1"]')) {
      document.querySelector(".log").scrollTop = 0;
      await new Promise(requestAnimationFrame);
    }
  });
  assert.deepEqual(await texts(ann), lines);
  for (let at = 60; at < 90; at++) {
    await ann.go(names[at]);
  }
  assert.ok(ann.came.has("left"), "no more are joined than are followed");
  await ann.assertSound("hundreds of cases");
  await ann.picture("hundreds");
  await ann.close();
});

test("REC-17 twenty seconds without a network, and others write: all of it, in order, read out once", async () => {
  const { said, whileAway, shown, heard, focus } = await offline;
  assert.ok(said.length > 5);
  assert.deepEqual(whileAway.texts, ["before", "written offline"]);
  assert.match(whileAway.status, /There may be more/);
  const expected = ["before", ...said, "written offline"].map((text, at) => [at + 1, text]);
  for (const each of shown) {
    assert.deepEqual(each.map(({ seq, text }) => [seq, text]), expected);
  }
  assert.deepEqual(heard, [`${said.length} new messages`]);
  assert.deepEqual(focus, ["half a sen", 10, 10]);
});

// After the twenty seconds: it concerns every room.
test("R4 the epoch moves under an open case: the list, what is typed, the focus, and silence", async () => {
  const [ann, bob] = await pair("moved");
  await bob.say("one");
  await ann.bubble("one").waitFor();
  await ann.say("two");
  await bob.bubble("two").waitFor();
  ann.isCut = true;
  await ann.cut();
  await ann.state("waiting");
  await ann.say("too late");
  await bob.say("three");
  await bob.reaches("three", "accepted");
  await ann.uncut();
  await ann.reaches("too late", "failed");
  await ann.listen();
  const moved = async (window, what) => {
    const epochs = () => [...ann.epochs].filter((each) => each.startsWith("moved ")).length;
    const before = epochs();
    await service.call("POST", "dev/faults/drills", null, { drill: "new_epoch" });
    while (epochs() === before) {
      await wait(20);
    }
    await bob.say(what); // its event is behind the snapshot
    await window.bubble(what).waitFor();
    assert.equal(epochs(), before + 1);
  };
  await ann.composer.fill("half a sen");
  await ann.composer.evaluate((field) => field.setSelectionRange(2, 4));
  await ann.page.evaluate(() => (globalThis.before = document.querySelector(".bubble")));
  await moved(ann, "four");
  assert.deepEqual(await focused(ann), ["half a sen", 2, 4]);
  await ann.bubble("too late").getByRole("button", { name: "Discard" }).focus();
  await moved(ann, "five");
  assert.equal(await focused(ann), "Discard");
  assert.ok(await ann.page.evaluate(() => globalThis.before.isConnected), "nothing was drawn anew");
  assert.deepEqual((await ann.shown()).map(({ seq, text }) => [seq, text]),
    [[1, "one"], [2, "two"], [3, "three"], [4, "four"], [5, "five"], [0, "too late"]]);
  assert.deepEqual(await ann.heard(), ["Bob: four", "Bob: five"]);
  await ann.page.keyboard.press("Enter");
  await ann.bubble("too late").waitFor({ state: "detached" });
  assert.deepEqual(await focused(ann), ["half a sen", 2, 4]);
  await ann.composer.press("Enter");
  await bob.bubble("half a sen").waitFor();
  await ann.close();
  await bob.close();
});
