// Who sits at this window, and where its tokens come from. The name lives as long as the tab, so
// that two windows are two people; a token of one's own is in memory only.

import { UnauthorizedError } from "../client/index.js";

const KEY = "postroom.identity";

export class Identity {
  #own;
  #held = null;

  /**
   * @param {{name: string, role: "agent" | "customer"}} who
   * @param {string | null} own a token of one's own; null: asked for by name
   */
  constructor({ name, role }, own = null) {
    this.name = name;
    this.role = role;
    this.#own = own;
    this.#held = own;
  }

  /** The one of before the reload, or null. */
  static kept() {
    try {
      const who = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
      return who?.name ? new Identity(who) : null;
    } catch {
      return null;
    }
  }

  keep() {
    if (!this.#own) {
      write(JSON.stringify({ name: this.name, role: this.role }));
    }
  }

  static forget() {
    write(null);
  }

  get hasOwnToken() {
    return this.#own !== null;
  }

  /** The participant's id, as it will be said by the server. */
  get participant() {
    return this.#own ? claims(this.#own).sub : idOf(this.name);
  }

  /** A fresh one, as the client wants it. */
  async freshToken() {
    if (this.#own) {
      const { exp } = claims(this.#own);
      if (exp !== undefined && exp * 1000 <= Date.now()) {
        throw new UnauthorizedError("expired");
      }
      return this.#own;
    }
    this.#held = await issue(this.name);
    return this.#held;
  }

  /** One for HTTP: the one in use, as long as there is one. */
  async token() {
    return this.#held ?? this.freshToken();
  }
}

/** Whether this service hands out tokens by name at all. */
export class NoIssuer extends Error {}

async function issue(name) {
  const answer = await fetch(new URL("dev/tokens", document.baseURI), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ participant: idOf(name), name }),
  });
  if (answer.status === 404) {
    throw new NoIssuer();
  }
  const body = await answer.json().catch(() => ({}));
  if (answer.status === 400 || answer.status === 403) {
    throw new UnauthorizedError(body.detail ?? `HTTP ${answer.status}`);
  }
  if (!answer.ok) {
    throw new Error(body.detail ?? `HTTP ${answer.status}`);
  }
  return body.token;
}

function idOf(name) {
  return name.trim().toLowerCase();
}

/** What a token says of itself; it is the server that believes it or not. */
function claims(token) {
  try {
    const part = token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/");
    const bytes = Uint8Array.from(atob(part), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return {};
  }
}

function write(value) {
  try {
    if (value === null) {
      sessionStorage.removeItem(KEY);
    } else {
      sessionStorage.setItem(KEY, value);
    }
  } catch {
    // Without storage a reload asks for the name again.
  }
}
