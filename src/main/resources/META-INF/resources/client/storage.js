// Where commands are kept until they are answered: IndexedDB, and memory where that throws.

import { IndexedDbStorage } from "./indexed-db.js";
import { inTime } from "./timer.js";

/** @import {Clock, CommandStorage, StoredCommand} from "./postroom.d.ts" */

/** A storage that takes longer is as good as none: nothing is sent before it is kept. */
const PATIENCE_MS = 5_000;
/** One that took longer is not waited for again so soon, unless it answers after all. */
const DOUBT_MS = 30_000;

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
  /** @type {Set<string>} what was to be removed: a look that began before may still find it */
  #removed = new Set();
  #doubtUntil = 0;

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
    this.#removed.delete(command.id);
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
    this.#removed.add(id);
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
    return [...kept.values()].filter(({ id }) => !this.#removed.has(id));
  }

  /**
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #inTime(work) {
    if (this.#clock.now() < this.#doubtUntil) {
      throw new Error("The storage does not answer.");
    }
    let isLate = false;
    const watched = async () => {
      try {
        return await work();
      } finally {
        this.#doubtUntil = isLate ? 0 : this.#doubtUntil;
      }
    };
    return inTime(this.#clock, PATIENCE_MS, watched, () => {
      isLate = true;
      this.#doubtUntil = this.#clock.now() + DOUBT_MS;
    });
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

/** Where nothing can be kept: whoever asks is told why. @implements {CommandStorage} */
class NoStorage {
  #cause;

  /** @param {unknown} cause */
  constructor(cause) {
    this.#cause = cause;
  }

  /** @returns {Promise<never>} */
  async put() {
    throw this.#cause;
  }

  /** @returns {Promise<never>} */
  async all() {
    throw this.#cause;
  }

  /** Nothing is there. */
  async remove() {}
}

/** The best that this place has. @returns {CommandStorage} */
export function bestStorage() {
  try {
    return globalThis.indexedDB
      ? new IndexedDbStorage()
      : new NoStorage(new Error("There is no IndexedDB here."));
  } catch (cause) {
    return new NoStorage(cause); // some settings make the mere look throw
  }
}
