// Where commands are kept until they are answered: IndexedDB, and memory where that throws.

import { IndexedDbStorage } from "./indexed-db.js";

/** @import {CommandStorage, StoredCommand} from "./postroom.d.ts" */

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
