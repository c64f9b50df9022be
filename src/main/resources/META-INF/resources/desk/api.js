// The few HTTP calls of the page.

const PAGE = 200;
/** Cases that the page lists at most. */
export const MOST_CASES = 1_000;

export class Api {
  #identity;

  constructor(identity) {
    this.#identity = identity;
  }

  /** The rooms that may be read, up to `MOST_CASES`. */
  async rooms() {
    const rooms = [];
    let page;
    do {
      const after = encodeURIComponent(rooms.at(-1)?.room ?? "");
      page = (await this.#call("GET", `api/rooms?limit=${PAGE}&after=${after}`)).rooms;
      rooms.push(...page);
    } while (page.length === PAGE && rooms.length < MOST_CASES);
    return rooms;
  }

  /** Makes a room, or has the one of that name. */
  async create(room, title) {
    return this.#call("PUT", `api/rooms/${encodeURIComponent(room)}`, title ? { title } : {});
  }

  async describe(room) {
    return this.#call("GET", `api/rooms/${encodeURIComponent(room)}`);
  }

  async #call(method, path, body, isSecondTry = false) {
    const token = isSecondTry ? await this.#identity.freshToken() : await this.#identity.token();
    const answer = await fetch(new URL(path, document.baseURI), {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status === 401 && !isSecondTry && !this.#identity.hasOwnToken) {
      return this.#call(method, path, body, true);
    }
    const result = await answer.json().catch(() => ({}));
    if (!answer.ok) {
      throw Object.assign(new Error(result.detail ?? `HTTP ${answer.status}`), {
        code: result.code ?? "unavailable",
      });
    }
    return result;
  }
}
