// The messages of a case, the unsent ones below them: drawn anew at each change, each in an element
// of its own that stays. Older ones come when the reader gets near the top, and nothing jumps.

import { arrange, button, make, once, setText } from "./dom.js";
import { Bubble } from "./bubble.js";

/** So near the end, in pixels, one is at the end. */
const NEAR_END = 48;
/** So near the beginning of what is loaded more is asked for. */
const NEAR_START = 600;
/** Messages of one author within this time stand together. */
const TOGETHER_MS = 5 * 60_000;

export class Log {
  #words;
  #room;
  #acts;
  #name;
  #list;
  #start;
  #older;
  #latest;
  /** @type {Map<string, Bubble>} */
  #bubbles = new Map();
  #days = new Map();
  #fresh;
  #freshFrom = Infinity;
  #isLoading = false;
  #watch;
  isAtEnd = true;

  /**
   * @param {object} acts see Bubble
   * @param {string} name whose commands are not messages yet
   * @param {() => void} looked called when the reader may have seen more
   */
  constructor(words, room, acts, name, looked) {
    this.#words = words;
    this.#room = room;
    this.#acts = acts;
    this.#name = name;
    this.#older = button(words.say("older"), () => this.#load(), { class: "quiet", hidden: true });
    this.#start = make("p", { class: "start" }, this.#older, make("span", {}));
    this.#list = make("ol", { class: "messages", "aria-label": words.say("messages") });
    this.#fresh = make("li", { class: "divider fresh" }, make("span", {}, words.say("fresh")));
    this.scroller = make(
      "div",
      { class: "log", tabindex: "0", role: "region", "aria-label": words.say("messages") },
      this.#start,
      this.#list,
    );
    this.#latest = button("", () => this.toEnd(), { class: "latest", hidden: true });
    this.element = make("div", { class: "log-frame" }, this.scroller, this.#latest);
    const seen = once(looked);
    this.scroller.addEventListener("scroll", () => {
      this.isAtEnd = this.#isNearEnd();
      this.#loadNear();
      seen();
    }, { passive: true });
    // A keyboard on the screen, a composer that grows: who was at the end stays there.
    this.#watch = new ResizeObserver(() => this.isAtEnd && this.toEnd());
    this.#watch.observe(this.scroller);
  }

  /** From this number on it is new; everything that is, has a line above it. */
  markFresh(seq) {
    this.#freshFrom = seq;
  }

  get freshFrom() {
    return this.#freshFrom;
  }

  /** @param {number} unseen how many messages are below what the reader sees */
  draw(unseen) {
    const { messages, pending, earlier } = this.#room;
    const fromEnd = this.scroller.scrollHeight - this.scroller.scrollTop;
    const firstBefore = this.#list.querySelector("[data-seq]");
    const lines = this.#lines(messages, pending);
    this.#drawStart(messages, pending, earlier);
    arrange(this.#list, lines);
    if (this.isAtEnd) {
      this.toEnd();
    } else if (firstBefore?.isConnected && this.#list.querySelector("[data-seq]") !== firstBefore) {
      this.scroller.scrollTop = this.scroller.scrollHeight - fromEnd;
    }
    this.#latest.hidden = this.isAtEnd;
    setText(this.#latest, unseen > 0 ? this.#words.say("newBelow", { n: unseen }) : this.#words.say("toEnd"));
    this.#loadNear();
  }

  toEnd() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.isAtEnd = true;
  }

  /** Shows the line above what is new. */
  toFresh() {
    if (this.#fresh.isConnected) {
      this.#fresh.scrollIntoView({ block: "start" });
    }
  }

  close() {
    this.#watch.disconnect();
  }

  #isNearEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < NEAR_END;
  }

  #lines(messages, pending) {
    const lines = [];
    const used = new Map();
    let before = null;
    const add = (key, isOwn, authorId, date, draw) => {
      // A command's date is no place in the order.
      const day = authorId === "own" ? (before?.day ?? "") : date.toDateString();
      if (day !== (before?.day ?? "")) {
        lines.push(this.#day(day, date));
      }
      const follows = before?.day === day && before.authorId === authorId && date - before.date < TOGETHER_MS;
      const bubble = this.#bubbles.get(key) ?? new Bubble(this.#words, this.#acts, isOwn);
      used.set(key, bubble);
      draw(bubble, follows);
      lines.push(bubble.element);
      before = { day, authorId, date };
    };
    for (const message of messages) {
      const { own, clientMessageId, messageId, author, seq } = message;
      if (seq === this.#freshFrom) {
        lines.push(this.#fresh);
        before = before && { ...before, authorId: null };
      }
      const key = own ? `own ${clientMessageId}` : messageId;
      add(key, own, author.id, new Date(message.acceptedAt), (bubble, follows) =>
        bubble.drawMessage(message, follows));
    }
    for (const command of pending) {
      const key = `own ${command.id}`;
      if (!used.has(key)) {
        add(key, true, "own", new Date(command.createdAt), (bubble, follows) =>
          bubble.drawCommand(command, this.#name(), follows));
      }
    }
    this.#bubbles = used;
    return lines;
  }

  #day(key, date) {
    const day = this.#days.get(key) ?? make("li", { class: "divider" }, make("span", {}));
    this.#days.set(key, day);
    setText(day.firstChild, this.#words.day(date));
    return day;
  }

  #drawStart(messages, pending, earlier) {
    this.#older.hidden = !earlier || this.#isLoading;
    const isEmpty = messages.length + pending.length === 0;
    const text = this.#isLoading
      ? "loadingOlder"
      : earlier ? null
        : !this.#room.cursor ? (isEmpty ? "loading" : null)
          : isEmpty ? "emptyCase"
            : messages[0]?.seq > 1 ? "beginningKept" : "beginning";
    setText(this.#start.lastChild, text ? this.#words.say(text) : "");
  }

  #loadNear() {
    if (this.scroller.scrollTop < NEAR_START && this.#room.earlier && this.scroller.clientHeight > 0) {
      this.#load();
    }
  }

  async #load() {
    if (this.#isLoading || this.#room.state.name !== "live") {
      return; // it is drawn again when it is live
    }
    this.#isLoading = true;
    this.#drawStart(this.#room.messages, this.#room.pending, this.#room.earlier);
    const came = await this.#room.loadEarlier();
    this.#isLoading = false;
    this.#drawStart(this.#room.messages, this.#room.pending, this.#room.earlier);
    if (came) {
      this.#loadNear();
    }
  }
}
