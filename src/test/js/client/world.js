// The outside world of a client, played by the test: time, sockets, locks, a storage that outlives
// the page.
import { setImmediate as turn } from "node:timers/promises";
import { MemoryStorage, Postroom } from "../../../main/resources/META-INF/resources/client/index.js";

export const ANN = { id: "ann", name: "Ann" };
export const BOB = { id: "bob", name: "Bob" };
export const LIMITS = { textBytes: 64, idLength: 128, pendingCommands: 64, snapshot: 50, delta: 1000 };

/** Until everything that waits for nothing but its turn has happened. */
export async function settle() {
  for (let at = 0; at < 8; at++) {
    await turn();
  }
}

export class HeldClock {
  time = 1_000_000;
  #wrongMs = 0;
  #calls = [];

  now() {
    return this.time - this.#wrongMs;
  }

  elapsed() {
    return this.time;
  }

  /** Somebody sets the machine's clock back, or forward when this is negative. */
  setBack(ms) {
    this.#wrongMs += ms;
  }

  setTimeout(run, delayMs) {
    const call = { at: this.time + delayMs, run };
    this.#calls.push(call);
    return call;
  }

  clearTimeout(call) {
    this.#calls = this.#calls.filter((each) => each !== call);
  }

  get pending() {
    return this.#calls.length;
  }

  async advance(ms) {
    const end = this.time + ms;
    for (;;) {
      const due = this.#calls.filter((call) => call.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) {
        break;
      }
      this.clearTimeout(due);
      this.time = Math.max(this.time, due.at);
      due.run();
      await settle();
    }
    this.time = end;
    await settle();
  }

  /** As a machine does that was put to sleep: time has passed, and nothing has run. */
  sleep(ms) {
    this.time += ms;
  }
}

/** Web Locks of all tabs of a browser. */
export class Locks {
  #held = new Map();

  async request(name, { ifAvailable }, callback) {
    if (ifAvailable && this.#held.has(name)) {
      return callback(null);
    }
    const before = this.#held.get(name);
    let release;
    const mine = new Promise((go) => (release = go));
    this.#held.set(name, mine);
    await before;
    try {
      return await callback({ name });
    } finally {
      if (this.#held.get(name) === mine) {
        this.#held.delete(name);
      }
      release();
    }
  }
}

export class World {
  clock = new HeldClock();
  sockets = [];
  tokens = 0;
  ids = 0;
  window = new EventTarget();

  /** A client in this world; `options` besides. */
  client(options = {}) {
    const world = this;
    class Socket {
      said = [];
      isOpen = true;

      constructor(url, protocols) {
        Object.assign(this, { url, protocols });
        world.sockets.push(this);
      }

      send(text) {
        this.said.push(JSON.parse(text));
      }

      close(code) {
        this.isOpen = false;
        this.closedWith = code;
      }
    }
    return new Postroom({
      url: "ws://x/ws",
      token: async () => `token-${++this.tokens}`,
      clock: this.clock,
      storage: new MemoryStorage(),
      locks: null,
      window: this.window,
      random: () => 0.5,
      newId: () => `id-${this.ids++}`,
      WebSocket: Socket,
      ...options,
    });
  }

  get socket() {
    return this.sockets.at(-1);
  }

  get said() {
    return this.socket.said;
  }

  /** The ids of the commands that were written to the last socket. */
  get sends() {
    return this.said.filter(({ type }) => type === "send").map((each) => each.clientMessageId);
  }

  get joins() {
    return this.said.filter(({ type }) => type === "join");
  }

  async hear(...frames) {
    for (const frame of frames) {
      this.socket.onmessage({ data: typeof frame === "string" ? frame : JSON.stringify(frame) });
    }
    await settle();
  }

  async close(code, reason = "") {
    this.socket.onclose({ code, reason });
    await settle();
  }

  /** The socket is gone, and as soon as there is another it says this. */
  async cut(...frames) {
    const before = this.sockets.length;
    await this.close(1006);
    for (let waited = 0; this.sockets.length === before && waited < 31_000; waited += 500) {
      await this.clock.advance(500);
    }
    await this.hear(...frames);
  }

  /** A client that is in room `r`, which has this many messages of Bob's. */
  async joined(head = 0, options = {}) {
    const client = this.client(options);
    await settle();
    const room = client.join("r");
    await this.hear(welcome(), snapshot(head, bodies(1, head)));
    return { client, room };
  }
}

export const welcome = (more = {}) => ({
  type: "welcome", protocol: "postroom.v1", connection: "c-1", participant: ANN, limits: LIMITS,
  heartbeatMs: 15_000, ...more,
});
export const body = (seq, clientMessageId = `b${seq}`, author = BOB, text = `t${seq}`) => ({
  seq, messageId: `m${seq}`, clientMessageId, author, text,
  acceptedAt: "2026-01-02T03:04:05.678Z",
});
export const bodies = (from, to) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => body(from + at));
export const snapshot = (after, messages = [], more = {}) => ({
  type: "snapshot", room: "r", epoch: "e1", after, messages, earlier: false, ...more,
});
export const delta = (after, messages = [], more = {}) => ({
  type: "delta", room: "r", epoch: "e1", after, messages, more: false, ...more,
});
export const live = (what, more = {}) => ({
  type: "message", room: "r", epoch: "e1", ...(typeof what === "number" ? body(what) : what), ...more,
});
export const ack = (clientMessageId, seq, more = {}) => ({
  type: "ack", room: "r", clientMessageId, messageId: `m${seq}`, epoch: "e1", seq,
  acceptedAt: "2026-01-02T03:04:05.678Z", duplicate: false, head: seq, ...more,
});
export const refusal = (code, temporary, more = {}) => ({
  type: "error", code, message: "no", temporary, room: "r", ...more,
});
export const seqs = (room) => room.messages.map(({ seq }) => seq);

/** The server answers pings, so that time may pass. */
export function setEvery(world, ms) {
  let call;
  const again = () => {
    world.socket.onmessage({ data: '{"type":"pong"}' });
    call = world.clock.setTimeout(again, ms);
  };
  call = world.clock.setTimeout(again, ms);
  return { stop: () => world.clock.clearTimeout(call) };
}
