// The words of the desk page: the same keys in every language, all of them used, none missing.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { Words, localeOf } from "../../main/resources/META-INF/resources/desk/words.js";
import { en } from "../../main/resources/META-INF/resources/desk/words-en.js";
import { ru } from "../../main/resources/META-INF/resources/desk/words-ru.js";

const DESK = new URL("../../main/resources/META-INF/resources/desk/", import.meta.url);
const forms = (entry) => (typeof entry === "string" ? [entry] : Object.values(entry));
const slots = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test("both languages have the same keys with the same places for values", () => {
  assert.deepEqual(Object.keys(ru), Object.keys(en));
  for (const [key, entry] of Object.entries(en)) {
    const wanted = slots(forms(entry).at(-1));
    for (const form of forms(ru[key])) {
      assert.deepEqual(slots(form), wanted, key);
    }
    if (typeof entry === "object") {
      assert.deepEqual(Object.keys(ru[key]), ["one", "few", "many", "other"], key);
      assert.deepEqual(Object.keys(entry), ["one", "other"], key);
    }
  }
});

test("every key is used somewhere, and every key that is used is there", async () => {
  const names = (await readdir(DESK)).filter((name) => /\.js$/.test(name) && !/^(words-|drill)/.test(name));
  const sources = await Promise.all(names.map((name) => readFile(new URL(name, DESK), "utf8")));
  const all = sources.join("\n");
  for (const key of Object.keys(en)) {
    const stem = /^(connection|failed|left)_/.exec(key)?.[0];
    assert.ok(all.includes(`"${key}"`) || (stem && all.includes(`\`${stem}\${`)), key);
  }
  for (const [, key] of all.matchAll(/\bsay\("(\w+)"/g)) {
    assert.ok(key in en, key);
  }
});

test("plural forms, isolated names, and the reader's first language that there is", () => {
  const russian = new Words("ru-RU");
  const counted = [1, 2, 5, 11, 21, 102].map((n) => russian.say("newBelow", { n }));
  assert.deepEqual(counted, ["1 новое сообщение", "2 новых сообщения", "5 новых сообщений",
    "11 новых сообщений", "21 новое сообщение", "102 новых сообщения"]);
  const english = new Words("en");
  assert.equal(english.say("newBelow", { n: 1 }), "1 new message");
  assert.equal(english.say("lastMessage", { name: "ليلى", text: "hi" }), "\u2068ليلى\u2069: \u2068hi\u2069");
  assert.equal(localeOf(["de-AT", "ru-RU", "en"]), "ru-RU");
  assert.equal(localeOf(["ja"]), "en");
  assert.throws(() => english.say("none"));
});
