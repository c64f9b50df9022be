// The page: for each design its steps, a crash point that can be moved along them, and what the model
// says of it.
import { breaksAt, DESIGNS, fate, isTrue, stepsOf } from "./model.js";
import { wordsFor } from "./words.js";

/** @import { Design, Fate, Surroundings } from "./model.js" */

const { language, words } = wordsFor(navigator.languages ?? [navigator.language]);
const around = find("#around");
/** @type {("stored" | "sent" | "applied")[]} */
const SIDES = ["stored", "sent", "applied"];

/** What stands in the page's own markup. @param {string} selector @returns {HTMLElement} */
function find(selector) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) {
    throw new Error(`The page has no ${selector}.`);
  }
  return found;
}

/**
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name
 * @param {Record<string, string | number>} [attributes]
 * @param {(Node | string)[]} children
 */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/** @param {string} name */
const isChecked = (name) => around.querySelector(`[name=${name}]:checked`) !== null;
const surroundings = () => ({ asksAgain: isChecked("asksAgain"), inbox: isChecked("inbox") });

/**
 * What happened after the crash, in sentences.
 *
 * @param {Design} design
 * @param {number} done
 * @param {Fate} now
 * @param {Surroundings} given
 */
function story(design, done, now, given) {
  const { after } = words;
  const steps = stepsOf(design);
  const told = [];
  const sentBefore = now.sent - now.resent;
  const noted = design === "outbox" && done > 0 && done < steps.length;
  if (noted) {
    told.push(sentBefore ? after.noteAgain : after.note);
  } else {
    told.push(done === steps.length ? after.done : after.memory);
  }
  const answered = steps.slice(0, done).includes("answer");
  const booked = steps.slice(0, done).some((step) => step === "book" || step === "bookAndNote");
  if (!answered && !given.asksAgain) {
    told.push(after.silent);
  } else if (!answered && booked) {
    told.push(now.sent ? after.known : after.knownLost);
  } else if (!answered) {
    told.push(sentBefore ? after.freshTwice : after.fresh);
  }
  if (noted && sentBefore) {
    told.push(now.dropped ? after.dropped : after.taken);
  }
  return told;
}

class Card {
  /** @param {Design} design */
  constructor(design) {
    this.design = design;
    this.steps = stepsOf(design);
    const { name, idea } = words.design[design];
    this.title = name;
    this.slider = element("input", {
      type: "range", min: 0, max: this.steps.length, step: 1, id: `crash-${design}`,
      "aria-orientation": "vertical", "aria-describedby": `idea-${design}`,
    });
    // Where the design first goes wrong, or where the outbox repeats.
    this.slider.value = design === "outbox" ? "3" : "1";
    this.stepLines = this.steps.map((step) => element("li", {}, words.step[step]));
    this.mark = element("span", { class: "crash", "aria-hidden": "true" });
    this.sides = SIDES.map((side) => ({ side, cell: element("dd", { class: side }) }));
    this.verdict = element("p", { class: "verdict" });
    this.because = element("p", { class: "because" });
    this.story = element("ol", { class: "story" });
    this.breaks = element("p", { class: "breaks" });
    const label = element("label", { for: this.slider.id, class: "unseen" }, `${name}: ${words.crash}`);
    this.root = element(
      "article", { class: "design", "data-design": design },
      element("h2", {}, name),
      element("p", { class: "idea", id: `idea-${design}` }, idea),
      element("div", { class: "line" }, label, this.slider,
        element("ol", { class: "steps" }, ...this.stepLines), this.mark),
      this.story,
      element("dl", {}, ...this.sides.map(({ side, cell }) =>
        element("div", {}, element("dt", {}, words.sides[side]), cell))),
      this.verdict, this.because, this.breaks);
    this.slider.addEventListener("input", () => {
      this.show();
      say([this]);
    });
  }

  get done() {
    return Number(this.slider.value);
  }

  get crash() {
    const { first, after, last } = words.at;
    if (this.done === 0) {
      return first;
    }
    const step = this.steps[this.done - 1];
    return this.done === this.steps.length || !step ? last : `${after} ${words.step[step]}`;
  }

  show() {
    const given = surroundings();
    const now = fate(this.design, this.done, given);
    this.slider.setAttribute("aria-valuetext", this.crash);
    this.mark.style.setProperty("--done", String(this.done));
    this.root.dataset.verdict = now.verdict;
    this.root.dataset.good = String(isTrue(now.verdict));
    this.stepLines.forEach((line, i) => (line.className = i < this.done ? "done" : "missed"));
    this.mark.textContent = this.done === this.steps.length ? words.lives : words.dies;
    for (const { side, cell } of this.sides) {
      cell.dataset.count = String(now[side]);
      cell.replaceChildren(
        element("span", { class: "count", "aria-hidden": "true" }, "●".repeat(now[side]) || "○"),
        ` ${words[side][now[side]]}`);
    }
    this.story.replaceChildren(
      ...story(this.design, this.done, now, given).map((told) => element("li", {}, told)));
    this.verdict.textContent = words.verdict[now.verdict];
    this.because.textContent = words.because[now.verdict];
    const wrong = breaksAt(this.design, given).length;
    this.breaks.textContent = (wrong ? words.breaks : words.right)
      .replaceAll("{count}", String(wrong))
      .replaceAll("{all}", String(this.steps.length + 1));
  }
}

const cards = DESIGNS.map((design) => new Card(design));

/** For those who do not see the picture: what came of a change, once. @param {Card[]} changed */
function say(changed) {
  find("#said").textContent = changed
    .map(({ title, crash, verdict, because }) =>
      `${title}. ${crash}. ${verdict.textContent}. ${because.textContent}`)
    .join(" ");
}

document.documentElement.lang = language;
document.title = `${words.title} · Postroom`;
for (const [word, text] of Object.entries(words)) {
  if (typeof text === "string") {
    document.querySelectorAll(`[data-word=${word}]`).forEach((place) => (place.textContent = text));
  }
}
find("#designs").append(...cards.map((card) => card.root));
cards.forEach((card) => card.show());
around.addEventListener("change", () => {
  cards.forEach((card) => card.show());
  say(cards);
});
around.hidden = false;
find("#why").hidden = false;
