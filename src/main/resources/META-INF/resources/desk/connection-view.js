// The connection's state, as it is.

import { button, make, setText } from "./dom.js";

export class ConnectionView {
  #words;
  #client;
  #text;
  #wait;
  #act;
  #timer;

  /** @param {() => void} signIn what is done where nobody is signed in any more */
  constructor(words, client, signIn) {
    this.#words = words;
    this.#client = client;
    this.#text = make("span", { role: "status", class: "connection-text" });
    // Counts every second: nothing to be read out.
    this.#wait = make("span", { class: "connection-wait", "aria-hidden": "true" });
    this.#act = button("", () => (this.#isRefused ? signIn() : client.reconnect()), { class: "quiet" });
    this.element = make(
      "div",
      { class: "connection", id: "connection" },
      make("span", { class: "dot", "aria-hidden": "true" }),
      this.#text,
      this.#wait,
      this.#act,
    );
  }

  draw() {
    clearTimeout(this.#timer);
    const { state } = this.#client;
    this.element.dataset.state = state.name;
    setText(this.#text, this.#words.say(`connection_${state.name}`));
    this.element.title = state.reason ?? "";
    const label = { waiting: "tryNow", unauthorized: "signInAgain", closed: "connectAgain" }[state.name];
    this.#act.hidden = label === undefined;
    setText(this.#act, label ? this.#words.say(label) : "");
    this.#count(state);
  }

  close() {
    clearTimeout(this.#timer);
  }

  get #isRefused() {
    return this.#client.state.name === "unauthorized";
  }

  #count(state) {
    const seconds = state.name === "waiting" ? Math.ceil((state.until - Date.now()) / 1000) : 0;
    setText(this.#wait, seconds > 0 ? this.#words.say("inSeconds", { n: seconds }) : "");
    if (seconds > 0) {
      this.#timer = setTimeout(() => this.#count(state), 1000);
    }
  }
}
