// Commands in IndexedDB. It may throw, block or be taken away at any time: in a private window, on
// a full disk, when the site's data is deleted. Whoever uses it has something for that.

/** @import {StoredCommand} from "./postroom.d.ts" */

/**
 * @typedef {(store: IDBObjectStore) => IDBRequest<any>} Step
 * @typedef {{step: Step, resolve: () => void, reject: (cause: unknown) => void}} Waiting
 */

const STORE = "commands";
const VERSION = 1;

/** Commands that outlive reload, crash and closed tab. One database per origin, for all tabs. */
export class IndexedDbStorage {
  #name;
  /** @type {Promise<IDBDatabase> | null} */
  #database = null;
  /** @type {Waiting[]} */
  #steps = [];
  #isWriting = false;

  constructor(name = "postroom") {
    this.#name = name;
  }

  /** @param {StoredCommand} command */
  async put(command) {
    await this.#write((store) => store.put(command));
  }

  /** @param {string} id */
  async remove(id) {
    await this.#write((store) => store.delete(id));
  }

  /** @returns {Promise<StoredCommand[]>} */
  all() {
    return this.#within("readonly", (store) => store.getAll());
  }

  /**
   * Whatever is asked for while a transaction is on its way shares the next one: a transaction costs
   * more than what is in it.
   *
   * @param {Step} step
   * @returns {Promise<void>} as in `within`
   */
  #write(step) {
    return new Promise((resolve, reject) => {
      this.#steps.push({ step, resolve, reject });
      if (!this.#isWriting) {
        this.#isWriting = true;
        this.#writeAll();
      }
    });
  }

  async #writeAll() {
    await undefined; // what is asked for in the same turn goes along
    while (this.#steps.length > 0) {
      const cause = await (this.#database ??= this.#open()).then(() => null, (why) => ({ why }));
      const waiting = this.#steps.splice(0);
      if (cause) {
        waiting.forEach(({ reject }) => reject(cause.why));
      } else {
        await this.#writeTogether(waiting);
      }
    }
    this.#isWriting = false;
  }

  /** @param {Waiting[]} waiting */
  async #writeTogether(waiting) {
    const first = (/** @type {IDBObjectStore} */ store) => waiting.map(({ step }) => step(store))[0];
    const isDone = await this.#within("readwrite", first).then(() => true, () => false);
    for (const { step, resolve, reject } of waiting) {
      // One that cannot be kept takes no other along.
      isDone ? resolve() : await this.#within("readwrite", step).then(() => resolve(), reject);
    }
  }

  /**
   * Resolves when the transaction is complete, not when the request is: before that the command
   * may still be lost.
   *
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest<T> | undefined} ask
   * @returns {Promise<T>}
   */
  async #within(mode, ask) {
    const opened = (this.#database ??= this.#open());
    const database = await opened;
    return new Promise((resolve, reject) => {
      const transaction = this.#begin(opened, database, mode);
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
      try {
        const request = ask(transaction.objectStore(STORE));
        transaction.oncomplete = () => resolve(/** @type {IDBRequest<T>} */ (request).result);
      } catch (cause) {
        transaction.abort(); // half of it is not to be kept
        reject(cause);
      }
    });
  }

  /**
   * @param {Promise<IDBDatabase>} opened
   * @param {IDBDatabase} database
   * @param {IDBTransactionMode} mode
   */
  #begin(opened, database, mode) {
    try {
      return database.transaction(STORE, mode, { durability: "strict" });
    } catch (cause) {
      this.#forget(opened); // closed without a word; the next use opens it again
      database.close();
      throw cause;
    }
  }

  /** @returns {Promise<IDBDatabase>} */
  #open() {
    /** @type {Promise<IDBDatabase>} */
    const opened = new Promise((resolve, reject) => {
      const request = indexedDB.open(this.#name, VERSION);
      let isGivenUp = false;
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
      request.onblocked = () => {
        isGivenUp = true;
        reject(new Error("another tab holds an older version"));
      };
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const database = request.result;
        database.onclose = () => this.#forget(opened); // the browser threw it away
        database.onversionchange = () => {
          // Another tab deletes or upgrades it, and would wait for this one.
          this.#forget(opened);
          database.close();
        };
        if (isGivenUp) {
          database.close();
        }
        resolve(database);
      };
    });
    opened.catch(() => this.#forget(opened));
    return opened;
  }

  /** @param {Promise<IDBDatabase>} opened */
  #forget(opened) {
    if (this.#database === opened) {
      this.#database = null;
    }
  }
}
