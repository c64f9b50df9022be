// Where commands are kept until they are answered: IndexedDB, and memory where that throws.

import { inTime } from "./timer.js";

/** @import {Clock, CommandStorage, StoredCommand} from "./postroom.d.ts" */

const STORE = "commands";
/** A storage that takes longer is as good as none: nothing is sent before it is kept. */
const PATIENCE_MS = 5_000;

/** Commands that end with the page. */
export class MemoryStorage {
  /** @type {Map<string, StoredCommand>} */
  #kept = new Map();

  /** @param {StoredCommand} command */
  async put(command) {
    this.#kept.set(command.id, command);
  }

  /** @param {string} id */
  async remove(id) {
    this.#kept.delete(id);
  }

  async all() {
    return [...this.#kept.values()];
  }
}

/** Commands that outlive reload, crash and closed tab. One database per origin, for all tabs. */
export class IndexedDbStorage {
  #name;
  /** @type {Promise<IDBDatabase> | null} */
  #database = null;

  constructor(name = "postroom") {
    this.#name = name;
  }

  /** @param {StoredCommand} command */
  async put(command) {
    await this.#within("readwrite", (store) => store.put(command));
  }

  /** @param {string} id */
  async remove(id) {
    await this.#within("readwrite", (store) => store.delete(id));
  }

  /** @returns {Promise<StoredCommand[]>} */
  all() {
    return this.#within("readonly", (store) => store.getAll());
  }

  /**
   * Resolves when the transaction is complete, not when the request is: before that the command
   * may still be lost.
   *
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest<T>} ask
   * @returns {Promise<T>}
   */
  async #within(mode, ask) {
    const database = await (this.#database ??= this.#open());
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: "strict" });
      const request = ask(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    });
  }

  /** @returns {Promise<IDBDatabase>} */
  #open() {
    const opened = new Promise((/** @type {(database: IDBDatabase) => void} */ resolve, reject) => {
      const request = indexedDB.open(this.#name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
      request.onblocked = () => reject(new Error("blocked by another tab"));
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const database = request.result;
        const forget = () => (this.#database = null);
        database.onclose = forget; // the browser threw it away; the next use opens it again
        database.onversionchange = () => {
          database.close();
          forget();
        };
        resolve(database);
      };
    });
    opened.catch(() => (this.#database = null));
    return opened;
  }
}

/**
 * Keeps in one place, and in memory what that one refuses or does not answer to: a private window,
 * a full disk. Puts and removes of one id take effect in the order in which they were asked for.
 */
export class CarefulStorage {
  #durable;
  #clock;
  #memory = new MemoryStorage();
  #failed;
  /** @type {Map<string, Promise<void>>} the last thing asked for, by id */
  #last = new Map();

  /**
   * @param {CommandStorage} durable
   * @param {Clock} clock
   * @param {(cause: unknown) => void} failed told of every refusal
   */
  constructor(durable, clock, failed) {
    this.#durable = durable;
    this.#clock = clock;
    this.#failed = failed;
  }

  /**
   * Never rejects. Resolves when it is kept as well as it can be.
   *
   * @param {StoredCommand} command
   */
  put(command) {
    return this.#inTurn(command.id, async () => {
      try {
        await this.#inTime(() => this.#durable.put(command));
        await this.#memory.remove(command.id);
      } catch (cause) {
        await this.#memory.put(command);
        this.#failed(cause);
      }
    });
  }

  /**
   * Never rejects: what cannot be removed is sent again some day, and is a duplicate then (A1).
   *
   * @param {string} id
   */
  remove(id) {
    return this.#inTurn(id, async () => {
      await this.#memory.remove(id);
      try {
        await this.#inTime(() => this.#durable.remove(id));
      } catch (cause) {
        this.#failed(cause);
      }
    });
  }

  /** Never rejects. */
  async all() {
    const kept = new Map();
    try {
      for (const command of await this.#inTime(() => this.#durable.all())) {
        kept.set(command.id, command);
      }
    } catch (cause) {
      this.#failed(cause);
    }
    for (const command of await this.#memory.all()) {
      kept.set(command.id, command);
    }
    return [...kept.values()];
  }

  /**
   * @template T
   * @param {() => Promise<T>} work
   */
  #inTime(work) {
    return inTime(this.#clock, PATIENCE_MS, work);
  }

  /**
   * @param {string} id
   * @param {() => Promise<void>} work
   */
  async #inTurn(id, work) {
    const turn = (this.#last.get(id) ?? Promise.resolve()).then(work);
    this.#last.set(id, turn);
    await turn;
    if (this.#last.get(id) === turn) {
      this.#last.delete(id);
    }
  }
}

/** The best that this place has. @returns {CommandStorage} */
export function bestStorage() {
  try {
    return globalThis.indexedDB ? new IndexedDbStorage() : new MemoryStorage();
  } catch {
    return new MemoryStorage(); // some settings make the mere look throw
  }
}
