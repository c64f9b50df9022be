// The public face of the client, written by hand. A test holds it against the sources in both
// directions, and every member has its comment.

/** Who acts or acted. */
export interface Author {
  /** The participant's id, from the token. */
  readonly id: string;
  /** The name to show. */
  readonly name: string;
}

/** How far a view has come: one value, always replaced together. */
export interface Cursor {
  /** Opaque; numbers of different epochs are not comparable. */
  readonly epoch: string;
  /** The `seq` of the last message applied; 0 before the first. */
  readonly after: number;
}

/** What the server allows. */
export interface Limits {
  /** Longest text, in bytes of UTF-8. */
  readonly textBytes: number;
  /** Longest `clientMessageId`, in characters. */
  readonly idLength: number;
  /** Most frames of one socket that may be unanswered. */
  readonly pendingCommands: number;
  /** Messages in a snapshot. */
  readonly snapshot: number;
  /** Missed messages up to which a resume is a delta. */
  readonly delta: number;
}

/** An accepted message. */
export interface Message {
  /** Its number in the room: 1, 2, 3 … The only thing to order by. */
  readonly seq: number;
  /** The server's name for it. */
  readonly messageId: string;
  /** The author's name for the command that it came from. */
  readonly clientMessageId: string;
  /** Who wrote it, with the name of that time. */
  readonly author: Author;
  /** Any Unicode: show it as text, never as markup. */
  readonly text: string;
  /** The database's clock, ISO 8601 in UTC. For display, not for order. */
  readonly acceptedAt: string;
  /** True when this participant wrote it, in whatever tab. */
  readonly own: boolean;
}

/** Why something was refused or parked. */
export interface Failure {
  /** One of the server's error codes, or `too_old` or `unclaimed`. */
  readonly code: string;
  /** For people; may change. */
  readonly message: string;
  /** The field at fault, where known. */
  readonly field?: string;
  /** The message that has the key already (`id_conflict`). */
  readonly messageId?: string;
  /** The number of that message. */
  readonly seq?: number;
  /** The room's head (`stale_head`). */
  readonly head?: number;
  /**
   * True when an earlier copy may have been accepted all the same: its answer never came. `resend()`
   * keeps the id and asks again; `edit()` may make a second message of it.
   */
  readonly uncertain?: boolean;
}

/** How far a command has come. Only `acked` and `failed` are answers. */
export type CommandState = "queued" | "sent" | "acked" | "failed";

/** One action of the user: one message at most, however often it is sent. */
export interface Command {
  /** Its `clientMessageId`: made once, the same in every repeat. */
  readonly id: string;
  /** The room's name. */
  readonly room: string;
  /** The text as it was given. */
  readonly text: string;
  /**
   * The number of the last message on which it may be accepted, as it was given; null for any. In
   * another epoch that may be another message: then 2^53 - 1, which no room has, so that it is refused.
   */
  readonly ifHead: number | null;
  /** When the user asked for it: milliseconds since 1970 by this machine's clock. */
  readonly createdAt: number;
  /** Where it stands. */
  readonly state: CommandState;
  /** Why it is `failed`; otherwise null. */
  readonly failure: Failure | null;
  /** Why it was refused for the moment and will be repeated; otherwise null. */
  readonly delay: Failure | null;
  /** How often it was written to a socket since the page was loaded. */
  readonly tries: number;
  /** The number of its message, once `acked`; otherwise null. */
  readonly seq: number | null;
  /** Once `acked`: whether an earlier copy was the first. Otherwise null. */
  readonly duplicate: boolean | null;
  /**
   * Sends a failed command again, with the same id and from now on as young as a new one.
   *
   * @returns false when it is not `failed`; nothing happens then
   */
  resend(): boolean;
  /**
   * Takes a failed command away and sends this text instead, as a new command with a new id.
   *
   * @returns null when it is not `failed`; nothing happens then
   */
  edit(text: string): Command | null;
  /**
   * Takes it away for good, in a room that was left and joined again, too.
   *
   * @returns false when it may have been accepted already (`sent`, `acked`); nothing happens then
   */
  discard(): boolean;
  /**
   * Calls back whenever something about it has changed.
   *
   * @returns what ends this
   */
  on(event: "change", handler: (command: Command) => void): () => void;
}

/** Whether a room's view is up to date. */
export type RoomState =
  /** The answer to the join is awaited; what is shown may be behind. */
  | { readonly name: "joining" }
  /** Up to date, and every new message comes by itself. */
  | { readonly name: "live" }
  /** It is over: left by `leave()` (`requested`), `removed`, `room_closed`, or a refusal's code. */
  | { readonly name: "left"; readonly reason: string };

/** What a room tells. */
export interface RoomEvents {
  /** Something about the room, its messages or its commands has changed: draw it anew. */
  change: Room;
  /** One message more at the end of the list: live, or missed and now caught up. */
  message: Message;
  /** The list was replaced; its messages are not told one by one. */
  reset: Room;
}

