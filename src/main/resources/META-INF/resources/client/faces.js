// What pages hold of the commands of one room, and who listens to them: one of each for one command.

import { Command } from "./command.js";
import { Emitter } from "./events.js";

/** @import {Command as PublicCommand} from "./postroom.d.ts" */
/** @import {Owner} from "./command.js" */
/** @import {Desk} from "./desk.js" */
/** @import {Entry} from "./entry.js" */

/** @typedef {{command: Command, emitter: Emitter<{change: PublicCommand}>}} Face */

export class Faces {
  #desk;
  #owner;
  /** @type {WeakMap<Entry, Face>} */
  #known = new WeakMap();

  /**
   * @param {Desk} desk
   * @param {Owner} owner
   */
  constructor(desk, owner) {
    this.#desk = desk;
    this.#owner = owner;
  }

  /**
   * @param {Entry} entry
   * @returns {Face}
   */
  of(entry) {
    let face = this.#known.get(entry);
    if (!face) {
      /** @type {Face["emitter"]} */
      const emitter = new Emitter(this.#desk.turns, this.#desk.report);
      face = { command: new Command(entry, this.#owner), emitter };
      this.#known.set(entry, face);
    }
    return face;
  }
}
