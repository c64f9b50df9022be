// One thing after another: what is asked for while something runs, runs after it, in order.

export class Turns {
  /** @type {(() => void)[]} */
  #queue = [];
  #running = false;

  /** @param {() => void} run */
  take(run) {
    this.#queue.push(run);
    if (this.#running) {
      return;
    }
    this.#running = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        next();
      }
    } finally {
      this.#running = false;
    }
  }
}
