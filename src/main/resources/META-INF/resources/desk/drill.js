// The drill panel of the default run: lets things go wrong for one's own sockets, and shows what
// becomes of it. Where the service has no fault mode, nothing is shown.

import { Picture, item } from "./drill-picture.js";
import { sayer } from "./drill-words.js";

/** In which an own message is needed for something to go wrong. */
const ARMING = ["lose_ack", "send_twice", "refuse"];
const DRILLS = [...ARMING, "cut", "freeze", "repeat_delta", "new_epoch"];
const MOST_LINES = 8;
const FAULTS = new URL("../dev/faults", import.meta.url).href;

/**
 * Shows the panel in this element, if the service has a fault mode.
 *
 * @param {HTMLElement} element hidden until then
 * @param {{client: import("../client/index.js").Postroom, room?: object | null, language?: string}} what
 * @returns {Promise<Panel | null>} null where there is no fault mode
 */
export async function mount(element, { client, room = null, language = "en" }) {
  const answer = await fetch(FAULTS).catch(() => null);
  if (!answer?.ok) {
    return null;
  }
  const panel = new Panel(element, client, sayer(language));
  panel.show(room);
  element.hidden = false;
  return panel;
}

class Panel {
  #element;
  #client;
  #say;
  #room = null;
  /** @type {Picture | null} */
  #picture = null;
  #buttons;
  #status;
  #slot;
  #journal;
  #stop;
  #roomStop = [];
  #losing = false;

  constructor(element, client, say) {
    this.#element = element;
    this.#client = client;
    this.#say = say;
    this.#buttons = new Map(DRILLS.map((drill) => [drill, this.#button(drill)]));
    this.#status = item("drill-status", "", "p");
    this.#status.setAttribute("role", "status");
    this.#slot = document.createElement("div");
    this.#journal = document.createElement("ol");
    this.#journal.className = "drill-journal";
    this.#build();
    this.#stop = client.on("state", ({ name }) => this.#note(say(name)));
  }

  /** The case that is open now, or null. */
  show(room) {
    if (room === this.#room && this.#picture) {
      return;
    }
    this.#leave();
    this.#room = room;
    if (room) {
      this.#picture = new Picture(this.#say, room);
      this.#slot.replaceChildren(this.#picture.element);
      this.#roomStop = [
        room.on("reset", () => this.#note(this.#say("reset"))),
        room.on("message", ({ seq }) => this.#came(seq)),
      ];
    } else {
      this.#slot.replaceChildren(item("drill-nothing", this.#say("needsCase"), "p"));
    }
    for (const drill of [...ARMING, "repeat_delta"]) {
      this.#buttons.get(drill).disabled = !room;
    }
  }

  close() {
    this.#leave();
    this.#stop();
    this.#element.hidden = true;
    this.#element.replaceChildren();
  }

  #leave() {
    this.#picture?.close();
    this.#picture = null;
    this.#roomStop.forEach((stop) => stop());
    this.#roomStop = [];
    this.#losing = false;
  }

  #build() {
    const say = this.#say;
    const buttons = document.createElement("div");
    buttons.className = "drill-buttons";
    buttons.append(...this.#buttons.values());
    const kill = document.createElement("details");
    const port = location.port || "8080";
    kill.append(
      item("drill-kill", say("kill"), "summary"),
      item("drill-hint", say("killHint"), "p"),
      item("drill-command", `kill -9 $(lsof -ti tcp:${port} -sTCP:LISTEN)`, "code"),
      item("drill-command", "java -jar target/quarkus-app/quarkus-run.jar", "code"),
    );
    this.#element.setAttribute("aria-label", say("title"));
    this.#element.replaceChildren(
      item("drill-title", say("title"), "h2"),
      item("drill-hint", say("lead"), "p"),
      buttons,
      this.#status,
      kill,
      item("drill-head", say("picture"), "h3"),
      this.#slot,
      item("drill-head", say("journal"), "h3"),
      this.#journal,
    );
  }

  #button(drill) {
    const button = item("quiet", this.#say(drill), "button");
    button.type = "button";
    button.dataset.drill = drill;
    button.addEventListener("click", () => this.#order(drill));
    return button;
  }

  async #order(drill) {
    this.#note(this.#say("ordered", { what: this.#say(drill) }));
    const order = { drill, participant: this.#client.me?.id, room: this.#room?.name };
    const answer = await fetch(`${FAULTS}/drills`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(order),
    }).catch(() => null);
    if (!answer?.ok) {
      this.#tell("failed");
      return;
    }
    const { sockets } = await answer.json();
    this.#losing = drill === "lose_ack" || (this.#losing && drill !== "cut");
    this.#tell(sockets === 0 ? "notConnected" : ARMING.includes(drill) ? "armed" : null);
  }

  #came(seq) {
    this.#note(this.#say("message", { seq }));
    this.#tell(null);
    // Over a healthy socket no ack is lost: it goes with its socket, and the client asks again.
    if (this.#losing && this.#picture?.isUnanswered) {
      this.#losing = false;
      this.#order("cut");
    }
  }

  /** @param {string | null} key */
  #tell(key) {
    this.#status.textContent = key ? this.#say(key) : "";
  }

  /** @param {string} text */
  #note(text) {
    this.#journal.append(item("drill-line", text));
    while (this.#journal.children.length > MOST_LINES) {
      this.#journal.firstElementChild?.remove();
    }
  }
}