/** One room, as this client sees it. */
export interface Room {
  /** Its name. */
  readonly name: string;
  /** Whether the view is up to date. */
  readonly state: RoomState;
  /** The accepted messages in view, ascending by `seq`, without holes. */
  readonly messages: readonly Message[];
  /** The own commands that are not among the messages, in their order: to be shown below them. */
  readonly pending: readonly Command[];
  /** How far the view has come; null before the first answer. */
  readonly cursor: Cursor | null;
  /** True when there are messages older than the first of the list. */
  readonly earlier: boolean;
  /**
   * Sends a text. It is kept first, and repeated with one id until it is answered. A text that can
   * never be sent gives a `failed` command.
   *
   * @param text 1 to `limits.textBytes` bytes of UTF-8
   * @param options `ifHead`: accept it only while this is the number of the last message
   */
  send(text: string, options?: { readonly ifHead?: number }): Command;
  /**
   * Puts one page of older messages before the list.
   *
   * @param limit the most messages wanted; left out, as many as a snapshot has
   * @returns whether any came; false also when the connection broke or the list was replaced
   */
  loadEarlier(limit?: number): Promise<boolean>;
  /**
   * Lets go of the oldest messages of the list, for a room that nobody looks at: a list grows as long
   * as it is joined. `earlier` is true then, and `loadEarlier` has them again. Tells `change`, no `reset`.
   *
   * @param most how many of the newest stay, 1 at least
   */
  keepNewest(most: number): void;
  /** Leaves: the list and the cursor are dropped, unsent commands stay kept for the next join. */
  leave(): void;
  /**
   * Calls back on an event. A handler that throws stops neither the others nor what follows.
   *
   * @returns what ends this
   */
  on<E extends keyof RoomEvents>(event: E, handler: (value: RoomEvents[E]) => void): () => void;
}

/** The connection's state: the one thing to show people about it. */
export type State =
  /** A token is fetched or a socket opened. */
  | { readonly name: "connecting" }
  /** The server has said `welcome`. */
  | { readonly name: "online" }
  /** The next try is at `until`, in milliseconds since 1970. */
  | { readonly name: "waiting"; readonly until: number; readonly reason: string }
  /** Tokens are refused, or there is none. `reconnect()` asks for a new one. */
  | { readonly name: "unauthorized"; readonly reason: string }
  /** Closed by `close()`, or by the server for good. */
  | { readonly name: "closed"; readonly reason: string };

/** What the client tells. */
export interface PostroomEvents {
  /** The connection's state has changed, by whichever path. */
  state: State;
  /** Something went wrong that has no command and no room to show it; nothing is lost by it. */
  error: Error;
}

/** Time, so that a test can hold it. */
export interface Clock {
  /** Milliseconds since 1970: for ages that outlive the page. */
  now(): number;
  /** Milliseconds since any moment, never going back: for what is waited for. Left out: `now`. */
  elapsed?(): number;
  /** Calls back once after this many milliseconds. */
  setTimeout(run: () => void, delayMs: number): unknown;
  /** Takes a call back. */
  clearTimeout(handle: any): void;
}

/** What an `ifHead` stands on, since numbers of different epochs are not comparable. */
export interface Ground {
  /** The epoch in which it was given. */
  readonly epoch: string;
  /** The message of that number; null where it was not in view. */
  readonly messageId: string | null;
}

/** A command as it is kept. */
export interface StoredCommand {
  /** The `clientMessageId`. */
  readonly id: string;
  /** The room's name. */
  readonly room: string;
  /** The text. */
  readonly text: string;
  /** The condition that was given with it. */
  readonly ifHead?: number;
  /** What that stands on, where it was known. */
  readonly ground?: Ground;
  /** Whose it is; null when it was not known yet. */
  readonly participant: string | null;
  /** The client instance that sends it. */
  readonly owner: string;
  /** When it was asked for, in milliseconds since 1970. */
  readonly createdAt: number;
  /** When the user last wanted it sent: its age counts from here. */
  readonly wantedAt: number;
  /** Its place among those of the same `createdAt`. */
  readonly place: number;
  /** Why it is parked; null when it is to be sent. */
  readonly failure: Failure | null;
}

/** Where commands are kept until they are answered. */
export interface CommandStorage {
  /** Keeps it, or what has become of it. Resolves when it will outlive the page. */
  put(command: StoredCommand): Promise<void>;
  /** Forgets it. */
  remove(id: string): Promise<void>;
  /** All that is kept, in any order. */
  all(): Promise<readonly StoredCommand[]>;
}

