// Which of the kept commands are this client's to send: its own, and those whose client is gone.
// Every client holds a lock of its own name while it lives; whoever gets the lock of another knows
// that the other is gone, and while it has it no third one takes the same commands.

import { CarefulStorage } from "./careful-storage.js";
import { inTime } from "./timer.js";

/** @import {Clock, CommandStorage, Locks, StoredCommand} from "./postroom.d.ts" */

/** Another tab that has stopped in the middle holds nobody up for longer. */
const PATIENCE_MS = 5_000;

export class Keeper {
  #owner;
  #clock;
  #locks;
  #storage;
  /** @type {() => void} */
  #release = () => {};
  #freed;
  #alive;
  #isAway = false;
  /** @type {Set<string>} those whose end is waited for */
  #watched = new Set();
  #watching = new AbortController();

  /**
   * @param {string} owner this client's own name, of no other client ever
   * @param {CommandStorage} storage
   * @param {Clock} clock
   * @param {Locks | null} locks null where there are none: then whoever finds a command sends it,
   *   and the server makes one message of it (A1)
   * @param {{failed: (error: Error) => void, freed: () => void}} told `freed`: another client that
   *   had commands when they were looked for is gone now
   */
  constructor(owner, storage, clock, locks, { failed, freed }) {
    this.#owner = owner;
    this.#clock = clock;
    this.#locks = locks;
    this.#storage = new CarefulStorage(storage, clock, failed);
    this.#freed = freed;
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
    const take = async () => {
      const others = (await wanted()).filter(({ owner }) => owner !== this.#owner);
      for (const owner of new Set(others.map((each) => each.owner))) {
        if (await this.#isGone(owner)) {
          const left = others.filter((each) => each.owner === owner);
          // All at once: a storage may make one step of it.
          await Promise.all(left.map((each) => this.#storage.put({ ...each, owner: this.#owner })));
        } else {
          this.#watch(owner);
        }
      }
    };
    await this.#alone(take);
    const mine = (await wanted()).filter((each) => each.owner === this.#owner);
    return mine.sort((one, other) => one.createdAt - other.createdAt || one.place - other.place);
  }

  /** This client is gone from here on, or until `back`; what it has kept is free. */
  away() {
    this.#isAway = true;
    this.#watching.abort();
    this.#storage.rest();
    this.#release();
  }

  /** This client lives again, with what it was left. */
  back() {
    if (this.#isAway) {
      this.#isAway = false;
      this.#watching = new AbortController();
      this.#watched.clear();
      this.#alive = this.#locks ? this.#live(this.#locks) : Promise.resolve();
      this.#storage.wake();
    }
  }

  /**
   * @param {Locks} locks
   * @returns {Promise<void>} resolves when the lock is held, or is not to be had in time
   */
  #live(locks) {
    const held = new Promise((release) => (this.#release = () => release(undefined)));
    /** @type {() => Promise<void>} */
    const holding = () =>
      new Promise((resolve, reject) => {
        const hold = () => {
          resolve();
          return held;
        };
        locks.request(lockName(this.#owner), {}, hold).catch(reject);
      });
    // A place that refuses locks at times, or has them stuck, keeps nobody from sending.
    return inTime(this.#clock, PATIENCE_MS, holding).catch(() => {});
  }

  /**
   * One tab after another, so that none takes a lock that is held for a moment for a sign of life.
   *
   * @param {() => Promise<void>} take
   */
  async #alone(take) {
    const locks = this.#locks;
    if (!locks) {
      await take();
      return;
    }
    const waiting = new AbortController();
    const { signal } = waiting;
    const ask = () => locks.request(lockName("taking"), { signal }, take);
    // Refused, or not in time: the commands stay kept, and are found again.
    await inTime(this.#clock, PATIENCE_MS, ask, () => waiting.abort()).catch(() => {});
  }

  /**
   * A tab that is being closed may live a moment longer than its window.
   *
   * @param {string} other
   */
  async #watch(other) {
    const { signal } = this.#watching;
    if (!this.#locks || signal.aborted || this.#watched.has(other)) {
      return;
    }
    this.#watched.add(other);
    try {
      await this.#locks.request(lockName(other), { signal }, () => {});
    } catch {
      this.#watched.delete(other); // no longer of interest, or refused: the next look finds it
      return;
    }
    if (!signal.aborted) {
      this.#watched.delete(other);
      this.#freed();
    }
  }

  /** @param {string} other */
  async #isGone(other) {
    return this.#locks
      ? this.#locks.request(lockName(other), { ifAvailable: true }, (lock) => lock !== null)
      : true;
  }
}

/** @param {string} owner */
function lockName(owner) {
  return `postroom:${owner}`;
}
