// The page: for each design its steps, a crash point that can be moved along them, and what the model
// says of it.
import { breaksAt, DESIGNS, fate, isTrue, stepsOf } from "./model.js";
import { wordsFor } from "./words.js";

const { language, words } = wordsFor(navigator.languages ?? [navigator.language]);
const around = document.querySelector("#around");

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const surroundings = () => ({
  asksAgain: around.querySelector("[name=asksAgain]").checked,
  inbox: around.querySelector("[name=inbox]").checked,
});

/** What happened after the crash, in sentences. */
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
    this.slider.value = design === "outbox" ? 3 : 1;
    this.stepLines = this.steps.map((step) => element("li", {}, words.step[step]));
    this.mark = element("span", { class: "crash", "aria-hidden": "true" });
    this.sides = Object.fromEntries(
      Object.keys(words.sides).map((side) => [side, element("dd", { class: side })]));
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
      element("dl", {}, ...Object.entries(words.sides).map(([side, title]) =>
        element("div", {}, element("dt", {}, title), this.sides[side]))),
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
    return this.done === this.steps.length ? last : `${after} ${words.step[this.steps[this.done - 1]]}`;
  }

  show() {
    const given = surroundings();
    const now = fate(this.design, this.done, given);
    this.slider.setAttribute("aria-valuetext", this.crash);
    this.mark.style.setProperty("--done", this.done);
    this.root.dataset.verdict = now.verdict;
    this.root.dataset.good = isTrue(now.verdict);
    this.stepLines.forEach((line, i) => (line.className = i < this.done ? "done" : "missed"));
    this.mark.textContent = this.done === this.steps.length ? words.lives : words.dies;
    for (const [side, cell] of Object.entries(this.sides)) {
      cell.dataset.count = now[side];
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
      .replaceAll("{count}", wrong)
      .replaceAll("{all}", this.steps.length + 1);
  }
}

const cards = DESIGNS.map((design) => new Card(design));

/** For those who do not see the picture: what came of a change, once. */
function say(changed) {
  document.querySelector("#said").textContent = changed
    .map(({ title, crash, verdict, because }) =>
      `${title}. ${crash}. ${verdict.textContent}. ${because.textContent}`)
    .join(" ");
}

document.documentElement.lang = language;
document.title = `${words.title} · Postroom`;
for (const place of document.querySelectorAll("[data-word]")) {
  place.textContent = words[place.dataset.word];
}
document.querySelector("#designs").append(...cards.map((card) => card.root));
cards.forEach((card) => card.show());
around.addEventListener("change", () => {
  cards.forEach((card) => card.show());
  say(cards);
});
around.hidden = false;
document.querySelector("#why").hidden = false;
