// One case: its messages, what is to be decided, and where the next one is written.

import { button, make, once, setText } from "./dom.js";
import { Composer } from "./composer.js";
import { Guard } from "./guard.js";
import { Log } from "./log.js";

export class Talk {
  #words;
  #desk;
  #room;
  #guard;
  #log;
  #composer;
  #title;
  #state;
  #ask;
  #asked;
  #stop = [];

  /**
   * @param {object} desk what it needs of the page: `words`, `client`, `cases`, `marks`, `drafts`,
   *   `announcer`, `isGuarded`, `back`
   * @param {string} name the case's
   */
  constructor(desk, name) {
    const { words } = desk;
    this.#words = words;
    this.#desk = desk;
    this.name = name;
    this.#room = desk.cases.open(name);
    this.#guard = new Guard(this.#room);
    this.#log = new Log(words, this.#room, this.#acts(), () => desk.client.me?.name ?? desk.name, () => this.draw());
    this.#composer = new Composer(
      words,
      { submit: (text) => this.#submit(text), typed: (text) => desk.drafts.set(name, text) },
      () => desk.client.limits,
    );
    this.#title = make("h2", { dir: "auto", tabindex: "-1", id: "case-heading" });
    this.#state = make("p", { class: "case-status", role: "status" });
    this.#asked = make("p", { id: "asked" });
    this.#ask = make(
      "section",
      { class: "ask", hidden: true, role: "alertdialog", "aria-labelledby": "asked" },
      this.#asked,
      make(
        "div",
        { class: "tools" },
        button(words.say("sendAnyway"), () => this.#answer(true), { class: "main" }),
        button(words.say("keepWriting"), () => this.#answer(false), { class: "quiet" }),
      ),
    );
    this.element = make(
      "main",
      { class: "talk", "aria-labelledby": "case-heading", onkeydown: (event) => this.#key(event) },
      make(
        "header",
        { class: "talk-head" },
        make("a", { class: "back", href: "#", "aria-label": words.say("back") }, "‹"),
        make("div", {}, this.#title, this.#state),
      ),
      this.#log.element,
      this.#ask,
      this.#composer.element,
    );
    this.#composer.text = desk.drafts.get(name);
    this.#begin();
  }

  /** The case's room, for whoever shows more of it. */
  get room() {
    return this.#room;
  }

  focus() {
    this.#composer.field.focus();
  }

  draw() {
    const entry = this.#desk.cases.get(this.name);
    setText(this.#title, entry?.title ?? this.name);
    this.#guard.settle();
    this.#drawState();
    const focused = document.activeElement;
    const hadFocus = this.element.contains(focused);
    this.#log.draw(this.#unseen().length);
    this.#look();
    this.#composer.draw();
    if (hadFocus && !focused.isConnected) {
      this.focus(); // what had the focus is not there any more
    }
  }

  close() {
    this.#stop.forEach((stop) => stop());
    this.#log.close();
    this.#desk.cases.shut(this.name);
  }

  #begin() {
    const draw = once(() => this.draw());
    const reset = () => {
      this.#log.markFresh(this.#firstUnseen());
      draw();
    };
    this.#stop = [
      this.#room.on("change", draw),
      this.#room.on("reset", reset),
      this.#room.on("message", (message) => this.#came(message)),
    ];
    const shown = () => !document.hidden && draw();
    document.addEventListener("visibilitychange", shown);
    this.#stop.push(() => document.removeEventListener("visibilitychange", shown));
    this.#log.markFresh(this.#firstUnseen());
    draw();
  }

  #came(message) {
    if (message.own) {
      return;
    }
    this.#desk.announcer.message(message);
    // Of what comes while one looks nothing is new; the rest has a line above it, until one writes.
    const { freshFrom } = this.#log;
    if (!this.#isLooking() && (freshFrom === Infinity || freshFrom <= this.#seen())) {
      this.#log.markFresh(message.seq);
    }
  }

  #isLooking() {
    return !document.hidden && this.#log.isAtEnd;
  }

  /** What is in view is seen, when somebody looks at it. */
  #look() {
    const { cursor, state } = this.#room;
    if (cursor && state.name === "live" && this.#isLooking() && this.element.isConnected) {
      if (this.#desk.marks.see(this.name, cursor)) {
        this.#desk.looked();
      }
    }
  }

  /** The number of the last message that was seen; null where nothing is known. */
  #seen() {
    const { cursor } = this.#room;
    return cursor ? this.#desk.marks.seen(this.name, cursor.epoch) : this.#desk.marks.last(this.name);
  }

  #unseen() {
    return this.#room.cursor ? this.#guard.unseen(this.#seen()) : [];
  }

  #firstUnseen() {
    const seen = this.#seen();
    return seen > 0 ? (this.#unseen()[0]?.seq ?? Infinity) : Infinity;
  }

  #submit(text) {
    const unseen = this.#unseen();
    if (this.#desk.isGuarded && unseen.length > 0) {
      this.#question(unseen);
      return false;
    }
    this.#send(text);
    return true;
  }

  #send(text) {
    this.#close();
    this.#log.markFresh(Infinity);
    this.#log.isAtEnd = true;
    if (this.#desk.isGuarded) {
      this.#guard.send(text, this.#seen());
    } else {
      this.#room.send(text);
    }
  }

  /** Others wrote since one looked: shows it, and asks. */
  #question(unseen) {
    const names = [...new Set(unseen.map(({ author }) => author.name))].join(", ");
    setText(this.#asked, this.#words.say("ask", { n: unseen.length, names }));
    this.#ask.hidden = false;
    this.#log.markFresh(unseen[0].seq);
    this.#log.draw(unseen.length);
    this.#log.toFresh();
    this.#ask.querySelector("button").focus();
    this.draw();
  }

  /** @param {boolean} isSent */
  #answer(isSent) {
    const { cursor } = this.#room;
    this.#close();
    if (cursor) {
      this.#desk.marks.see(this.name, cursor); // it was shown, and decided upon
    }
    if (isSent && this.#composer.text.trim()) {
      this.#send(this.#composer.text);
      this.#composer.text = "";
    }
    this.focus();
    this.draw();
  }

  #close() {
    this.#ask.hidden = true;
  }

  #acts() {
    return {
      isBeingSettled: (command) => this.#guard.isBeingSettled(command),
      resend: (command) => command.resend(),
      sendAnyway: (command) => {
        this.#log.toEnd();
        this.#look();
        this.#guard.sendAnyway(command);
        this.focus();
      },
      edit: (command) => {
        const { text } = command;
        if (command.discard()) {
          const typed = this.#composer.text;
          this.#composer.text = typed ? `${text}\n${typed}` : text;
          this.focus();
        }
      },
      discard: (command) => command.discard() && this.focus(),
    };
  }

  #drawState() {
    const { state, cursor } = this.#room;
    const isOnline = this.#desk.client.state.name === "online";
    const key = state.name === "left"
      ? (this.#words.has(`left_${state.reason}`) ? `left_${state.reason}` : "left_other")
      : state.name === "live" ? null
        : isOnline ? "catchingUp" : cursor ? "mayBeBehind" : null;
    setText(this.#state, key ? this.#words.say(key) : "");
    this.element.dataset.room = state.name;
    this.#composer.element.hidden = state.name === "left";
  }

  #key(event) {
    if (event.key === "Escape" && !event.defaultPrevented) {
      event.preventDefault();
      if (this.#ask.hidden) {
        this.#desk.back();
      } else {
        this.#answer(false);
      }
    }
  }
}
