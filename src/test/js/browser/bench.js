// The packaged service, a real browser, and what was accepted in a room. POSTROOM_SOURCES=1 takes the
// client's files from the sources instead of the jar, while one works on them.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { Service } from "../service.js";
import { Tab } from "./tab.js";

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome"];
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

const CLIENT = new URL("../../../main/resources/META-INF/resources/client/", import.meta.url);

/** What is answered here is taken for a page of the internet, which may not call 127.0.0.1. */
const SOURCE_FLAGS = process.env.POSTROOM_SOURCES ? ["--disable-features=LocalNetworkAccessChecks"] : [];

export const numbered = (word, count) => Array.from({ length: count }, (_, at) => `${word} ${at + 1}`);

export class Bench {
  service;
  browser;

  async start(settings) {
    const executablePath = BROWSERS.find((path) => path && existsSync(path));
    assert.ok(executablePath, "Chromium is needed: apt-get install chromium, or set CHROMIUM");
    this.service = await Service.start(settings);
    this.browser = await chromium.launch({
      executablePath,
      headless: true,
      args: [...FLAGS, ...SOURCE_FLAGS],
      // Playwright switches it off; people have it.
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
    });
  }

  async close() {
    await this.browser?.close();
    await this.service?.close();
  }

  /** One browser of one person. */
  async person(run) {
    const context = await this.browser.newContext();
    if (process.env.POSTROOM_SOURCES) {
      await context.route(/\/client\/\w[\w-]*\.js$/, (route) => {
        const path = fileURLToPath(new URL(new URL(route.request().url()).pathname.slice(8), CLIENT));
        return route.fulfill({ path, contentType: "text/javascript" });
      });
    }
    try {
      await run(context, (options) => Tab.open(this.service, context, options));
    } finally {
      await context.close();
    }
  }

  /** Bob writes these, in another browser. */
  async write(room, texts) {
    await this.person(async (context, open) => {
      const bob = await open({ room, participant: "bob", inMemory: true });
      for (let at = 0; at < texts.length; at += 250) {
        await bob.send(...texts.slice(at, at + 250));
        await bob.until(() => client.unsent === 0);
      }
    });
  }

  /** All that was accepted, by number. */
  async log(room) {
    const token = await this.service.token({ participant: "reader", admin: true });
    const all = [];
    for (;;) {
      const path = `api/rooms/${room}/messages?after=${all.length}`;
      const { head, messages } = await this.service.call("GET", path, token);
      all.push(...messages);
      if (all.length >= head) {
        return all;
      }
    }
  }

  async texts(room) {
    return (await this.log(room)).map(({ text }) => text);
  }
}
