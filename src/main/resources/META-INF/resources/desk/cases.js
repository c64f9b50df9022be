// The cases: what the service lists, and the newest of them joined, so that they tell by themselves
// what is new. The open one is among them.

/** Cases that are followed live. The others are looked at again and again. */
const LIVE = 24;
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
    return entry.room;
  }

  /** It is not the open one any more. */
  shut(name) {
    const entry = this.#cases.get(name);
    if (entry) {
      entry.isOpen = false;
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
    newest.filter(({ room }) => !room).slice(0, Math.max(0, 2 * LIVE - followed)).forEach((entry) => this.#follow(entry));
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
      if (!message.own) {
        this.#told.message(entry, message);
      }
    });
  }

  #view({ name, listed, room }) {
    const isJoined = room !== null && room.cursor !== null;
    const last = isJoined ? this.#lastOf(room) : listed.last;
    return {
      name,
      title: listed.title ?? name,
      room,
      isEmpty: !last && (isJoined ? room.cursor.after : listed.head) === 0,
      last: last && { author: last.author, text: last.text ?? last.excerpt, at: new Date(last.acceptedAt), own: last.own },
      unread: isJoined ? this.#unreadOf(name, room) : this.#unreadListed(name, listed),
      unsent: room ? room.pending.filter(({ state }) => state !== "acked").length : 0,
      failed: room ? room.pending.some(({ state }) => state === "failed") : false,
    };
  }

  /** One's own is a message from its ack on, though its event may come later. */
  #lastOf({ messages, pending }) {
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
