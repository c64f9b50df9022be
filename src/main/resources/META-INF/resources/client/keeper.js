// Which of the kept commands are this client's to send: its own, and those whose client is gone.
// Every client holds a lock of its own name while it lives; whoever gets the lock of another knows
// that the other is gone, and while it has it no third one takes the same commands.

import { CarefulStorage } from "./storage.js";

/** @import {CommandStorage, Locks, StoredCommand} from "./postroom.d.ts" */

export class Keeper {
  #owner;
  #locks;
  #storage;
  /** @type {() => void} */
  #release = () => {};
  #alive;

  /**
   * @param {string} owner this client's own name, of no other client ever
   * @param {CommandStorage} storage
   * @param {Locks | null} locks null where there are none: then whoever finds a command sends it,
   *   and the server makes one message of it (A1)
   * @param {(cause: unknown) => void} failed
   */
  constructor(owner, storage, locks, failed) {
    this.#owner = owner;
    this.#locks = locks;
    this.#storage = new CarefulStorage(storage, failed);
    this.#alive = locks ? this.#live(locks) : Promise.resolve();
  }

  get owner() {
    return this.#owner;
  }

  /**
   * Resolves when it is kept; never rejects.
   *
   * @param {StoredCommand} command
   */
  async keep(command) {
    await this.#alive; // else another tab could take it for left behind
    await this.#storage.put(command);
  }

  /**
   * Never rejects.
   *
   * @param {string} id
   */
  async forget(id) {
    await this.#alive; // as in keep, so that a keep asked for before stays before
    await this.#storage.remove(id);
  }

  /**
   * The room's kept commands that are ours to send, those of clients that are gone included, in the
   * order in which they were asked for. Never rejects.
   *
   * @param {string} room
   * @param {string} participant
   */
  async find(room, participant) {
    await this.#alive;
    const wanted = async () =>
      (await this.#storage.all()).filter(
        (each) => each.room === room && [participant, null].includes(each.participant),
      );
    const found = await wanted();
    const mine = found.filter((each) => each.owner === this.#owner);
    for (const other of new Set(found.map((each) => each.owner))) {
      if (other !== this.#owner) {
        await this.#ifGone(other, async () => {
          // Looked up again: another tab may have had the lock just before us.
          const left = (await wanted()).filter((each) => each.owner === other);
          for (const command of left) {
            const taken = { ...command, owner: this.#owner };
            await this.#storage.put(taken);
            mine.push(taken);
          }
        });
      }
    }
    return mine.sort((one, other) => one.createdAt - other.createdAt || one.place - other.place);
  }

  /** This client is gone from here on; what it has kept is free. */
  close() {
    this.#release();
  }

  /**
   * @param {Locks} locks
   * @returns {Promise<void>} resolves when the lock is held, or cannot be
   */
  #live(locks) {
    return new Promise((resolve) => {
      const held = new Promise((release) => (this.#release = () => release(undefined)));
      const hold = () => {
        resolve();
        return held;
      };
      locks.request(lockName(this.#owner), {}, hold).catch(() => resolve());
    });
  }

  /**
   * @param {string} other
   * @param {() => Promise<void>} work
   */
  async #ifGone(other, work) {
    if (!this.#locks) {
      await work();
      return;
    }
    try {
      const options = { ifAvailable: true };
      await this.#locks.request(lockName(other), options, (lock) => lock && work());
    } catch {
      // A place that refuses locks at times: the commands stay kept, and are found again.
    }
  }
}

/** @param {string} owner */
function lockName(owner) {
  return `postroom:${owner}`;
}
