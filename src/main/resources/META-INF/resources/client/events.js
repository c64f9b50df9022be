// Who listens to what. All emitters of a client tell in turns: an event that a handler causes is
// told after the one that is being told, so that everybody hears them in one order.

import { PostroomError } from "./errors.js";

/** @import {Turns} from "./turns.js" */

/** @template {Record<string, any>} E the events by name, with what each tells */
export class Emitter {
  #turns;
  #failed;
  /** @type {Map<keyof E, Set<(value: any) => void>>} */
  #handlers = new Map();

  /**
   * @param {Turns} turns
   * @param {(error: Error) => void} failed told of what handlers throw
   */
  constructor(turns, failed) {
    this.#turns = turns;
    this.#failed = failed;
  }

  /**
   * @template {keyof E} N
   * @param {N} event
   * @param {(value: E[N]) => void} handler
   * @returns {() => void} what ends it
   */
  on(event, handler) {
    // A function of its own, so that one handler may be there twice and each ends by itself.
    const listener = (/** @type {E[N]} */ value) => handler(value);
    const listeners = this.#handlers.get(event) ?? new Set();
    this.#handlers.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** @param {keyof E} event */
  hasHandlers(event) {
    return (this.#handlers.get(event)?.size ?? 0) > 0;
  }

  /**
   * @template {keyof E} N
   * @param {N} event
   * @param {E[N]} value
   */
  emit(event, value) {
    this.#turns.take(() => {
      const listeners = this.#handlers.get(event);
      for (const listener of [...(listeners ?? [])]) {
        if (listeners?.has(listener)) {
          this.#tell(listener, value);
        }
      }
    });
  }

  /**
   * @param {(value: any) => void} listener
   * @param {unknown} value
   */
  #tell(listener, value) {
    try {
      listener(value);
    } catch (cause) {
      this.#failed(new PostroomError("handler", "A handler threw.", { cause }));
    }
  }
}
