// Whose turn it is to write: all rooms share the frames that may wait for their answer at once.

import { PostroomError } from "./errors.js";

/** @import {Subscription} from "./subscription.js" */

export class Pump {
  #rooms;
  #window;
  #report;
  #pumping = false;
  #again = false;
  #turn = 0;

  /**
   * @param {() => Subscription[]} rooms
   * @param {() => number} window how many frames in all may wait for their answer
   * @param {(error: Error) => void} report
   */
  constructor(rooms, window, report) {
    this.#rooms = rooms;
    this.#window = window;
    this.#report = report;
  }

  /**
   * Writes what may be written, each time beginning with another room. A handler that is told of it
   * and asks for more is served after it, so that nothing overtakes.
   */
  run() {
    this.#again = true;
    if (this.#pumping) {
      return;
    }
    this.#pumping = true;
    try {
      while (this.#again) {
        this.#again = false;
        const all = this.#rooms();
        const first = this.#turn++ % Math.max(1, all.length);
        [...all.slice(first), ...all.slice(0, first)].forEach((each) => this.#serve(each));
      }
    } finally {
      this.#pumping = false;
    }
  }

  /** @param {Subscription} subscription what goes wrong in it holds no other up */
  #serve(subscription) {
    try {
      const waiting = this.#rooms().reduce((sum, each) => sum + each.inFlight, 0);
      subscription.pump(this.#window() - waiting);
    } catch (cause) {
      const message = `Nothing could be written for ${subscription.name}.`;
      this.#report(new PostroomError("internal", message, { cause }));
    }
  }
}
