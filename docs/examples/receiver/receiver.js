// A receiver of Postroom's webhooks: every message once, in order, whatever crashes when.
// docs/receiving.md explains it.
//
//   npm ci
//   DATABASE_URL=postgresql://… WEBHOOK_SECRET=whsec_… node receiver.js
//
// With POSTROOM_URL, POSTROOM_SINK and POSTROOM_TOKEN (of an admin) it fetches what is missing.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";

const { DATABASE_URL, WEBHOOK_SECRET, POSTROOM_URL, POSTROOM_SINK, POSTROOM_TOKEN } = process.env;
for (const [name, value] of Object.entries({ DATABASE_URL, WEBHOOK_SECRET })) {
  if (!value) {
    console.error(`${name} is not set: see the head of receiver.js.`);
    process.exit(1);
  }
}
const PORT = Number(process.env.PORT ?? 9000);
const CONSUMER = process.env.CONSUMER ?? "example";
const TOLERANCE_SECONDS = 5 * 60;
const LARGEST_BODY = 1 << 20;
const MESSAGE = "dev.postroom.message.accepted.v1";
const GAP = "dev.postroom.room.gap.v1";

const TABLES = `
  CREATE TABLE IF NOT EXISTS inbox (
    consumer text, source text, event_id text, seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, source, event_id));
  CREATE TABLE IF NOT EXISTS inbox_room (
    consumer text, source text, epoch text, last_seq bigint NOT NULL,
    PRIMARY KEY (consumer, source, epoch));
  CREATE TABLE IF NOT EXISTS inbox_hole (
    consumer text, source text, epoch text, seq bigint,
    PRIMARY KEY (consumer, source, epoch, seq));
  CREATE TABLE IF NOT EXISTS received (
    no bigint GENERATED ALWAYS AS IDENTITY, room text NOT NULL, seq bigint NOT NULL,
    author text NOT NULL, text text NOT NULL)`;

// What a message does here: replace this by what it is to do for you. It may use the transaction
// only: what it does elsewhere cannot be taken back, and will be done again.
async function apply(transaction, { data }) {
  await transaction.query(
    "INSERT INTO received (room, seq, author, text) VALUES ($1, $2, $3, $4)",
    [data.room, data.seq, data.author.name, data.text],
  );
}

const pool = new pg.Pool({ connectionString: DATABASE_URL });
// A connection that breaks while idle is replaced; without a listener it would end the process.
pool.on("error", () => {});

/** One event in one transaction: "taken", "repeat", or "ahead" of numbers that are missing. */
async function take(event) {
  const transaction = await pool.connect();
  let broken;
  try {
    await transaction.query("BEGIN");
    const verdict = await judge(transaction, event);
    await transaction.query(verdict === "ahead" ? "ROLLBACK" : "COMMIT");
    return verdict;
  } catch (failure) {
    broken = failure;
    throw failure;
  } finally {
    // A connection that has failed is closed, and its transaction with it.
    transaction.release(broken);
  }
}

async function judge(transaction, event) {
  const wall = [CONSUMER, event.source, event.data.epoch];
  const seq = Number(event.sequence);
  // Waits for a delivery of the same event that is under way, whichever way that ends.
  const seen = await transaction.query(
    "INSERT INTO inbox (consumer, source, event_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [CONSUMER, event.source, event.id],
  );
  if (seen.rowCount === 0) {
    return "repeat";
  }
  // The first event of an epoch says where the wall begins.
  await transaction.query(
    "INSERT INTO inbox_room (consumer, source, epoch, last_seq) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
    [...wall, seq - 1],
  );
  const last = await lastSeq(transaction, wall);
  if (seq <= last) {
    return (await fillsHole(transaction, event, wall, seq)) ? "taken" : "repeat";
  }
  if (seq > last + 1) {
    return "ahead";
  }
  if (event.type === GAP) {
    for (const missing of event.data.missing) {
      await transaction.query(
        "INSERT INTO inbox_hole (consumer, source, epoch, seq) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        [...wall, missing],
      );
    }
  } else {
    await apply(transaction, event);
  }
  await transaction.query(
    "UPDATE inbox_room SET last_seq = $4 WHERE consumer = $1 AND source = $2 AND epoch = $3",
    [...wall, seq],
  );
  return "taken";
}

async function lastSeq(connection, wall) {
  const found = await connection.query(
    "SELECT last_seq FROM inbox_room WHERE consumer = $1 AND source = $2 AND epoch = $3 FOR UPDATE",
    wall,
  );
  return Number(found.rows[0].last_seq);
}

/** Below the wall only what fills a hole is news. */
async function fillsHole(transaction, event, wall, seq) {
  if (event.late !== true) {
    return false;
  }
  const filled = await transaction.query(
    "DELETE FROM inbox_hole WHERE consumer = $1 AND source = $2 AND epoch = $3 AND seq = $4",
    [...wall, seq],
  );
  if (filled.rowCount === 1) {
    await apply(transaction, event);
  }
  return filled.rowCount === 1;
}

/** Takes an event; what is missing before it is fetched and taken first. */
async function receive(event) {
  const verdict = await take(event);
  if (verdict !== "ahead" || !POSTROOM_URL) {
    return verdict;
  }
  const wall = [CONSUMER, event.source, event.data.epoch];
  let next = 1 + (await lastSeq(pool, wall));
  while (next < Number(event.sequence)) {
    const page = await fetchFrom(event.data, next);
    for (const missing of page) {
      await take(missing);
    }
    if (page.length === 0) {
      break;
    }
    next = 1 + Number(page.at(-1).sequence);
  }
  return take(event);
}

async function fetchFrom({ room, epoch }, from) {
  const query = new URLSearchParams({ room, epoch, from, limit: 200 });
  const answer = await fetch(`${POSTROOM_URL}/api/sinks/${POSTROOM_SINK}/events?${query}`, {
    headers: { Authorization: `Bearer ${POSTROOM_TOKEN}` },
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) {
    throw new Error(`GET events: ${answer.status}`);
  }
  return answer.json();
}

/** Standard Webhooks: over the exact bytes, by this secret, not long ago. */
function isSigned(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!id || !signatures || !/^\d{1,12}$/.test(timestamp ?? "")) {
    return false;
  }
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    return false;
  }
  const key = Buffer.from(WEBHOOK_SECRET.slice("whsec_".length), "base64");
  const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body);
  const expected = Buffer.from(`v1,${hmac.digest("base64")}`);
  // Several while a secret is rotated.
  return signatures
    .split(" ")
    .map((each) => Buffer.from(each))
    .some((each) => each.length === expected.length && timingSafeEqual(each, expected));
}

async function bytesOf(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LARGEST_BODY) {
      throw new Error("the body is too long");
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Success only for what is committed here; everything else comes again. */
async function status(request) {
  const body = await bytesOf(request);
  if (!isSigned(request.headers, body)) {
    return 401;
  }
  const event = JSON.parse(body);
  if (event.type !== MESSAGE && event.type !== GAP) {
    return 204;
  }
  return (await receive(event)) === "ahead" ? 503 : 204;
}

await pool.query(TABLES);
createServer(async (request, response) => {
  response.statusCode = await status(request).catch((failure) => {
    console.error(failure.message);
    return 500;
  });
  response.end();
}).listen(PORT, "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${PORT}/`));
