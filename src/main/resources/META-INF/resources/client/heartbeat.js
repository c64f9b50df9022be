// Whether the other side still lives. Browsers do not show the server's pings to scripts, so this
// side asks, and counts every frame as an answer. After a sleep no timer has run: whoever is about
// to write asks `isStale` first (NET-04).

import { Stopwatch } from "./stopwatch.js";
import { Timer } from "./timer.js";

/** @import {Clock} from "./postroom.d.ts" */

/** How long an answer may take when there is a reason to doubt (NET-05). */
const PROBE_MS = 3_000;

export class Heartbeat {
  #timer;
  #probe;
  #ping;
  #dead;
  #everyMs = Infinity;
  #silence;

  /**
   * @param {Clock} clock
   * @param {() => void} ping
   * @param {(reason: string) => void} dead
   */
  constructor(clock, ping, dead) {
    this.#silence = new Stopwatch(clock);
    this.#timer = new Timer(clock);
    this.#probe = new Timer(clock);
    this.#ping = ping;
    this.#dead = dead;
  }

  /** @param {number} everyMs the server's `heartbeatMs` */
  start(everyMs) {
    this.stop();
    this.#everyMs = Math.max(1_000, everyMs);
    this.heard();
    this.#wait();
  }

  stop() {
    this.#timer.stop();
    this.#probe.stop();
    this.#everyMs = Infinity;
  }

  /** Any frame is a sign of life. */
  heard() {
    this.#silence.start();
    this.#probe.stop();
  }

  /** Twice the heartbeat without a sign of life: what is written now would be lost. */
  get isStale() {
    return this.#silence.passed > 2 * this.#everyMs;
  }

  /** There is a reason to doubt: the network changed, the page was hidden. */
  probe() {
    if (this.isStale) {
      this.#dead("no sign of life");
    } else if (this.#timer.isPending && !this.#probe.isPending) {
      this.#probe.start(PROBE_MS, () => this.#dead("no sign of life"));
      this.#ping();
    }
  }

  #wait() {
    this.#timer.start(this.#everyMs, () => {
      if (this.isStale) {
        this.#dead("no sign of life");
      } else {
        this.#wait();
        this.#ping();
      }
    });
  }
}
