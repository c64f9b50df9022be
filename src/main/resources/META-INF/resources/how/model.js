// Three ways to book something and to tell another system of it, as a small model: one order, one
// process that may die between any two steps, one receiver. No page in here: the tests run it as well.

/**
 * @typedef {"bookFirst" | "queueFirst" | "outbox"} Design
 * @typedef {"book" | "send" | "answer" | "bookAndNote" | "mark"} Step
 * @typedef {{ asksAgain: boolean, inbox: boolean }} Surroundings whether the sender asks again when
 *   it got no answer, and whether the receiver keeps the ids of what it has applied
 * @typedef {"once" | "nothing" | "lost" | "untrue" | "repeated"} Verdict
 * @typedef {{ stored: number, noted: number, sent: number, applied: number, answered: boolean,
 *   verdict: Verdict, resent: number, dropped: number }} Fate how often the order is in our database
 *   and still noted as to be sent, how often its event was sent and applied, and whether the sender
 *   knows; resent is of sent what was sent after the crash, dropped what the inbox refused
 */

class World {
  booked = 0;
  noted = 0;
  answered = false;
  /** @type {string[]} The ids of the events, as they were sent. */
  sent = [];

  /** @type {Record<Step, () => void>} */
  #steps = {
    book: () => void (this.booked = 1),
    bookAndNote: () => void (this.booked = this.noted = 1),
    // Booking gives the number by which an event is known again. Without it each one is a new one.
    send: () => void this.sent.push(this.booked ? "order 1" : `unnumbered ${this.sent.length}`),
    mark: () => void (this.noted = 0),
    answer: () => void (this.answered = true),
  };

  /** @param {Step} step */
  take(step) {
    this.#steps[step]();
  }

  /** @param {Step[]} steps */
  takeAll(steps) {
    steps.forEach((step) => this.take(step));
  }
}

/** What a request does, and what the process does by itself as long as something is noted. */
/** @type {Record<Design, { request: Step[], afterwards: Step[] }>} */
const PLANS = {
  bookFirst: { request: ["book", "send", "answer"], afterwards: [] },
  queueFirst: { request: ["send", "book", "answer"], afterwards: [] },
  outbox: { request: ["bookAndNote", "answer"], afterwards: ["send", "mark"] },
};

/** @type {Design[]} */
export const DESIGNS = ["bookFirst", "queueFirst", "outbox"];

/** In their order. A process can die before the first of them and after each. */
/** @param {Design} design @returns {Step[]} */
export function stepsOf(design) {
  return [...PLANS[design].request, ...PLANS[design].afterwards];
}

/**
 * What becomes of one order when the process dies after so many steps and is started again.
 *
 * @param {Design} design
 * @param {number} done from 0 to the number of steps
 * @param {Surroundings} surroundings
 * @returns {Fate}
 */
export function fate(design, done, { asksAgain, inbox }) {
  const { request, afterwards } = PLANS[design];
  const world = new World();
  world.takeAll(stepsOf(design).slice(0, done));
  const before = world.sent.length;
  // The memory of the process is gone. What it finds again is in the database.
  if (world.noted) {
    world.takeAll(afterwards);
  }
  if (asksAgain && !world.answered) {
    // What is booked under the sender's id is answered and not done again.
    world.takeAll(world.booked ? ["answer"] : request);
    if (world.noted) {
      world.takeAll(afterwards);
    }
  }
  const applied = inbox ? new Set(world.sent).size : world.sent.length;
  return {
    stored: world.booked,
    noted: world.noted,
    sent: world.sent.length,
    applied,
    answered: world.answered,
    verdict: judge(world.booked, applied),
    resent: world.sent.length - before,
    dropped: world.sent.length - applied,
  };
}

/** @param {number} stored @param {number} applied @returns {Verdict} */
function judge(stored, applied) {
  if (applied > 1) {
    return "repeated";
  }
  if (stored) {
    return applied ? "once" : "lost";
  }
  return applied ? "untrue" : "nothing";
}

/** Whether both sides know the same: it happened once, or not at all. */
/** @param {Verdict} verdict */
export function isTrue(verdict) {
  return verdict === "once" || verdict === "nothing";
}

/** Of the points at which a process can die, those after which the two sides disagree. */
/** @param {Design} design @param {Surroundings} surroundings */
export function breaksAt(design, surroundings) {
  return [...stepsOf(design).keys(), stepsOf(design).length].filter(
    (done) => !isTrue(fate(design, done, surroundings).verdict),
  );
}
