// A tab of a real browser with nothing in it but the served client, under the page's own policy.
// The real WebSocket, with a list of what was written to it, and deaf to acks where a test says so.
const PAGE = "client/package.json";
const LIMIT_MS = 60_000;
const TOKENS = "**/dev/tokens";

/** Nobody here gets a token, so nobody can connect. */
export const away = (page) => page.route(TOKENS, (route) => route.abort());
export const here = (page) => page.unroute(TOKENS);

/** The network is said to be back. */
export const hurry = (...tabs) =>
  Promise.all(tabs.map((tab) => tab.page.evaluate(() => dispatchEvent(new Event("online")))));

export class Tab {
  #service;
  page;

  /** In this context, which is one browser of one person: its tabs share a storage and locks. */
  static async open(service, context, options = {}) {
    const tab = new Tab();
    tab.#service = service;
    tab.page = await context.newPage();
    tab.page.setDefaultTimeout(LIMIT_MS);
    await tab.load();
    await tab.join(options);
    return tab;
  }

  /** A document of the service's, with its policy; what is in it does not matter. */
  async load() {
    await this.page.goto(this.#service.url + PAGE);
  }

  /** `isDeaf`: hears no acks. `inMemory`: keeps nothing. `spoil`: done before. Others are the client's. */
  async join({ participant = "ann", room, isDeaf = false, inMemory = false, spoil, ...options }) {
    if (spoil) {
      await this.page.evaluate(spoil);
    }
    await this.page.evaluate(begin, { participant, room, isDeaf, inMemory, options });
  }

  /** Until this is true in the page. */
  async until(predicate, argument) {
    await this.page.waitForFunction(predicate, argument, { polling: 50 });
  }

  /** The ids of commands for these texts. */
  send(...texts) {
    return this.page.evaluate((all) => all.map((text) => room.send(text).id), texts);
  }

  /** Until every command is answered and the list has come this far. */
  async settled(seq) {
    await this.until(
      (after) => client.unsent === 0 && room.pending.length === 0 && room.cursor?.after === after,
      seq,
    );
  }

  /** The ids of what is kept in IndexedDB. */
  kept() {
    return this.page.evaluate(async () => {
      const { IndexedDbStorage } = await import("/client/index.js");
      return (await new IndexedDbStorage().all()).map(({ id }) => id);
    });
  }

  async untilKept(ids) {
    await this.until(async (wanted) => {
      const { IndexedDbStorage } = await import("/client/index.js");
      const kept = (await new IndexedDbStorage().all()).map(({ id }) => id);
      return kept.sort().join() === wanted;
    }, [...ids].sort().join());
  }

  /** The ids of the commands that were written to a socket. */
  sends() {
    return this.page.evaluate(() =>
      said.filter(({ type }) => type === "send").map((each) => each.clientMessageId));
  }

  /** The list, as the log has it. */
  async list() {
    const text = await this.page.evaluate(() => JSON.stringify(room.messages));
    return JSON.parse(text).map(({ own, ...message }) => message);
  }

  see(name) {
    return this.page.evaluate((what) => window[what], name);
  }
}

/** In the page. */
async function begin({ participant, room, isDeaf, inMemory, options }) {
  const { MemoryStorage, Postroom } = await import("/client/index.js");
  Object.assign(window, { said: [], sockets: [], states: [], errors: [], told: [], resets: 0, expiries: [], isDeaf });
  class Wire extends WebSocket {
    constructor(url, protocols) {
      super(url, protocols);
      sockets.push(this);
    }

    set onmessage(hear) {
      super.onmessage = (event) => {
        const frame = JSON.parse(event.data);
        frame.type === "welcome" && expiries.push(Date.parse(frame.tokenExpiresAt));
        (isDeaf && frame.type === "ack") || hear(event);
      };
    }

    send(text) {
      said.push(JSON.parse(text));
      super.send(text);
    }
  }
  const body = JSON.stringify({ participant, name: participant });
  const headers = { "Content-Type": "application/json" };
  const token = async () =>
    (await (await fetch("/dev/tokens", { method: "POST", headers, body })).json()).token;
  const url = `${location.origin.replace("http", "ws")}/ws`;
  const storage = inMemory ? { storage: new MemoryStorage() } : {};
  window.client = new Postroom({ url, token, participant, WebSocket: Wire, ...storage, ...options });
  client.on("state", (state) => states.push(state.name));
  client.on("error", ({ code, cause }) => errors.push(`${code} ${cause?.name ?? ""}`.trim()));
  window.room = client.join(room);
  window.room.on("message", ({ seq }) => told.push(seq));
  window.room.on("reset", () => window.resets++);
}
