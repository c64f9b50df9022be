// One room over one socket at a time: connects, resumes by cursor, sends commands until they are
// answered. Knows nothing of the page, so that tests in node run this very file. What a client has
// to do stands in docs/protocol.md.
import { Commands } from "./postroom-commands.js";

const PROTOCOL = "postroom.v1";
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 5_000;

/** Closes after which coming back would be refused again, with what to tell people. */
const FINAL_CLOSES = new Map([
  [4400, "The server did not understand this page. Reload it."],
  [4403, "You are banned."],
  [4409, "Replaced by a newer connection."],
]);

export class Room {
  /** `connecting`, `joining`, `live`, `waiting` or `stopped`. */
  state = "stopped";
  /** Why it is in that state, for people. */
  reason = "";
  /** @type {{id: string, name: string} | null} who the server takes us for */
  me = null;
  /** @type {{epoch: string, after: number} | null} one value, always replaced together */
  cursor = null;
  /** Messages of the room that are in view, ascending by seq. */
  messages = [];
  /** True when older messages exist. */
  earlier = false;
  #options;
  #commands = new Commands();
  #token = null;
  #socket = null;
  #generation = 0;
  #attempts = 0;
  #retryAfterMs = null;
  #reconnectTimer = null;
  #repeatTimer = null;
  #heartbeatTimer = null;
  #lastHeard = 0;

  /**
   * @param {{url: string, room: string, getToken: () => Promise<string>, changed: () => void,
   *   traced?: (direction: string, frame: object) => void,
   *   openSocket?: (url: string, protocols: string[]) => WebSocket}} options
   */
  constructor(options) {
    this.#options = { traced() {}, openSocket: (url, all) => new WebSocket(url, all), ...options };
  }

  get name() {
    return this.#options.room;
  }

  /** Commands not yet answered for good, in the order in which they were asked for. */
  get pending() {
    return this.#commands.pending;
  }

  /** clientMessageId to the answers it got: acks and permanent errors, oldest first. */
  get answers() {
    return this.#commands.answers;
  }

  start() {
    this.#connect();
  }

  stop(reason = "") {
    this.#drop();
    this.#become("stopped", reason);
  }

  /** Loses the socket on purpose, and comes back like after any other loss. */
  cut() {
    if (this.#socket) {
      this.#closed(1006, "cut by hand");
    }
  }

  /** The network seems to be back: do not wait any longer. */
  hurry() {
    if (this.state === "waiting") {
      this.#connect();
    }
  }

  /** A new command, or with an id the repeat of one. */
  send(text, clientMessageId = crypto.randomUUID()) {
    this.#commands.add(text, clientMessageId);
    this.#flush();
    this.#options.changed();
    return clientMessageId;
  }

  loadEarlier() {
    const before = this.messages[0]?.seq;
    if (this.state === "live" && this.earlier && before > 1) {
      this.#say({ type: "history", room: this.name, before });
    }
  }

  async #connect() {
    this.#drop();
    const generation = ++this.#generation;
    this.#become("connecting", "");
    try {
      this.#token ??= await this.#options.getToken();
    } catch (failure) {
      if (generation === this.#generation) {
        this.#waitAndConnect(failure.message);
      }
      return;
    }
    if (generation !== this.#generation) {
      return;
    }
    const bearer = encodeURIComponent(`quarkus-http-upgrade#Authorization#Bearer ${this.#token}`);
    const socket = this.#options.openSocket(this.#options.url, [PROTOCOL, bearer]);
    this.#socket = socket;
    // A socket that is no longer ours has nothing more to say.
    const ours = (handle) => (event) => socket === this.#socket && handle(event);
    socket.onopen = ours(() => this.#join());
    socket.onmessage = ours((event) => this.#hear(JSON.parse(event.data)));
    socket.onclose = ours((event) => this.#closed(event.code, event.reason));
  }

  #join() {
    this.#become("joining", "");
    this.#say({ type: "join", room: this.name, ...(this.cursor && { cursor: this.cursor }) });
  }

  #hear(frame) {
    this.#lastHeard = Date.now();
    this.#options.traced("in", frame);
    switch (frame.type) {
      case "welcome":
        this.me = frame.participant;
        this.#commands.obey(frame.limits);
        this.#beat(frame.heartbeatMs);
        break;
      case "snapshot":
        this.messages = frame.messages;
        this.earlier = frame.earlier;
        this.#applied(frame);
        break;
      case "delta":
        this.#append(frame.messages);
        this.#applied(frame);
        break;
      case "message":
        this.#live(frame);
        break;
      case "history":
        this.messages = [...frame.messages, ...this.messages];
        this.earlier = frame.earlier;
        break;
      case "ack":
        this.#answered(frame);
        break;
      case "error":
        this.#refused(frame);
        break;
      case "left":
        this.stop(frame.reason === "room_closed" ? "The room was closed." : "You left the room.");
        break;
      case "drain":
        this.#retryAfterMs = frame.retryAfterMs;
        break;
      default: // unknown frames are how the protocol grows
    }
    this.#options.changed();
  }

