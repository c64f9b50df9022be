// The packaged service, a real browser, and what was accepted in a room.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { Service } from "../service.js";
import { Tab } from "./tab.js";

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome"];
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

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
      args: FLAGS,
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
