// The commands of one room on their way: kept before they are written, written in order, and
// forgotten when they are answered.

import { waitOf } from "./backoff.js";
import { Commands } from "./commands.js";
import { fromStored, newEntry, toStored } from "./entry.js";
import { Faces } from "./faces.js";
import { sendFrame } from "./frames.js";
import { groundAt, headOn } from "./ground.js";
import { refusalOf } from "./text.js";
import { Timer } from "./timer.js";

/** @import {Command as PublicCommand, Failure} from "./postroom.d.ts" */
/** @import {Owner} from "./command.js" */
/** @import {Desk} from "./desk.js" */
/** @import {Answer, Entry} from "./entry.js" */
/** @import {Ack, Refusal} from "./frames.js" */
/** @import {View} from "./view.js" */

/** When the server names no wait before a repeat. */
const REPEAT_MS = 1_000;

export class Outgoing {
  #name;
  #desk;
  #view;
  #told;
  #commands = new Commands((entry) => this.#changed(entry));
  /** @type {Faces} */
  #faces;
  #retry;
  #overdue;
  /** Frames of one round are written before the wait for their answers begins. */
  #round = 0;
  #isLoaded = false;
  #loads = 0;
  /** @type {Failure | null} why nothing is sent any more */
  #over = null;

  /**
   * @param {string} name the room's
   * @param {Desk} desk
   * @param {View} view
   * @param {() => void} told called after each change
   */
  constructor(name, desk, view, told) {
    this.#name = name;
    this.#desk = desk;
    this.#view = view;
    this.#faces = new Faces(desk, this);
    this.#told = told;
    this.#retry = new Timer(desk.clock);
    this.#overdue = new Timer(desk.clock);
  }

  get name() {
    return this.#name;
  }

  get pending() {
    return this.#commands.pending.map((entry) => this.#faces.of(entry).command);
  }

  get unsent() {
    return this.#commands.unsent;
  }

  get inFlight() {
    return this.#commands.inFlight;
  }

  /**
   * @param {string} text
   * @param {number} [ifHead]
   * @returns {PublicCommand}
   */
  send(text, ifHead) {
    if (typeof text !== "string") {
      throw new TypeError("A text is a string.");
    }
    const now = this.#desk.clock.now();
    const entry = newEntry({
      id: this.#desk.newId(),
      text,
      ifHead,
      ground: ifHead === undefined ? undefined : groundAt(this.#view, ifHead),
      participant: this.#desk.participant,
      createdAt: now,
      wantedAt: now,
      place: this.#desk.nextPlace(),
      failure: this.#over ?? refusalOf(text, this.#desk.limits),
    });
    const { command } = this.#faces.of(entry);
    this.#commands.add(entry);
    this.#keep(entry);
    return command;
  }

  /** @param {Entry} entry */
  headFor(entry) {
    return headOn(this.#view, entry);
  }

  /**
   * A room that was left and joined again has found the same command: it decides.
   *
   * @param {Entry} entry
   * @returns {{owner: Owner, entry: Entry}}
   */
  now(entry) {
    const owner = this.#over ? this.#desk.outgoingOf(this.#name) : null;
    const copy = owner ? owner.#commands.find(entry.id) : undefined;
    return owner && copy ? { owner, entry: copy } : { owner: this, entry };
  }

  /** @param {Entry} entry */
  resend(entry) {
    const now = this.#desk.clock.now();
    const isDone = !this.#over && this.#commands.requeue(entry, now, this.#desk.participant);
    if (isDone) {
      this.#keep(entry);
    }
    return isDone;
  }

  /**
   * @param {Entry} entry
   * @param {string} text
   */
  edit(entry, text) {
    const ifHead = this.headFor(entry);
    return entry.state === "failed" && this.discard(entry) ? this.send(text, ifHead) : null;
  }

  /** @param {Entry} entry */
  discard(entry) {
    const isDone = this.#commands.discard(entry);
    if (isDone) {
      this.#desk.keeper.forget(entry.id);
      this.#changed(entry);
    }
    return isDone;
  }

  /**
   * @param {Entry} entry
   * @param {(command: PublicCommand) => void} handler
   * @returns {() => void}
   */
  watch(entry, handler) {
    return this.#faces.of(entry).emitter.on("change", handler);
  }

  /**
   * Before anything of this room is sent on a new socket: what is kept for it is looked up, since
   * nothing may overtake it.
   */
  async load() {
    const participant = this.#desk.participant;
    if (participant === null || this.#over) {
      return;
    }
    const load = ++this.#loads;
    const found = await this.#desk.keeper.find(this.#name, participant);
    if (load !== this.#loads || this.#over) {
      return;
    }
    this.#isLoaded = true;
    this.#commands.restore(found.map(fromStored));
    this.#desk.pump();
  }

  /** The server has said who this is. Commands of somebody else stay kept, and are theirs. */
  signedIn() {
    const participant = this.#desk.participant;
    if (participant !== null) {
      this.#commands.keepOnly(participant);
      this.#commands.claim(participant).forEach((entry) => this.#keep(entry));
    }
  }

  /**
   * Writes what may be written.
   *
   * @param {number} most frames
   */
  pump(most) {
    const limits = this.#desk.limits;
    if (!this.#isLoaded || this.#over || !limits || this.#retry.isPending) {
      return;
    }
    const { clock, maxAgeMs } = this.#desk;
    const now = clock.now();
    const ready = this.#commands.takeReady({ limits, now, maxAgeMs, most, round: this.#round });
    for (const entry of ready) {
      const frame = sendFrame(this.#name, { ...entry, ifHead: this.headFor(entry) });
      if (entry.state !== "sent" || !this.#desk.say(frame)) {
        break; // the socket is gone, and all that was under way with it
      }
    }
    this.#watchOverdue();
  }

  /** An answer that does not come is asked for again; it is a duplicate at worst (A1). */
  #watchOverdue() {
    if (this.#commands.inFlight > 0 && !this.#overdue.isPending) {
      const round = this.#round++;
      this.#overdue.start(this.#desk.ackTimeoutMs, () => {
        this.#commands.repeatOverdue(round);
        this.#desk.pump();
        this.#watchOverdue();
      });
    }
  }

