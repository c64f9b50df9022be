// A service in memory on the other side of played sockets: the promises in a few lines, and a
// network and a node that misbehave by a seed. It is the outside world, not a part of ours.

export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 inclusive to 1 exclusive (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(bound) {
    return Math.floor(this.next() * bound);
  }

  chance(probability) {
    return this.next() < probability;
  }
}

const LIMITS = { textBytes: 1_000, idLength: 128, pendingCommands: 12, snapshot: 20, delta: 40 };

export class PretendServer {
  faults = 0;
  duplicates = 0;
  #clock;
  #random;
  #rooms = new Map();
  #sockets = new Set();

  constructor(clock, random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The class of socket that leads here, for one participant. */
  socketOf(participant) {
    const server = this;
    return class {
      constructor() {
        server.#accept(this, participant);
      }

      send(text) {
        server.#later(this, "inAt", () => server.#take(this, JSON.parse(text)));
      }

      close() {
        server.#sockets.delete(this);
      }
    };
  }

  log(room) {
    return this.#room(room).log;
  }

  /** Every socket is cut, as by a killed node. */
  cutAll() {
    [...this.#sockets].forEach((socket) => this.#cut(socket));
  }

  /** Numbers go on, but under another epoch (R4). */
  newEpoch(name) {
    const room = this.#room(name);
    room.epoch = `e${Number(room.epoch.slice(1)) + 1}`;
    for (const socket of this.#sockets) {
      if (socket.joined.has(name)) {
        this.#say(socket, this.#snapshot(name));
      }
    }
  }

  #room(name) {
    if (!this.#rooms.has(name)) {
      this.#rooms.set(name, { epoch: "e1", log: [] });
    }
    return this.#rooms.get(name);
  }

  #fault() {
    return this.#random.chance(this.faults);
  }

  #accept(socket, participant) {
    Object.assign(socket, { participant, joined: new Set(), blocked: new Map(), inAt: 0, outAt: 0 });
    this.#sockets.add(socket);
    if (this.#fault()) {
      this.#later(socket, "outAt", () => this.#cut(socket));
      return;
    }
    this.#say(socket, {
      type: "welcome", protocol: "postroom.v1", connection: "c", participant, limits: LIMITS,
      heartbeatMs: 10_000,
    });
  }

  /** In order per socket and direction, after a while, and not if the socket is gone by then. */
  #later(socket, way, run) {
    const delay = 1 + this.#random.below(this.#fault() ? 400 : 20);
    socket[way] = Math.max(socket[way], this.#clock.now() + delay);
    const at = socket[way];
    this.#clock.setTimeout(() => this.#sockets.has(socket) && run(), at - this.#clock.now());
  }

  #say(socket, frame) {
    const data = JSON.stringify(frame);
    this.#later(socket, "outAt", () => socket.onmessage({ data }));
  }

  #cut(socket) {
    if (this.#sockets.delete(socket)) {
      socket.onclose({ code: 1006, reason: "" });
    }
  }

  #take(socket, frame) {
    if (this.#fault() && this.#random.chance(0.1)) {
      this.#cut(socket);
    } else if (frame.type === "ping") {
      this.#say(socket, { type: "pong" });
    } else if (frame.type === "join") {
      this.#join(socket, frame);
    } else if (frame.type === "leave") {
      socket.joined.delete(frame.room);
      this.#say(socket, { type: "left", room: frame.room, reason: "requested" });
    } else if (!socket.joined.has(frame.room)) {
      this.#refuse(socket, frame, "not_joined", false);
    } else if (frame.type === "history") {
      this.#history(socket, frame);
    } else {
      this.#send(socket, frame);
    }
  }

  #join(socket, { room: name, cursor }) {
    const { epoch, log } = this.#room(name);
    if (this.#fault()) {
      this.#refuse(socket, { room: name }, "unavailable", true);
      return;
    }
    socket.joined.add(name);
    const missed = log.length - (cursor?.after ?? 0);
    if (cursor?.epoch !== epoch || missed < 0 || missed > LIMITS.delta) {
      this.#say(socket, this.#snapshot(name));
      return;
    }
    const half = cursor.after + Math.ceil(missed / 2);
    const part = (from, to, more) =>
      this.#say(socket, {
        type: "delta", room: name, epoch, after: to, messages: log.slice(from, to), more,
      });
    part(cursor.after, half, half < log.length);
    if (half < log.length) {
      part(half, log.length, false);
    }
  }

  #snapshot(name) {
    const { epoch, log } = this.#room(name);
    const messages = log.slice(-LIMITS.snapshot);
    const earlier = messages.length < log.length;
    return { type: "snapshot", room: name, epoch, after: log.length, messages, earlier };
  }

  #history(socket, { room: name, before, limit = LIMITS.snapshot }) {
    const { epoch, log } = this.#room(name);
    const messages = log.slice(Math.max(0, before - 1 - limit), before - 1);
    const earlier = (messages[0]?.seq ?? 1) > 1;
    this.#say(socket, { type: "history", room: name, epoch, messages, earlier });
  }

  #send(socket, { room: name, clientMessageId, text }) {
    const { epoch, log } = this.#room(name);
    const { id: author } = socket.participant;
    const blocker = socket.blocked.get(name) ?? clientMessageId;
    const isRefused = this.#fault();
    const first = log.find(
      (each) => each.clientMessageId === clientMessageId && each.author.id === author,
    );
    if (!first && (blocker !== clientMessageId || isRefused)) {
      socket.blocked.set(name, blocker);
      this.#refuse(socket, { room: name, clientMessageId }, "busy", true);
      return;
    }
    if (blocker === clientMessageId) {
      socket.blocked.delete(name);
    }
    const message = first ?? this.#store(name, socket, clientMessageId, text);
    this.duplicates += first ? 1 : 0;
    if (!this.#fault()) {
      this.#say(socket, {
        type: "ack", room: name, clientMessageId, messageId: message.messageId, epoch,
        seq: message.seq, acceptedAt: message.acceptedAt, duplicate: Boolean(first), head: log.length,
      });
    }
  }

  #store(name, { participant }, clientMessageId, text) {
    const { epoch, log } = this.#room(name);
    const seq = log.length + 1;
    const message = {
      seq, messageId: `${name}-${seq}`, clientMessageId, author: participant, text,
      acceptedAt: "2026-01-02T03:04:05.678Z",
    };
    log.push(message);
    for (const socket of this.#sockets) {
      if (socket.joined.has(name)) {
        this.#say(socket, { type: "message", room: name, epoch, ...message });
        if (this.#fault()) {
          this.#say(socket, { type: "message", room: name, epoch, ...message });
        }
      }
    }
    return message;
  }

  #refuse(socket, { room, clientMessageId }, code, temporary) {
    this.#say(socket, {
      type: "error", code, message: "not now", temporary, room, clientMessageId,
      ...(temporary && { retryAfterMs: 20 + this.#random.below(200) }),
    });
  }
}
