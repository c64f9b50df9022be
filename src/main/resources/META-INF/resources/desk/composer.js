// Where a message is written. The text is the reader's: nothing that happens to the connection, the
// view or the case touches it.

import { utf8Length } from "../client/index.js";
import { make, setText } from "./dom.js";

/** So many bytes before the limit the page begins to count. */
const NEAR = 1_000;
const MOST_ROWS = 8;

export class Composer {
  #words;
  #limits;
  #submit;
  #typed;
  #note;
  #send;
  #size = 0;

  /**
   * @param {{submit: (text: string) => boolean, typed: (text: string) => void}} told `submit`: true
   *   when the text was taken over
   * @param {() => {textBytes: number} | null} limits
   */
  constructor(words, { submit, typed }, limits) {
    this.#words = words;
    this.#submit = submit;
    this.#typed = typed;
    this.#limits = limits;
    this.field = make("textarea", {
      id: "composer", rows: "1", dir: "auto", "aria-label": words.say("message"),
      "aria-describedby": "composer-note", placeholder: words.say("placeholder"), enterkeyhint: "send",
      oninput: () => this.#input(),
      onkeydown: (event) => this.#key(event),
    });
    this.#note = make("p", { class: "note", id: "composer-note" });
    this.#send = make("button", { class: "main" }, words.say("send"));
    this.element = make(
      "form",
      { class: "composer", onsubmit: (event) => this.#go(event) },
      this.field,
      this.#send,
      this.#note,
    );
    this.draw();
  }

  get text() {
    return this.field.value;
  }

  set text(text) {
    this.field.value = text;
    this.#input();
  }

  /** What the limit says of the text, as soon as there is one. */
  draw() {
    const limit = this.#limits()?.textBytes;
    const isLong = limit !== undefined && this.#size > limit;
    const isNear = limit !== undefined && this.#size > limit - NEAR;
    setText(this.#note, isLong
      ? this.#words.say("tooLong", { size: this.#size, limit })
      : isNear ? this.#words.say("bytesLeft", { n: limit - this.#size }) : this.#words.say("keys"));
    this.#note.classList.toggle("error", isLong);
    this.field.setAttribute("aria-invalid", String(isLong));
  }

  #input() {
    this.#size = utf8Length(this.field.value);
    this.field.rows = Math.min(MOST_ROWS, this.field.value.slice(0, 5_000).split("\n").length);
    this.#typed(this.field.value);
    this.draw();
  }

  #key(event) {
    // Enter that ends a composition (Japanese, Chinese …) is not the reader's Enter.
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229) {
      this.#go(event);
    }
  }

  #go(event) {
    event.preventDefault();
    const text = this.field.value;
    const limit = this.#limits()?.textBytes ?? Infinity;
    if (text.trim() && this.#size <= limit && this.#submit(text)) {
      this.text = "";
    }
    this.field.focus();
  }
}