  /** @param {Ack} ack */
  acked(ack) {
    this.#commands.acked(ack);
  }

  /** @param {Refusal} error */
  refused(error) {
    const { generation } = this.#desk;
    const isRepeated = this.#commands.refused(error) === "repeat";
    // Whoever was told of it may have given up this socket, or the room.
    if (isRepeated && !this.#over && generation === this.#desk.generation) {
      // The wait of the last answer counts: those behind a refused one are refused with it.
      this.#retry.start(waitOf(error.retryAfterMs ?? REPEAT_MS), () => this.#desk.pump());
    }
  }

  /** @param {{clientMessageId: string, text: string, seq: number}} message an own one, now in view */
  saw(message) {
    this.#commands.saw(message);
  }

  unsee() {
    this.#commands.unsee();
  }

  /** Somebody else is signed in: theirs are to be looked up first. */
  forget() {
    this.#isLoaded = false;
    this.unsee();
  }

  /** @param {(ack: Answer) => boolean} isCovered */
  settle(isCovered) {
    this.#commands.settle(isCovered);
  }

  lost() {
    this.#retry.stop();
    this.#overdue.stop();
    this.#commands.lose();
  }

  longestInFlight() {
    return this.#commands.longestInFlight();
  }

  /** @param {Entry} entry */
  parkUnreadable(entry) {
    this.#commands.parkUnreadable(entry);
  }

  /**
   * Nothing is sent any more; what is not answered stays kept for the next join.
   *
   * @param {string} code
   */
  end(code) {
    this.#over = { code, message: "This room was left. Join it again to send." };
    this.lost();
  }

  /** @param {Entry} entry one that is to be kept, unless whoever was told of it has discarded it */
  async #keep(entry) {
    if (this.#commands.find(entry.id) !== entry) {
      return;
    }
    await this.#desk.keeper.keep(toStored(entry, this.#name, this.#desk.keeper.owner));
    entry.kept = true;
    this.#desk.pump();
  }

  /** @param {Entry} entry */
  #changed(entry) {
    if (entry.state === "acked") {
      this.#desk.keeper.forget(entry.id);
    } else if (entry.state === "failed" && entry.kept) {
      this.#keep(entry); // with its reason
    }
    const { command, emitter } = this.#faces.of(entry);
    emitter.emit("change", command);
    this.#told();
  }
}
