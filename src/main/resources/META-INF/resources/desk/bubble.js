// One message or command, with its state in words. It stays the same element from the key press to
// the number, in whatever order ack, event and replay come.

import { arrange, button, make, setText } from "./dom.js";

/** Codes that have words of their own; the others are named. */
const TOO_LONG = "too_large";
/** The same text can never be accepted under the same id. */
const FINAL = new Set([TOO_LONG, "id_conflict", "invalid", "bad_frame"]);
const ASKS = new Set(["too_old", "unclaimed"]);

export class Bubble {
  #words;
  #acts;
  #author;
  #text;
  #time;
  #state;
  #tools;
  #shown = "";
  /** What stands there now, so that a long case is not written anew for one message. */
  #drawn = [];
  /** @type {import("../client/postroom.d.ts").Command | null} */
  command = null;

  /**
   * @param {{resend: Function, sendAnyway: Function, edit: Function, discard: Function,
   *   isBeingSettled: Function}} acts what its buttons do to a command
   */
  constructor(words, acts, isOwn) {
    this.#words = words;
    this.#acts = acts;
    this.#author = make("span", { class: "author", dir: "auto" });
    this.#text = make("p", { class: "text", dir: "auto" });
    this.#time = make("time", {});
    this.#state = make("span", { class: "state" });
    this.#tools = make("div", { class: "tools" });
    this.element = make(
      "li",
      { class: isOwn ? "bubble own" : "bubble" },
      this.#author,
      this.#text,
      make("p", { class: "meta" }, this.#state, this.#time),
      this.#tools,
    );
  }

  /** @param {boolean} follows whether the one before it is of the same author and time */
  drawMessage(message, follows) {
    const { seq, author, text, acceptedAt, own } = message;
    this.element.dataset.seq = seq;
    const isRepeated = own && this.command?.state === "acked" && this.command.duplicate === true;
    if (!this.#isNews(message, follows, isRepeated)) {
      return;
    }
    const key = own ? (isRepeated ? "acceptedOnce" : "accepted") : "number";
    this.#draw(author.name, text, own ? "accepted" : "", follows);
    setText(this.#state, this.#words.say(key, { n: seq }));
    this.#drawTime(new Date(acceptedAt));
    this.#drawTools([]);
  }

  drawCommand(command, name, follows) {
    this.command = command;
    this.#drawn = [];
    const isSettled = this.#acts.isBeingSettled(command);
    const state = isSettled ? "queued" : command.state;
    if (command.seq) {
      this.element.dataset.seq = command.seq;
    }
    this.#draw(name, command.text, state === "acked" ? "accepted" : state, follows);
    setText(this.#state, this.#progress(command, state));
    this.#drawTime(new Date(command.createdAt));
    this.#drawTools(state === "failed" ? this.#wanted(command) : []);
  }

  #isNews(...drawn) {
    const isNews = drawn.some((each, at) => each !== this.#drawn[at]);
    this.#drawn = drawn;
    return isNews;
  }

  #draw(name, text, state, follows) {
    setText(this.#author, name);
    setText(this.#text, text);
    this.element.dataset.state = state;
    this.element.classList.toggle("follows", follows);
  }

  #drawTime(date) {
    setText(this.#time, this.#words.time(date));
    this.#time.dateTime = date.toISOString();
  }

  #progress(command, state) {
    switch (state) {
      case "acked":
        return this.#words.say(command.duplicate ? "acceptedOnce" : "accepted", { n: command.seq });
      case "sent":
        return this.#words.say("sent");
      case "failed":
        return this.#reason(command.failure);
      default:
        return this.#words.say(command.delay ? "delayed" : command.tries > 0 ? "repeated" : "queued");
    }
  }

  #reason({ code, seq }) {
    const key = `failed_${code}`;
    return this.#words.has(key)
      ? this.#words.say(key, { n: seq ?? 0 })
      : this.#words.say("failed_other", { code });
  }

  #wanted({ failure: { code } }) {
    const wanted = [];
    if (code === "stale_head") {
      wanted.push(["sendAnyway", "sendAnyway"]);
    } else if (!FINAL.has(code)) {
      wanted.push([ASKS.has(code) ? "sendNow" : "resend", "resend"]);
    }
    return [...wanted, ["edit", "edit"], ["discard", "discard"]];
  }

  #drawTools(wanted) {
    const shown = wanted.join();
    if (shown === this.#shown) {
      return; // the buttons keep their focus
    }
    this.#shown = shown;
    this.#tools.hidden = wanted.length === 0;
    arrange(this.#tools, wanted.map(([label, act]) =>
      button(this.#words.say(label), () => this.#acts[act](this.command), {
        class: act === "discard" || act === "edit" ? "quiet" : "main",
      })));
  }
}
