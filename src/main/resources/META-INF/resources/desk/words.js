// What the page says, in the reader's language.

import { en } from "./words-en.js";
import { ru } from "./words-ru.js";

const DICTIONARIES = { en, ru };
/** Around what people wrote: a name from right to left must not turn the sentence about it. */
const ISOLATE = "\u2068";
const END = "\u2069";

/** The first tag (`en-GB`) that the reader wants, of those whose language the page has. */
export function localeOf(wanted) {
  return wanted.find((tag) => tag.toLowerCase().split("-")[0] in DICTIONARIES) ?? "en";
}

export class Words {
  #dictionary;
  #plural;
  #number;
  #time;
  #day;
  #full;

  /** @param {string} locale a tag of `en` or `ru`: the words are the language's, dates the region's */
  constructor(locale) {
    this.language = locale.toLowerCase().split("-")[0];
    this.#dictionary = DICTIONARIES[this.language];
    this.#plural = new Intl.PluralRules(locale);
    this.#number = new Intl.NumberFormat(locale);
    this.#time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
    this.#day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long" });
    this.#full = new Intl.DateTimeFormat(locale, { dateStyle: "long" });
  }

  /** The entry, with `{name}` replaced; one with plural forms is chosen by the value `n`. */
  say(key, values = {}) {
    const entry = this.#dictionary[key];
    if (entry === undefined) {
      throw new Error(`There is no text "${key}".`);
    }
    const text = typeof entry === "string" ? entry : (entry[this.#plural.select(values.n)] ?? entry.other);
    return text.replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name];
      return typeof value === "number" ? this.#number.format(value) : `${ISOLATE}${value}${END}`;
    });
  }

  /** Whether there is such an entry. */
  has(key) {
    return key in this.#dictionary;
  }

  time(date) {
    return this.#time.format(date);
  }

  /** Today, yesterday, or the date. */
  day(date, now = new Date()) {
    const days = Math.round((midnight(now) - midnight(date)) / 86_400_000);
    if (days === 0 || days === 1) {
      return this.say(days === 0 ? "today" : "yesterday");
    }
    return (date.getFullYear() === now.getFullYear() ? this.#day : this.#full).format(date);
  }

  /** The time of today, else the day. */
  shortly(date, now = new Date()) {
    return midnight(date) === midnight(now) ? this.time(date) : this.day(date, now);
  }
}

function midnight(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