/** What is needed of the browser's `navigator.locks`. */
export interface Locks {
  /** As in Web Locks. */
  request(
    name: string,
    options: { readonly ifAvailable?: boolean; readonly signal?: AbortSignal },
    callback: (lock: unknown) => unknown,
  ): Promise<unknown>;
}

/** What is needed of a WebSocket. */
export interface Socket {
  /** As in the browser. */
  onopen: ((event: any) => void) | null;
  /** As in the browser. */
  onmessage: ((event: any) => void) | null;
  /** As in the browser. */
  onclose: ((event: any) => void) | null;
  /** As in the browser. */
  onerror: ((event: any) => void) | null;
  /** As in the browser. */
  send(text: string): void;
  /** As in the browser. */
  close(code?: number, reason?: string): void;
}

/** What a client is made of. */
export interface PostroomOptions {
  /** The socket's address: `wss://host/ws`. */
  readonly url: string;
  /**
   * A fresh token. Called before each attempt to connect, and before the token in use expires.
   * Throw `UnauthorizedError` when nobody is signed in; anything else is tried again.
   */
  readonly token: () => Promise<string>;
  /** Where commands are kept. Left out: IndexedDB, and memory where there is none. */
  readonly storage?: CommandStorage;
  /** Left out: the machine's. */
  readonly clock?: Clock;
  /** Left out: the browser's. */
  readonly WebSocket?: new (url: string, protocols: string[]) => Socket;
  /** Left out: the browser's. With it, a command that two tabs find is sent by one of them. */
  readonly locks?: Locks | null;
  /** Where `online`, `visibilitychange`, `pagehide` and `pageshow` are heard. Left out: the window. */
  readonly window?: EventTarget | null;
  /** From 0 to 1, for waits. Left out: `Math.random`. */
  readonly random?: () => number;
  /** Makes ids. Left out: `crypto.randomUUID`, or as good where a page has none. */
  readonly newId?: () => string;
  /** The participant's id, where the page knows it: kept commands are then shown before the first welcome. */
  readonly participant?: string;
  /** A command older than this, in milliseconds, is parked as `too_old` before it is sent. Left out: one hour. */
  readonly maxAgeMs?: number;
  /** A command without an answer is repeated after this many milliseconds. Left out: 20 seconds. */
  readonly ackTimeoutMs?: number;
}

/** A client: one socket, any number of rooms. It connects by itself and stays so until closed. */
export class Postroom {
  /** Begins to connect. */
  constructor(options: PostroomOptions);
  /** The connection's state. */
  get state(): State;
  /** Who the server takes us for; null before the first welcome. */
  get me(): Author | null;
  /** What the server allows; null before the first welcome. */
  get limits(): Limits | null;
  /** The joined rooms. */
  get rooms(): readonly Room[];
  /** Commands that are neither answered nor parked: what a page should warn of before it closes. */
  get unsent(): number;
  /**
   * Joins a room. Of a joined room the same object is given again.
   *
   * @param name 1 to 128 of `A–Z a–z 0–9 . _ : -`
   */
  join(name: string): Room;
  /** Tries now, with a new token: after `unauthorized`, after a close by the server, or while waiting. */
  reconnect(): void;
  /** Ends it for good. Kept commands stay kept. */
  close(): void;
  /**
   * Calls back on an event. A handler that throws stops neither the others nor what follows.
   *
   * @returns what ends this
   */
  on<E extends keyof PostroomEvents>(event: E, handler: (value: PostroomEvents[E]) => void): () => void;
}

/** Something went wrong; `code` says what. */
export class PostroomError extends Error {
  /** With a code and a message for people. */
  constructor(code: string, message: string, options?: ErrorOptions);
  /** What went wrong: one of the server's error codes, or `malformed`, `handler`, `storage`, `token`. */
  code: string;
}

/** To be thrown by the page's `token` function: nobody is signed in, trying again will not help. */
export class UnauthorizedError extends PostroomError {
  /** With a message for people. */
  constructor(message?: string);
}

/** Keeps commands in memory only: they end with the page. */
export class MemoryStorage implements CommandStorage {
  /** Empty. */
  constructor();
  /** Keeps it. */
  put(command: StoredCommand): Promise<void>;
  /** Forgets it. */
  remove(id: string): Promise<void>;
  /** All that is kept. */
  all(): Promise<StoredCommand[]>;
}

/** Keeps commands in IndexedDB: they outlive reload, crash and closed tab. */
export class IndexedDbStorage implements CommandStorage {
  /** @param name of the database; left out, `postroom` */
  constructor(name?: string);
  /** Keeps it; resolves when the transaction is complete. */
  put(command: StoredCommand): Promise<void>;
  /** Forgets it. */
  remove(id: string): Promise<void>;
  /** All that is kept. */
  all(): Promise<StoredCommand[]>;
}

/** The length of a text in the server's unit: bytes of UTF-8. */
export function utf8Length(text: string): number;
