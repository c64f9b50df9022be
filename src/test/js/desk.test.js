// The desk page against the packaged service, over bad networks: answers lost, sockets cut, the page
// reloaded, the server killed and stopped.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { PHONE, Window, launch } from "./desk-browser.js";
import { Service } from "./service.js";

let service;
let browser;

before(async () => {
  browser = await launch();
  service = await Service.start();
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

test("a customer opens a case, an agent answers; text stays text", async () => {
  const bob = await Window.open(browser, service, PHONE);
  await bob.signIn("Bob", "customer");
  await bob.page.locator("#new-case").click();
  await bob.page.locator("#case-title").fill("Where is my <b>parcel</b>?");
  await bob.page.keyboard.press("Enter");
  await bob.page.locator(".talk[data-room=live]").waitFor();
  const odd = "<img src=x onerror=alert(1)> \u202eabc\u202c e\u0301 👩‍👩‍👧 \\u0000";
  await bob.say(odd);
  await bob.reaches("onerror", "accepted");

  const ann = await Window.open(browser, service);
  await ann.signIn("Ann", "agent");
  const row = ann.page.locator(".case-list a").filter({ hasText: "Where is my <b>parcel</b>?" });
  await row.filter({ hasText: "1 unread message" }).waitFor();
  await row.click();
  await ann.bubble("onerror").waitFor();
  await row.filter({ hasNotText: "unread" }).waitFor();
  await ann.say("It is on its way.");
  await ann.reaches("on its way", "accepted");
  await bob.bubble("on its way").waitFor();
  for (const each of [ann, bob]) {
    assert.deepEqual(await texts(each), [odd, "It is on its way."]);
  }
  await ann.bubble("on its way").getByText("Accepted, no. 2").waitFor();
  await ann.close();
  await bob.close();
});

test("A1 A2 ACC-03 the ack is lost: one bubble, told to be a repeat", async () => {
  const [ann, bob] = await pair("lost-ack");
  ann.lost.add("ack").add("message");
  await ann.say("once");
  await bob.bubble("once").waitFor();
  await ann.reaches("once", "sent");
  await ann.cut();
  ann.lost.clear();
  await ann.uncut();
  await ann.bubble("once").getByText(/Accepted once, no. 1/).waitFor();
  await ann.say("twice");
  await bob.bubble("twice").waitFor();
  for (const each of [ann, bob]) {
    assert.deepEqual(await texts(each), ["once", "twice"]);
  }
  await ann.close();
  await bob.close();
});

test("C6 a reload with commands without an answer: they are there, and are sent once", async () => {
  const [ann, bob] = await pair("reload");
  ann.isCut = true;
  await ann.cut();
  await ann.state("waiting");
  await ann.say("written offline, first");
  await ann.say("written offline, second");
  await ann.reaches("second", "queued");
  ann.page.on("dialog", (dialog) => dialog.accept());
  await ann.page.reload();
  await ann.reaches("second", "queued");
  await ann.uncut();
  await ann.reaches("second", "accepted");
  await bob.bubble("second").waitFor();
  for (const each of [ann, bob]) {
    assert.deepEqual(await texts(each), ["written offline, first", "written offline, second"]);
  }
  await ann.close();
  await bob.close();
});

test("TAB-03 two tabs of one person show one message, and the one that is left sends what waits", async () => {
  const [ann, bob] = await pair("tabs");
  const first = ann.page;
  await ann.say("from the first tab");
  await ann.reaches("from the first tab", "accepted");
  const second = await ann.newPage();
  await ann.signIn("Ann", "agent", "#tabs");
  await ann.bubble("from the first tab").waitFor();
  await ann.say("from the second tab");
  await first.locator(".bubble.own").filter({ hasText: "from the second tab" }).waitFor();
  await second.close();
  ann.page = first;
  for (const each of [ann, bob]) {
    await each.bubble("from the second tab").waitFor();
    assert.deepEqual(await texts(each), ["from the first tab", "from the second tab"]);
  }
  await ann.close();
  await bob.close();
});

test("A1 N1 N2 R1 R3 the server is killed while people type: nothing twice, nothing lost, in order", async (t) => {
  const [ann, bob] = await pair("killed");
  const said = { ann: [], bob: [] };
  const say = async (who, name, text) => {
    said[name].push(text);
    await who.say(text);
  };
  for (let round = 0; round < 2; round++) {
    const talk = async (who, name) => {
      for (let i = 0; i < 12; i++) {
        await say(who, name, `round ${round}, ${name} ${i}`);
      }
    };
    const killAfterMs = Math.floor(Math.random() * 500);
    t.diagnostic(`round ${round}: killed after ${killAfterMs} ms`);
    await Promise.all([talk(bob, "bob"), wait(killAfterMs).then(() => service.kill())]);
    await bob.state("waiting");
    await bob.composer.fill("half a sen");
    await service.start();
    await bob.online();
    assert.equal(await bob.composer.inputValue(), "half a sen");
    await bob.reaches(said.bob.at(-1), "accepted");
    await ann.online();
    await ann.bubble(said.bob.at(-1)).waitFor();
    await say(ann, "ann", `round ${round}, answered`);
    await ann.reaches(said.ann.at(-1), "accepted");
    await bob.bubble(said.ann.at(-1)).waitFor();
  }
  const shown = await ann.shown();
  assert.deepEqual(shown.map(({ seq }) => seq), shown.map((_, at) => at + 1));
  assert.equal(shown.length, said.ann.length + said.bob.length);
  assert.deepEqual(shown.filter(({ own }) => own).map(({ text }) => text), said.ann);
  assert.deepEqual(shown.filter(({ own }) => !own).map(({ text }) => text), said.bob);
  assert.deepEqual(await texts(bob), shown.map(({ text }) => text));
  await ann.close();
  await bob.close();
});

test("S4 the service is stopped and started again with a message under way: once, in order", async () => {
  const [ann, bob] = await pair("stopped");
  bob.lost.add("ack").add("message");
  await bob.say("under way");
  await ann.bubble("under way").waitFor();
  await bob.reaches("under way", "sent");
  const stopped = service.stop();
  await bob.state("waiting");
  bob.lost.clear();
  await bob.say("written while it was away");
  await bob.reaches("while it was away", "queued");
  await bob.composer.fill("half a sen");
  await stopped;
  await service.start();
  await bob.bubble("under way").getByText(/Accepted once, no. 1/).waitFor();
  await bob.reaches("while it was away", "accepted");
  await ann.bubble("while it was away").waitFor();
  assert.equal(await bob.composer.inputValue(), "half a sen");
  assert.equal(await bob.page.evaluate(() => document.activeElement.id), "composer");
  for (const each of [ann, bob]) {
    assert.ok(each.came.has("drain"), "the service said goodbye");
    assert.deepEqual((await each.shown()).map(({ seq, text }) => [seq, text]),
      [[1, "under way"], [2, "written while it was away"]]);
    await each.close();
  }
});

test("AUTH-03 a token that has expired: signed out, and in again", async () => {
  await service.kill();
  await service.start({ POSTROOM_ACCESS_DEVELOPMENT_TOKEN_LIFE: "PT5S" });
  const ann = await Window.open(browser, service);
  await ann.page.goto(`${service.url}#expiry`);
  const useToken = async () => {
    await ann.page.getByRole("button", { name: "Use a token instead" }).click();
    await ann.page.locator("#token").fill(await service.token({ participant: "ann", name: "Ann" }));
    await ann.page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  await useToken();
  await ann.online();
  await ann.state("unauthorized");
  await ann.page.getByText("Signed out by the service").waitFor();
  await ann.page.getByRole("button", { name: "Sign in again" }).click();
  await useToken();
  await ann.online();
  await ann.close();
});
