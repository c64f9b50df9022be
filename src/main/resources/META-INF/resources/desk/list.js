// The list of cases.

import { arrange, button, make, setText } from "./dom.js";
import { MOST_CASES } from "./api.js";

/** Cases that are drawn at first, and that come with each wish for more. */
const STEP = 50;
/** Of a text, in a list. CSS cuts it to one line; a long one is not given to it at all. */
const LONGEST = 160;

export class CaseList {
  #words;
  #cases;
  #rows = new Map();
  #list;
  #note;
  #again;
  #more;
  #most = STEP;
  #current = null;
  /** The one that the tab key leads to; the arrow keys go on from there. */
  #stop = null;

  /** @param {() => void} newCase */
  constructor(words, cases, newCase) {
    this.#words = words;
    this.#cases = cases;
    this.#list = make("ul", {
      class: "case-list",
      onfocusin: ({ target }) => this.#stopAt(target.dataset.case),
      onkeydown: (event) => this.#key(event),
    });
    this.#note = make("p", { class: "note" });
    this.#again = button(words.say("tryAgain"), () => cases.refresh(), { class: "quiet", hidden: true });
    this.#more = button("", () => this.#showMore(), { class: "quiet more", hidden: true });
    this.element = make(
      "nav",
      { class: "cases", "aria-label": words.say("cases") },
      make(
        "div",
        { class: "cases-head" },
        make("h2", {}, words.say("cases")),
        button(words.say("newCase"), newCase, { class: "main", id: "new-case" }),
      ),
      make("div", { class: "cases-scroll" }, this.#list, this.#more, this.#note, this.#again),
    );
  }

  /**
   * @param {object[]} all the cases, in their order: the first of them are drawn
   * @param {string | null} current the open case, which is drawn whatever its place
   */
  draw(all, current) {
    if (current !== this.#current) {
      this.#stop = current ?? this.#stop;
      this.#current = current;
    }
    const shown = all.filter(({ name }, at) => at < this.#most || name === current || name === this.#stop);
    if (!shown.some(({ name }) => name === this.#stop)) {
      this.#stop = shown[0]?.name ?? null;
    }
    arrange(this.#list, shown.map((each) => this.#row(each)));
    const names = new Set(shown.map(({ name }) => name));
    [...this.#rows.keys()].filter((name) => !names.has(name)).forEach((name) => this.#rows.delete(name));
    const more = Math.min(STEP, all.length - this.#most);
    setText(this.#more, more > 0 ? this.#words.say("moreCases", { n: more }) : "");
    this.#more.hidden = more <= 0;
    this.#drawNote(all.length);
  }

  #showMore() {
    const before = this.#list.children.length;
    this.#most += STEP;
    this.draw(this.#cases.all, this.#current);
    (this.#list.children[before] ?? this.#list.lastElementChild).querySelector("a").focus();
  }

  #stopAt(name) {
    const before = this.#rows.get(this.#stop)?.link;
    if (before) {
      before.tabIndex = -1;
    }
    this.#stop = name;
    this.#rows.get(name).link.tabIndex = 0;
  }

  /** A list of hundreds is one stop of the tab key. */
  #key(event) {
    const links = [...this.#list.querySelectorAll("a")];
    const at = links.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (links[to]) {
      event.preventDefault();
      links[to].focus();
    }
  }

  /** Puts the focus on a case, or on what is there instead. */
  focus(name) {
    const link = this.#rows.get(name)?.link ?? this.#list.querySelector("a");
    (link ?? this.element.querySelector("button")).focus();
  }

  #drawNote(count) {
    const { failure, isLoaded } = this.#cases;
    const text = failure
      ? this.#words.say("listFailed")
      : !isLoaded
        ? this.#words.say("loading")
        : count === 0
          ? this.#words.say("noCases")
          : count >= MOST_CASES
            ? this.#words.say("mostCases", { n: count })
            : "";
    setText(this.#note, text);
    this.#note.hidden = text === "";
    this.#again.hidden = !failure;
  }

  #row(entry) {
    let row = this.#rows.get(entry.name);
    if (!row) {
      row = newRow(entry.name);
      this.#rows.set(entry.name, row);
    }
    const { title, last, isEmpty, unread, unsent, failed } = entry;
    setText(row.title, title);
    setText(row.time, last ? this.#words.shortly(last.at) : "");
    setText(row.last, last ? this.#summary(last) : isEmpty ? this.#words.say("noMessages") : "\u00a0");
    setText(row.count, unread === 0 ? "" : unread > 99 ? "99+" : String(unread));
    row.count.hidden = unread === 0;
    // For those who hear the number: of what it is.
    setText(row.unread, unread === 0 ? "" : this.#words.say("unread", { n: unread }));
    setText(row.state, failed ? this.#words.say("notSent") : unsent > 0 ? this.#words.say("waiting") : "");
    row.state.hidden = row.state.textContent === "";
    row.state.classList.toggle("bad", failed);
    row.link.classList.toggle("is-unread", unread > 0);
    row.link.tabIndex = entry.name === this.#stop ? 0 : -1;
    if (entry.name === this.#current) {
      row.link.setAttribute("aria-current", "page");
    } else {
      row.link.removeAttribute("aria-current");
    }
    return row.element;
  }

  #summary(last) {
    const text = last.text.slice(0, LONGEST).replace(/\s+/g, " ");
    return this.#words.say("lastMessage", { name: last.author.name, text });
  }
}

function newRow(name) {
  const row = {
    title: make("span", { class: "case-title", dir: "auto" }),
    time: make("span", { class: "case-time" }),
    last: make("span", { class: "case-last" }),
    count: make("span", { class: "badge", "aria-hidden": "true" }),
    unread: make("span", { class: "unseen" }),
    state: make("span", { class: "case-state" }),
  };
  row.link = make(
    "a",
    { href: `#${encodeURIComponent(name)}`, "data-case": name },
    make("span", { class: "case-line" }, row.title, row.time),
    make("span", { class: "case-line" }, row.last, row.state, row.unread, row.count),
  );
  row.element = make("li", {}, row.link);
  return row;
}
