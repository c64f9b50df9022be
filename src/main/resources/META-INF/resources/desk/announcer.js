// The live region: each message of others is read out once, when it comes. What was in view before,
// comes again, or is one's own, is not.

import { make } from "./dom.js";

/** More than this many at once are counted instead of read. */
const READ_OUT = 5;
const LINES = 20;
const LONGEST = 200;

export class Announcer {
  #words;
  #waiting = [];
  #isDue = false;

  constructor(words) {
    this.#words = words;
    this.element = make("div", { class: "unseen", id: "announcements", "aria-live": "polite" });
  }

  /** A message of somebody else in the open case. */
  message({ author, text }) {
    const short = [...text.slice(0, LONGEST * 2)].slice(0, LONGEST).join("");
    this.#queue(this.#words.say("announceMessage", { name: author.name, text: short }));
  }

  /** A message of somebody else in a case that is not open. */
  elsewhere({ author }, title) {
    this.#queue(this.#words.say("announceElsewhere", { name: author.name, title }));
  }

  /** Anything else that is worth an interruption. */
  say(text) {
    const line = make("p", {}, text);
    this.element.append(line);
    while (this.element.children.length > LINES) {
      this.element.firstChild.remove();
    }
  }

  /** Those of one turn of the client are looked at together: that is how a delta comes. */
  #queue(text) {
    this.#waiting.push(text);
    if (!this.#isDue) {
      this.#isDue = true;
      setTimeout(() => {
        this.#isDue = false;
        const texts = this.#waiting.splice(0);
        if (texts.length > READ_OUT) {
          this.say(this.#words.say("announceMany", { n: texts.length }));
        } else {
          texts.forEach((each) => this.say(each));
        }
      });
    }
  }
}