  #applied({ epoch, after, more }) {
    this.cursor = { epoch, after };
    if (!more) {
      this.#attempts = 0;
      this.#become("live", "");
      this.#flush();
    }
  }

  #live(message) {
    const { epoch, seq } = message;
    if (this.state === "joining") {
      return; // the answer to the join has it
    }
    if (epoch !== this.cursor?.epoch || seq > this.cursor.after + 1) {
      this.#join(); // a hole is never shown: ask again from what we have
    } else if (seq === this.cursor.after + 1) {
      this.#append([message]);
      this.cursor = { epoch, after: seq };
    }
  }

  #append(messages) {
    const after = this.cursor?.after ?? 0;
    this.messages = [...this.messages, ...messages.filter((each) => each.seq > after)];
  }

  #flush() {
    if (this.state === "live" && !this.#repeatTimer) {
      for (const { clientMessageId, text } of this.#commands.takeReady()) {
        this.#say({ type: "send", room: this.name, clientMessageId, text });
      }
    }
  }

  #answered(answer) {
    this.#commands.settle(answer);
    this.#flush();
  }

  #refused(error) {
    const { clientMessageId, code, temporary, retryAfterMs } = error;
    if (this.#commands.isUnderWay(clientMessageId)) {
      if (code === "not_joined") {
        this.#commands.fail(clientMessageId);
        this.#join();
      } else if (temporary) {
        this.#commands.fail(clientMessageId);
        this.#repeatAfter(retryAfterMs ?? FIRST_DELAY_MS);
      } else {
        this.#answered(error);
      }
    } else if (this.state === "joining" && temporary) {
      this.#closed(1006, error.message, retryAfterMs);
    } else if (this.state === "joining" && (error.room === this.name || error.field === "room")) {
      this.stop(error.message);
    } else {
      this.reason = error.message;
    }
  }

  #repeatAfter(delayMs) {
    this.#repeatTimer ??= setTimeout(() => {
      this.#repeatTimer = null;
      this.#flush();
    }, delayMs);
  }

  /** Browsers do not show pings to scripts, so this side asks, too. */
  #beat(heartbeatMs) {
    clearInterval(this.#heartbeatTimer);
    this.#heartbeatTimer = setInterval(() => {
      if (Date.now() - this.#lastHeard > 2 * heartbeatMs) {
        this.#closed(1006, "no sign of life");
      } else {
        this.#say({ type: "ping" });
      }
    }, heartbeatMs);
  }

  #closed(code, reason, retryAfterMs = this.#retryAfterMs) {
    if (FINAL_CLOSES.has(code)) {
      this.stop(FINAL_CLOSES.get(code));
      return;
    }
    if (code === 4401) {
      this.#token = null;
    } else if (code === 1009) {
      this.#commands.refuseLongest();
    }
    const asked = code === 1013 ? Number(/\d+$/.exec(reason)?.[0]) : retryAfterMs;
    this.#retryAfterMs = null;
    this.#waitAndConnect(`${code}${reason ? ` ${reason}` : ""}`, asked);
  }

  #waitAndConnect(reason, askedMs) {
    this.#drop();
    const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#attempts++);
    const delay = Number.isFinite(askedMs) ? askedMs : longest * (0.5 + Math.random() / 2);
    this.#become("waiting", `${reason}; next try in ${(delay / 1000).toFixed(1)} s`);
    this.#reconnectTimer = setTimeout(() => this.#connect(), delay);
  }

  /** Lets go of the socket; what was under way is open again. */
  #drop() {
    this.#generation++;
    clearTimeout(this.#reconnectTimer);
    clearTimeout(this.#repeatTimer);
    clearInterval(this.#heartbeatTimer);
    this.#repeatTimer = null;
    this.#socket?.close();
    this.#socket = null;
    this.#commands.lose();
  }

  #say(frame) {
    this.#options.traced("out", frame);
    this.#socket.send(JSON.stringify(frame));
  }

  #become(state, reason) {
    this.state = state;
    this.reason = reason;
    this.#options.changed();
  }
}
