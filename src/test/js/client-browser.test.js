// The served client in a real browser against the packaged service: what only a browser has, such as
// reloads, crashes, tabs, IndexedDB, Web Locks and the back/forward cache.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Bench } from "./browser/bench.js";
import { connections } from "./browser/connections.js";
import { examples } from "./browser/examples.js";
import { storages } from "./browser/storages.js";
import { tabs } from "./browser/tabs.js";

const DOCS = fileURLToPath(new URL("../../../docs/", import.meta.url));
const { Client: Database } = createRequire(`${DOCS}examples/receiver/receiver.js`)("pg");
const bench = new Bench();

before(() => bench.start({
  POSTROOM_ACCEPT_RATE: "0",
  POSTROOM_ACCESS_DEVELOPMENT_TOKEN_LIFE: "12S",
}));
after(() => bench.close());

describe("the client in a browser", { concurrency: 4 }, () => {
  connections(bench);
  storages(bench);
  tabs(bench);
  examples(bench);
});

test("R4 another epoch: the list is replaced, what is pending is sent, the store is empty", () =>
  bench.person(async (context, open) => {
    const tab = await open({ room: "epoch" });
    await tab.send("before");
    await tab.settled(1);
    const [epoch, resets] = await tab.page.evaluate(() => [room.cursor.epoch, resets]);
    const operations = await readFile(`${DOCS}operations.md`, "utf8");
    const [, statement] = /```sql\n(INSERT INTO lineage[^`]*)```/.exec(operations);
    const database = new Database({ connectionString: await bench.service.databaseUrl("postgres") });
    await database.connect();
    await database.query(statement);
    await database.end();
    const ids = await tab.send("after", "and after");
    await tab.until((old) => room.cursor?.epoch !== old, epoch);
    await tab.settled(3);
    assert.ok((await tab.see("resets")) > resets);
    assert.deepEqual(await tab.list(), await bench.log("epoch"));
    assert.deepEqual(await tab.kept(), []);
    assert.ok((await tab.sends()).includes(ids[0]));
    assert.deepEqual(await bench.texts("epoch"), ["before", "after", "and after"]);
  }));
