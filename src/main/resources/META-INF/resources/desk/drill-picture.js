// What has become of one's own commands, as the client tells it: command → key → how often it was
// written → first or duplicate → number → how often it is shown.

const MOST = 4;

export class Picture {
  #say;
  #room;
  /** @type {{command: object, stop: () => void}[]} the newest last */
  #seen = [];
  #stop;

  constructor(say, room) {
    this.#say = say;
    this.#room = room;
    this.element = document.createElement("ul");
    this.element.className = "drill-picture";
    this.#stop = ["change", "message", "reset"].map((event) => room.on(event, () => this.#look()));
    this.#look();
  }

  /** Whether a command is under way whose message is in view: accepted, and not said to be. */
  get isUnanswered() {
    return this.#seen.some(({ command }) => command.state === "sent" && this.#shown(command) > 0);
  }

  close() {
    this.#stop.forEach((stop) => stop());
    this.#seen.forEach(({ stop }) => stop());
  }

  #look() {
    for (const command of this.#room.pending) {
      if (!this.#seen.some((each) => each.command === command)) {
        this.#seen.push({ command, stop: command.on("change", () => this.#draw()) });
      }
    }
    while (this.#seen.length > MOST) {
      this.#seen.shift().stop();
    }
    this.#draw();
  }

  #draw() {
    if (this.#seen.length === 0) {
      this.element.replaceChildren(item("drill-nothing", this.#say("nothing")));
      return;
    }
    this.element.replaceChildren(...this.#seen.map(({ command }) => this.#row(command)));
  }

  #row(command) {
    const row = document.createElement("li");
    const text = item("drill-text", command.text, "p");
    text.dir = "auto";
    const steps = document.createElement("ol");
    steps.append(...this.#steps(command).map(([name, words]) => item(`drill-${name}`, words)));
    row.append(text, steps);
    row.dataset.state = command.state;
    return row;
  }

  /** @returns {[string, string][]} what it is, and what to say of it */
  #steps(command) {
    const steps = [["key", this.#say("key", { key: command.id.slice(0, 8) })]];
    if (command.tries > 0) {
      steps.push(["tries", this.#say("tries", { n: command.tries })]);
    }
    if (command.state === "acked") {
      steps.push(["answer", this.#say(command.duplicate ? "duplicate" : "first")]);
      steps.push(["seq", this.#say("seq", { seq: command.seq })]);
    } else if (command.failure || command.delay) {
      steps.push(["refused", this.#say("refused", { code: (command.failure ?? command.delay).code })]);
    } else {
      steps.push(["open", this.#say(command.state === "sent" ? "sent" : "queued")]);
    }
    const shown = this.#shown(command);
    steps.push(["shown", shown > 0 ? this.#say("shown", { n: shown }) : this.#say("notShown")]);
    return steps;
  }

  #shown({ id }) {
    return this.#room.messages.filter((each) => each.own && each.clientMessageId === id).length;
  }
}

/** An element with a class and a text; never markup. */
export function item(name, text, tag = "li") {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
}
