// docs/examples/receiver/receiver.js against the packaged service: both are killed, and in the end
// the receiver's table has every message once and in order (X1, X2, D16, D17).
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort, Service } from "./service.js";

const EXAMPLE = fileURLToPath(new URL("../../../docs/examples/receiver/", import.meta.url));
const { Client } = createRequire(`${EXAMPLE}receiver.js`)("pg");
const ROOMS = ["case-1", "case-2"];
const MESSAGES = 120;
const LIMIT_MS = 120_000;

let service;
let admin;
let receiver;
let environment;

before(async () => {
  service = await Service.start({
    POSTROOM_WEBHOOK_ALLOW: "127.0.0.0/8",
    // What is away for seconds here is looked for again as soon.
    POSTROOM_RELAY_LEASE: "3S",
    POSTROOM_RELAY_SWEEP: "1S",
    POSTROOM_RELAY_CIRCUIT_MAX: "1S",
    POSTROOM_RELAY_SCHEDULE: Array(30).fill("1S").join(","),
  });
  await query("postgres", "CREATE DATABASE inbox");
  admin = await service.token({ participant: "ops", name: "Ops", admin: true });
  const port = await freePort();
  const wish = { type: "webhook", name: "Example", url: `http://127.0.0.1:${port}/`, rooms: ["case-*"] };
  const sink = await service.call("POST", "api/sinks", admin, wish);
  environment = {
    ...process.env,
    PORT: `${port}`,
    WEBHOOK_SECRET: sink.secret,
    POSTROOM_URL: service.url.replace(/\/$/, ""),
    POSTROOM_SINK: sink.id,
    POSTROOM_TOKEN: admin,
  };
});

after(async () => {
  receiver?.kill("SIGKILL");
  await service?.close();
});

async function query(database, sql) {
  const client = new Client({ connectionString: await service.databaseUrl(database) });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function startReceiver() {
  const DATABASE_URL = await service.databaseUrl("inbox");
  receiver = spawn(process.execPath, ["receiver.js"], {
    cwd: EXAMPLE,
    env: { ...environment, DATABASE_URL },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(receiver.stdout, "data");
}

async function killReceiver() {
  const ended = once(receiver, "exit");
  receiver.kill("SIGKILL");
  await ended;
}

async function send(room, n) {
  const limit = Date.now() + LIMIT_MS;
  for (;;) {
    try {
      // Two texts in turn: equal texts are different messages.
      return await service.call("POST", `api/rooms/${room}/messages`, admin, { text: `text ${n % 2}` }, {
        "Idempotency-Key": `k${n}`,
      });
    } catch (failure) {
      assert.ok(Date.now() < limit, failure);
      await wait(50);
    }
  }
}

const received = (room) =>
  query("inbox", `SELECT seq::int, author, text FROM received WHERE room = '${room}' ORDER BY no`);

async function receivedAll(room, count) {
  const limit = Date.now() + LIMIT_MS;
  for (;;) {
    const rows = await received(room);
    if (rows.length >= count) {
      return rows;
    }
    assert.ok(Date.now() < limit, `${rows.length} of ${count} were received in ${room}`);
    await wait(100);
  }
}

const wanted = (count) =>
  Array.from({ length: count }, (_, n) => ({ seq: n + 1, author: "Ops", text: `text ${n % 2}` }));

test("receiver and service are killed while messages flow: each once and in order", async () => {
  await startReceiver();
  for (let n = 0; n < MESSAGES; n++) {
    for (const room of ROOMS) {
      await send(room, n);
    }
    if (n % 25 === 24) {
      await killReceiver();
      await startReceiver();
    }
    if (n === 60) {
      // The receiver's database goes with it: it is the service's own server.
      await service.kill();
      await killReceiver();
      await service.start();
      await startReceiver();
    }
  }
  for (const room of ROOMS) {
    assert.deepEqual(await receivedAll(room, MESSAGES), wanted(MESSAGES));
  }
});

test("a hole is fetched from the service", async () => {
  // As if the receiver had been put back to an older state of its database.
  await query(
    "inbox",
    `BEGIN; DELETE FROM received WHERE seq > 20; DELETE FROM inbox;
     UPDATE inbox_room SET last_seq = 20; COMMIT`,
  );
  await send(ROOMS[0], MESSAGES);
  assert.deepEqual(await receivedAll(ROOMS[0], MESSAGES + 1), wanted(MESSAGES + 1));
});

test("W12: what is not signed is refused", async () => {
  const answer = await fetch(`http://127.0.0.1:${environment.PORT}/`, { method: "POST", body: "{}" });
  assert.equal(answer.status, 401);
});
