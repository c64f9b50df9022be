// The desk page in Chromium, for the tests of it: windows of people, what they see and do. Anything
// that the browser complains about fails the test. POSTROOM_SOURCES=1 takes the page's files from the
// sources instead of the jar, while one works on them.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome"];
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
/** What a test answers itself is taken for a page of the internet, which may not call 127.0.0.1. */
const SOURCE_FLAGS = process.env.POSTROOM_SOURCES ? ["--disable-features=LocalNetworkAccessChecks"] : [];
const SOURCES = new URL("../../main/resources/META-INF/resources/", import.meta.url);
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const TYPES = { js: "text/javascript", css: "text/css", html: "text/html;charset=utf-8" };

export const PICTURES = fileURLToPath(new URL("../../../target/page/", import.meta.url));
export const DESKTOP = { viewport: { width: 1280, height: 800 }, locale: "en-GB" };
export const PHONE = {
  viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true, locale: "en-GB",
};
/** Under load of other suites a browser may take its time. */
const PATIENCE_MS = 45_000;

export async function launch() {
  const executablePath = BROWSERS.find((path) => path && existsSync(path));
  assert.ok(executablePath, "Chromium is needed: apt-get install chromium, or set CHROMIUM");
  return chromium.launch({ executablePath, headless: true, args: FLAGS.concat(SOURCE_FLAGS) });
}

/** Writes so many lines into a case, by one socket, before anybody comes. */
export async function writeMany(browser, service, name, count) {
  const page = await browser.newPage();
  await page.goto(service.url);
  const token = await service.token({ participant: "bob", name: "Bob" });
  await page.evaluate(async ([room, lines, bearer]) => {
    const { Postroom, MemoryStorage } = await import("/client/index.js");
    const url = `ws://${location.host}/ws`;
    const client = new Postroom({ url, token: async () => bearer, storage: new MemoryStorage() });
    const joined = client.join(room);
    for (let line = 1; line <= lines; line += 100) {
      const upTo = Math.min(lines, line + 99);
      for (let next = line; next <= upTo; next++) {
        joined.send(`line ${next}`);
      }
      await new Promise((done) => {
        const stop = joined.on("change", () => joined.cursor?.after >= upTo && (stop(), done()));
      });
    }
    client.close();
  }, [name, count, token]);
  await page.close();
}

/** One person's window. */
export class Window {
  #complaints = [];
  #socket = null;
  /** Frames of the server of these types are lost on their way, as long as they are in here. */
  lost = new Set();
  /** The types of the server's frames, and the epochs that they named: `room epoch`. */
  came = new Set();
  epochs = new Set();
  isCut = false;

  static async open(browser, service, options = DESKTOP) {
    const window = new Window();
    await window.#open(browser, service, options);
    return window;
  }

  async #open(browser, service, options) {
    this.service = service;
    this.context = await browser.newContext(options);
    this.context.setDefaultTimeout(PATIENCE_MS);
    await this.context.routeWebSocket("**/ws", (socket) => this.#carry(socket));
    if (process.env.POSTROOM_SOURCES) {
      await this.context.route(/:\d+\/($|\?|index\.html|desk\/|client\/)/, serveSource);
    }
    await this.newPage();
  }

  /** Another tab of the same person. */
  async newPage() {
    this.page = await this.context.newPage();
    this.page.on("pageerror", (error) => this.#complaints.push(error.message));
    this.page.on("console", (line) => {
      // That a killed server cannot be reached is what the test does.
      if (line.type() === "error" && !/WebSocket|net::ERR|status of (401|403|503)/.test(line.text())) {
        this.#complaints.push(line.text());
      }
    });
    return this.page;
  }

  /** Between page and server: frames pass, or are lost. */
  #carry(socket) {
    if (this.isCut) {
      socket.close({ code: 1001 });
      return;
    }
    const server = socket.connectToServer();
    this.#socket = socket;
    server.onMessage((text) => {
      const { type, room, epoch } = JSON.parse(text);
      this.came.add(type);
      this.epochs.add(`${room} ${epoch}`);
      if (!this.lost.has(type)) {
        socket.send(text);
      }
    });
  }

  /** As a network does it. */
  async cut() {
    await this.#socket?.close({ code: 1001 });
  }

  /** The network is back, and the page is told so. */
  async uncut() {
    this.isCut = false;
    await this.page.evaluate(() => dispatchEvent(new Event("online")));
  }

  async signIn(name, role = "agent", hash = "") {
    await this.page.goto(this.service.url + hash);
    await this.page.locator("#name").fill(name);
    await this.page.locator(`input[value=${role}]`).check();
    await this.page.locator("#sign-in button.main").click();
    await this.online();
    return this;
  }

  async go(room) {
    await this.page.evaluate((hash) => (location.hash = hash), room);
    await this.page.locator(".talk[data-room=live]").waitFor();
  }

  online() {
    return this.state("online");
  }

  state(name) {
    return this.page.locator(`#connection[data-state=${name}]`).waitFor();
  }

  get composer() {
    return this.page.locator("#composer");
  }

  async say(text) {
    await this.composer.fill(text);
    await this.composer.press("Enter");
  }

  bubble(text) {
    return this.page.locator(".bubble").filter({ hasText: text });
  }

  /** Until a bubble of this text stands there in this state. */
  async reaches(text, state) {
    await this.page.locator(`.bubble[data-state=${state}]`).filter({ hasText: text }).first().waitFor();
  }

  /** What is in the log, in the order in which it is seen. */
  shown() {
    return this.page.locator(".bubble").evaluateAll((lines) =>
      lines.map((line) => ({
        seq: Number(line.dataset.seq ?? 0),
        text: line.querySelector(".text").textContent,
        own: line.classList.contains("own"),
      })));
  }

  /** What the live region has said so far, from now on. */
  async listen() {
    await this.page.evaluate(() => {
      globalThis.heard = [];
      new MutationObserver((changes) => changes.forEach(({ addedNodes }) =>
        addedNodes.forEach((node) => globalThis.heard.push(node.textContent.replace(/[\u2068\u2069]/g, ""))),
      )).observe(document.getElementById("announcements"), { childList: true });
    });
  }

  heard() {
    return this.page.evaluate(() => globalThis.heard);
  }

  /** What axe finds that is serious, and whatever sticks out at the side. */
  async assertSound(what) {
    await this.#assertNoSideScroll(what);
    if (!(await this.page.evaluate(() => "axe" in globalThis))) {
      await this.page.evaluate(await readFile(AXE, "utf8"));
    }
    const { violations } = await this.page.evaluate(() => globalThis.axe.run());
    const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
    assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`), [], what);
  }

  async #assertNoSideScroll(what) {
    const [inner, outer] = await this.page.evaluate(() => [
      document.documentElement.scrollWidth, document.documentElement.clientWidth,
    ]);
    assert.ok(inner <= outer, `${what}: ${inner} wide on ${outer}`);
  }

  picture(file) {
    return this.page.screenshot({ path: `${PICTURES}${file}.png` });
  }

  async close() {
    assert.deepEqual(this.#complaints, []);
    await this.context.close();
  }
}

async function serveSource(route) {
  const path = new URL(route.request().url()).pathname.slice(1) || "index.html";
  const policy = (await readFile(new URL("../../application.properties", SOURCES), "utf8"))
    .match(/page\.header\."Content-Security-Policy"=(.*)/)[1];
  await route.fulfill({
    body: await readFile(new URL(path, SOURCES)),
    contentType: TYPES[path.split(".").at(-1)],
    headers: { "Content-Security-Policy": policy },
  });
}
