// The cases: what the service lists, and the newest of them joined, so that they tell by themselves
// what is new. The open one is among them.

/** Cases that are followed live. The others are looked at again and again. */
const LIVE = 24;
/** Cases that are joined at most. */
const JOINED = 2 * LIVE;
/** Messages that are kept of a case that is not open. The others are history, and come when it is. */
const KEPT = 50;
const LOOK_MS = 10_000;

export class Cases {
  #client;
  #api;
  #marks;
  #told;
  /** @type {Map<string, object>} */
  #cases = new Map();
  #timer;
  #looking = false;
  #isClosed = false;
  #stopListening;
  /** Why the list is not there; null when it is. */
  failure = null;
  /** False until the first answer. */
  isLoaded = false;

  /**
   * @param {{changed: () => void, message: (entry: object, message: object) => void}} told
   *   `message`: one of somebody else has come
   */
  constructor(client, api, marks, told) {
    this.#client = client;
    this.#api = api;
    this.#marks = marks;
    this.#told = told;
    const look = () => !document.hidden && this.refresh();
    document.addEventListener("visibilitychange", look);
    this.#stopListening = () => document.removeEventListener("visibilitychange", look);
    this.refresh();
  }

  /** With the latest message first; empty ones, which are new, before them. */
  get all() {
    return [...this.#cases.values()]
      .map((entry) => this.#view(entry))
      .sort((one, other) => latest(other) - latest(one) || (one.name < other.name ? -1 : 1));
  }

  /** One of them as it is now, or undefined. */
  get(name) {
    const entry = this.#cases.get(name);
    return entry && this.#view(entry);
  }

  /** Follows this one from now on, whatever its place in the list. */
  open(name) {
    const entry = this.#cases.get(name) ?? this.#add({ room: name, epoch: "", head: null });
    entry.isOpen = true;
    this.#follow(entry);
    this.#letGo();
    return entry.room;
  }

  /** It is not the open one any more. */
  shut(name) {
    const entry = this.#cases.get(name);
    if (entry) {
      entry.isOpen = false;
      entry.room?.keepNewest(KEPT);
    }
  }

  /** Of too many joined ones those that have been quiet longest are left, where nothing waits. */
  #letGo() {
    const joined = this.all.filter(({ room }) => room).map(({ name }) => this.#cases.get(name));
    const idle = joined.filter(({ room, isOpen }) => !isOpen && room.cursor && room.pending.length === 0);
    const tooMany = Math.max(0, joined.length - JOINED);
    for (const entry of tooMany > 0 ? idle.slice(-tooMany) : []) {
      const { epoch, after } = entry.room.cursor;
      entry.listed = { ...entry.listed, epoch, head: after, last: entry.room.messages.at(-1) };
      entry.room.leave();
      entry.room = null;
    }
  }

  /** A case as the service has just told of it. */
  learn(listed) {
    const known = this.#cases.get(listed.room);
    if (known) {
      known.listed = { last: known.listed.last, ...listed };
    } else {
      this.#add(listed);
    }
    this.#told.changed();
  }

  /** Asks for the list. Once more a while later, for as long as the page is looked at. */
  async refresh() {
    clearTimeout(this.#timer);
    if (this.#looking || this.#isClosed) {
      return;
    }
    this.#looking = true;
    try {
      this.#replace(await this.#api.rooms());
      this.failure = null;
      this.isLoaded = true;
    } catch (error) {
      this.failure = error;
    }
    this.#looking = false;
    if (!this.#isClosed) {
      this.#timer = setTimeout(() => !document.hidden && this.refresh(), LOOK_MS);
      this.#told.changed();
    }
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#stopListening();
  }

  #replace(rooms) {
    const names = new Set(rooms.map(({ room }) => room));
    for (const [name, entry] of this.#cases) {
      // One that is joined says by itself when it is over.
      if (!names.has(name) && entry.room?.state.name !== "live" && !entry.isOpen) {
        this.#cases.delete(name);
      }
    }
    for (const listed of rooms) {
      const known = this.#cases.get(listed.room);
      if (known) {
        known.listed = listed;
      } else {
        this.#add(listed);
      }
    }
    const newest = this.all.slice(0, LIVE).map(({ name }) => this.#cases.get(name));
    const followed = [...this.#cases.values()].filter(({ room }) => room).length;
    newest.filter(({ room }) => !room).slice(0, Math.max(0, JOINED - followed)).forEach((entry) => this.#follow(entry));
  }

  #add(listed) {
    const entry = { name: listed.room, listed, room: null, isOpen: false };
    this.#cases.set(entry.name, entry);
    return entry;
  }

  #follow(entry) {
    if (entry.room && entry.room.state.name !== "left") {
      return;
    }
    const room = this.#client.join(entry.name);
    entry.room = room;
    room.on("change", () => this.#told.changed());
    room.on("message", (message) => {
      if (!entry.isOpen && room.messages.length >= 2 * KEPT) {
        room.keepNewest(KEPT);
      }
      if (!message.own) {
        this.#told.message(entry, message);
      }
    });
  }

  #view({ name, listed, room }) {
    const isJoined = room !== null && room.cursor !== null;
    const pending = room?.pending ?? [];
    const last = isJoined ? this.#lastOf(room.messages, pending) : listed.last;
    return {
      name,
      title: listed.title ?? name,
      room,
      isEmpty: !last && (isJoined ? room.cursor.after : listed.head) === 0,
      last: last && { author: last.author, text: last.text ?? last.excerpt, at: new Date(last.acceptedAt), own: last.own },
      unread: isJoined ? this.#unreadOf(name, room) : this.#unreadListed(name, listed),
      unsent: pending.filter(({ state }) => state !== "acked").length,
      failed: pending.some(({ state }) => state === "failed"),
    };
  }

  /** One's own is a message from its ack on, though its event may come later. */
  #lastOf(messages, pending) {
    const last = messages.at(-1);
    const accepted = pending.findLast(({ state }) => state === "acked");
    if (!accepted || accepted.seq <= (last?.seq ?? 0)) {
      return last;
    }
    const acceptedAt = Math.max(accepted.createdAt, last ? Date.parse(last.acceptedAt) : 0);
    return { author: this.#client.me, text: accepted.text, acceptedAt, own: true };
  }

  #unreadOf(name, { cursor, messages }) {
    const seen = this.#marks.seen(name, cursor.epoch);
    if (seen >= cursor.after) {
      return 0;
    }
    const before = Math.max(0, (messages[0]?.seq ?? cursor.after + 1) - 1 - seen);
    let unread = before;
    for (let at = messages.length - 1; at >= 0 && messages[at].seq > seen; at--) {
      unread += messages[at].own ? 0 : 1;
    }
    return unread;
  }

  #unreadListed(name, { epoch, head }) {
    return Math.max(0, head - this.#marks.seen(name, epoch));
  }
}

function latest({ last }) {
  return last ? last.at.getTime() : Number.MAX_SAFE_INTEGER;
}
