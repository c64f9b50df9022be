// How far each case was read on this machine: per participant, shared by its tabs, kept over visits.

const MOST = 2_000;

export class Marks {
  #key;
  /** @type {Map<string, {epoch: string, seq: number}>} */
  #marks;
  #stop;

  /** @param {() => void} changed called when another tab has read on */
  constructor(participant, changed) {
    this.#key = `postroom.read.${participant}`;
    this.#marks = this.#load();
    const heard = ({ key }) => {
      if (key === this.#key) {
        this.#marks = this.#load();
        changed();
      }
    };
    addEventListener("storage", heard);
    this.#stop = () => removeEventListener("storage", heard);
  }

  /** The last number that was seen of a room in this epoch; 0 where nothing was. */
  seen(room, epoch) {
    const mark = this.#marks.get(room);
    return mark?.epoch === epoch ? mark.seq : 0;
  }

  /** The last number that was seen, in whatever epoch; null where nothing was. */
  last(room) {
    return this.#marks.get(room)?.seq ?? null;
  }

  /** @returns whether that was news */
  see(room, { epoch, after }) {
    const mark = this.#marks.get(room);
    if (mark?.epoch === epoch && mark.seq >= after) {
      return false;
    }
    this.#marks.delete(room); // the latest ones are last, and outlive the others
    this.#marks.set(room, { epoch, seq: after });
    this.#save();
    return true;
  }

  close() {
    this.#stop();
  }

  #load() {
    try {
      return new Map(JSON.parse(localStorage.getItem(this.#key) ?? "[]"));
    } catch {
      return new Map();
    }
  }

  #save() {
    try {
      localStorage.setItem(this.#key, JSON.stringify([...this.#marks].slice(-MOST)));
    } catch {
      // Without storage a reload counts anew.
    }
  }
}
