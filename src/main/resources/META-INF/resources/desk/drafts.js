// What was typed and not sent, per case: kept over a change of case, and over a reload of the tab.

export class Drafts {
  #prefix;
  #texts = new Map();

  constructor(participant) {
    this.#prefix = `postroom.draft.${participant}.`;
  }

  get(room) {
    if (!this.#texts.has(room)) {
      this.#texts.set(room, read(this.#prefix + room));
    }
    return this.#texts.get(room);
  }

  set(room, text) {
    this.#texts.set(room, text);
    try {
      if (text) {
        sessionStorage.setItem(this.#prefix + room, text);
      } else {
        sessionStorage.removeItem(this.#prefix + room);
      }
    } catch {
      // Too long for the browser to keep: it is in memory.
    }
  }
}

function read(key) {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}
