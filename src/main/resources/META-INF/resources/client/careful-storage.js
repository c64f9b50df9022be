// Keeps in one place, and in memory what that one refuses or does not answer to: a private window,
// a full disk. What was discarded or answered must not come back by a put that was late.

import { isStored } from "./entry.js";
import { PostroomError } from "./errors.js";
import { Stopwatch } from "./stopwatch.js";
import { MemoryStorage } from "./storage.js";
import { Timer, inTime } from "./timer.js";

/** @import {Clock, CommandStorage, StoredCommand} from "./postroom.d.ts" */

/** A storage that takes longer is as good as none: nothing is sent before it is kept. */
const PATIENCE_MS = 5_000;
/** One that took longer is not waited for again so soon, unless it answers after all. */
const DOUBT_MS = 30_000;

/** Puts and removes of one id take effect in the order in which they were asked for. */
export class CarefulStorage {
  #durable;
  #clock;
  #memory = new MemoryStorage();
  #failed;
  /** @type {Map<string, Promise<void>>} the last thing asked for, by id */
  #last = new Map();
  /** @type {Set<string>} what was to be removed: a look that began before may still find it */
  #removed = new Set();
  /** @type {Set<string>} of them those that may still be there */
  #owed = new Set();
  /** @type {Map<string, number>} puts without an answer: they may take effect at any time */
  #putting = new Map();
  /** @type {Set<string>} what cannot be read and was told of */
  #setAside = new Set();
  /** @type {Stopwatch | null} since when it does not answer */
  #doubt = null;
  #again;

  /**
   * @param {CommandStorage} durable
   * @param {Clock} clock
   * @param {(error: PostroomError) => void} failed told of every refusal
   */
  constructor(durable, clock, failed) {
    this.#durable = durable;
    this.#clock = clock;
    this.#failed = failed;
    this.#again = new Timer(clock);
  }

  /**
   * Never rejects. Resolves when it is kept as well as it can be.
   *
   * @param {StoredCommand} command
   */
  put(command) {
    const { id } = command;
    this.#removed.delete(id);
    this.#owed.delete(id);
    return this.#inTurn(id, async () => {
      try {
        await this.#inTime(() => this.#puttingOf(command));
        await this.#memory.remove(id);
      } catch (cause) {
        await this.#memory.put(command);
        this.#fail("A command could not be kept.", cause);
      }
    });
  }

  /**
   * Never rejects: what cannot be removed is tried again as long as this page lives.
   *
   * @param {string} id
   */
  remove(id) {
    this.#removed.add(id);
    this.#owed.add(id);
    return this.#inTurn(id, async () => {
      await this.#memory.remove(id);
      await this.#erase(id, (cause) => this.#fail("A command could not be removed.", cause));
    });
  }

  /** All that can be read; the rest is told of and stays where it is. Never rejects. */
  async all() {
    /** @type {Map<string, StoredCommand>} */
    const kept = new Map();
    try {
      for (const record of await this.#inTime(() => this.#durable.all())) {
        isStored(record) ? kept.set(record.id, record) : this.#tellOf(record);
      }
    } catch (cause) {
      this.#fail("The kept commands could not be looked up.", cause);
    }
    for (const command of await this.#memory.all()) {
      kept.set(command.id, command);
    }
    return [...kept.values()].filter(({ id }) => !this.#removed.has(id));
  }

  /** Nothing is tried again until `wake`. */
  rest() {
    this.#again.stop();
  }

  wake() {
    this.#removeOwed();
  }

  /** @param {StoredCommand} command */
  async #puttingOf(command) {
    const { id } = command;
    this.#putting.set(id, (this.#putting.get(id) ?? 0) + 1);
    try {
      await this.#durable.put(command);
    } finally {
      const others = (this.#putting.get(id) ?? 1) - 1;
      others > 0 ? this.#putting.set(id, others) : this.#putting.delete(id);
    }
  }

  /**
   * @param {string} id
   * @param {(cause: unknown) => void} failed
   */
  async #erase(id, failed) {
    try {
      await this.#inTime(() => this.#durable.remove(id));
      if (!this.#putting.has(id)) {
        this.#owed.delete(id);
      }
    } catch (cause) {
      failed(cause);
    }
    if (this.#owed.size > 0 && !this.#again.isPending) {
      this.#again.start(DOUBT_MS, () => this.#removeOwed());
    }
  }

  /** What may still be there though it was to be removed. It was told of when it failed first. */
  #removeOwed() {
    this.#again.stop();
    for (const id of this.#owed) {
      this.#inTurn(id, async () => {
        if (this.#owed.has(id)) {
          await this.#erase(id, () => {});
        }
      });
    }
  }

  /** @param {any} record */
  #tellOf(record) {
    const name = String(record?.id);
    if (!this.#setAside.has(name)) {
      this.#setAside.add(name);
      this.#fail(`A kept command cannot be read, and stays where it is: ${name}`);
    }
  }

  /**
   * @param {string} message
   * @param {unknown} [cause]
   */
  #fail(message, cause) {
    this.#failed(new PostroomError("storage", message, { cause }));
  }

  /**
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #inTime(work) {
    if (this.#doubt && this.#doubt.passed < DOUBT_MS) {
      throw new Error("The storage does not answer.");
    }
    let isLate = false;
    const watched = async () => {
      try {
        return await work();
      } finally {
        if (isLate) {
          this.#doubt = null; // it answers after all
          this.#removeOwed();
        }
      }
    };
    return inTime(this.#clock, PATIENCE_MS, watched, () => {
      isLate = true;
      this.#doubt = new Stopwatch(this.#clock);
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
