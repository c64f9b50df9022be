// A socket that the test plays, the frames that a server would say on it, and a Room joined over it.
import { beforeEach, mock } from "node:test";
import { Room } from "../../main/resources/META-INF/resources/postroom-room.js";

export const ANN = { id: "ann", name: "Ann" };
export const EPOCH = "e1";
export const LIMITS = { textBytes: 16384, idLength: 128, pendingCommands: 64, snapshot: 50, delta: 1000 };

export let sockets;
export let tokens;

export class PlayedSocket {
  said = [];
  closed = false;

  constructor(url, protocols) {
    this.url = url;
    this.protocols = protocols;
    sockets.push(this);
  }

  send(text) {
    this.said.push(JSON.parse(text));
  }

  close() {
    this.closed = true;
  }

  open() {
    this.onopen({});
  }

  hear(...frames) {
    frames.forEach((frame) => this.onmessage({ data: JSON.stringify(frame) }));
  }

  get sends() {
    return this.said.filter((frame) => frame.type === "send").map((frame) => frame.clientMessageId);
  }
}

beforeEach(() => {
  sockets = [];
  tokens = 0;
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
});

export const turn = () => new Promise((resolve) => setImmediate(resolve));
export const last = () => sockets.at(-1);
export const welcome = { type: "welcome", participant: ANN, limits: LIMITS, heartbeatMs: 25000 };
export const snapshot = (after, messages = []) => ({
  type: "snapshot", room: "r", epoch: EPOCH, after, messages, earlier: false,
});
export const delta = (after, messages = [], more = false) => ({
  type: "delta", room: "r", epoch: EPOCH, after, messages, more,
});
export const body = (seq, clientMessageId = `k${seq}`, author = ANN) => ({
  seq, messageId: `m${seq}`, clientMessageId, author, text: `t${seq}`,
  acceptedAt: "2026-01-02T03:04:05.678Z",
});
export const event = (seq, id, author) => ({
  type: "message", room: "r", epoch: EPOCH, ...body(seq, id, author),
});
export const ack = (clientMessageId, seq, duplicate = false) => ({
  type: "ack", room: "r", clientMessageId, messageId: `m${seq}`, epoch: EPOCH, seq,
  acceptedAt: "2026-01-02T03:04:05.678Z", duplicate, head: seq,
});
export const refusal = (clientMessageId, code, temporary, more = {}) => ({
  type: "error", code, message: "no", temporary, room: "r", clientMessageId, ...more,
});
export const seqs = (room) => room.messages.map((message) => message.seq);

export async function joined(after = 0, messages = []) {
  const room = new Room({
    url: "ws://x/ws",
    room: "r",
    getToken: async () => `token-${++tokens}`,
    changed() {},
    openSocket: (url, protocols) => new PlayedSocket(url, protocols),
  });
  room.start();
  await turn();
  last().open();
  last().hear(welcome, snapshot(after, messages));
  return room;
}

export async function rejoined(room, answer) {
  mock.timers.tick(10_000);
  await turn();
  last().open();
  last().hear(welcome, answer);
  return room;
}
