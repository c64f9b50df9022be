// The tour of docs/operations.md, and its call to try, word for word; what arrives is judged by the
// packages of Standard Webhooks and CloudEvents, which know nothing of us.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { HTTP } from "cloudevents";
import { Webhook } from "standardwebhooks";
import { freePort, Service } from "./service.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const LIMIT_MS = 60_000;
const WHOLE = /POST [\s\S]*\n\n\{.*\}\n/;

let steps;
let shop;
let call;
let service;
let shown = "";
let receiver;

before(async () => {
  const document = await readFile(`${ROOT}docs/operations.md`, "utf8");
  const tour = document.split("\n### See one arrive\n")[1].split("\n### ")[0];
  const blocks = scripts(tour);
  const [, settings] = /^((?:[A-Z_]+=\S+ )+)java -jar target\/quarkus-app\/quarkus-run.jar\n$/.exec(blocks[0]);
  const [exports, tried] = scripts(document.split("\n## Events of other systems\n")[1]);
  const lines = await shell(`${exports}\nenv | grep ^POSTROOM_INBOUND_`);
  shop = Object.fromEntries(lines.trim().split("\n").map((line) => line.split(/=(.*)/s).slice(0, 2)));
  service = await Service.start({
    ...Object.fromEntries(settings.trim().split(" ").map((each) => each.split("="))),
    ...shop,
  });
  call = tried.replaceAll("8080", `${service.port}`);
  const port = await freePort();
  steps = blocks
    .slice(1)
    .map((block) => block.replaceAll("8080", `${service.port}`).replaceAll("9000", `${port}`));
});

after(async () => {
  receiver?.kill();
  await service?.close();
});

const scripts = (text) => [...text.matchAll(/```sh\n(.*?)```/gs)].map((block) => block[1]);

async function shell(script, env = {}) {
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  return (await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], options)).stdout;
}

async function shownAfter(from, pattern) {
  const limit = Date.now() + LIMIT_MS;
  while (!pattern.test(shown.slice(from))) {
    assert.ok(Date.now() < limit, `${pattern} is not in what was shown:\n${shown}`);
    await wait(10);
  }
  return shown.slice(from);
}

/** The request that show.mjs has printed. */
function request(text) {
  const [head, ...rest] = text.slice(text.indexOf("POST ")).split("\n\n");
  const headers = Object.fromEntries(
    head.split("\n").slice(1).map((line) => line.split(/: (.*)/s).slice(0, 2)),
  );
  return { headers, body: rest[0] };
}

test("start, create a sink, send, and the signed event arrives", async () => {
  assert.equal(steps.length, 3);
  receiver = spawn("bash", ["-c", `exec ${steps[0]}`], { cwd: ROOT });
  receiver.stdout.on("data", (text) => (shown += text));
  await once(receiver.stdout, "data");

  const [created, sent] = (await shell(`${steps[1]}\necho\n${steps[2]}`)).split("\n");
  const { secret } = JSON.parse(created);
  const ack = JSON.parse(sent);
  assert.match(secret, /^whsec_/);
  const { headers, body } = request(await shownAfter(0, WHOLE));

  // Code of others: throws unless the signature is good and the time is now.
  new Webhook(secret).verify(body, headers);
  assert.throws(() => new Webhook(secret).verify(`${body} `, headers));
  const event = HTTP.toEvent({ headers, body });
  assert.ok(event.validate());
  assert.equal(event.type, "dev.postroom.message.accepted.v1");
  assert.equal(event.source, "/rooms/tour");
  assert.equal(event.id, headers["webhook-id"]);
  assert.equal(Number(event.sequence), ack.seq);
  assert.equal(event.data.text, "Hello, receiver!");
  assert.equal(event.data.messageId, ack.messageId);

  // "Send the same again": in the same shell, which has the function token.
  const seen = shown.length;
  const tokenOnly = steps[1].split("ADMIN=")[0];
  assert.equal(JSON.parse(await shell(tokenOnly + steps[2])).duplicate, true);
  const more = steps[2].replace("tour-1", "tour-2").replace("Hello, receiver!", "More");
  await shell(tokenOnly + more);
  const later = await shownAfter(seen, /"text":"More"/);
  assert.equal(later.match(/POST /g).length, 1, later);
});

test("the binary form is a CloudEvent too, and signed", async () => {
  const port = await freePort();
  const shows = spawn("node", ["docs/examples/show.mjs", `${port}`], { cwd: ROOT });
  try {
    const before = shown.length;
    shows.stdout.on("data", (text) => (shown += text));
    await once(shows.stdout, "data");
    const admin = await service.token({ participant: "ops", admin: true });
    const url = `http://127.0.0.1:${port}/`;
    const wish = { type: "webhook", name: "Binary", url, rooms: ["bin"], format: "binary" };
    const { secret } = await service.call("POST", "api/sinks", admin, wish);
    const text = "Grüße, 世界 🌍";
    await service.call("POST", "api/rooms/bin/messages", admin, { text }, { "Idempotency-Key": "1" });
    const { headers, body } = request(await shownAfter(before, WHOLE));
    new Webhook(secret).verify(body, headers);
    const event = HTTP.toEvent({ headers, body });
    assert.ok(event.validate());
    assert.equal(event.source, "/rooms/bin");
    assert.equal(event.data.text, text);
  } finally {
    shows.kill();
  }
});

test("an event of another system, signed by openssl: 201, the same again 200, changed 401", async () => {
  const first = await shell(call, shop);
  assert.match(first, /^HTTP\/1\.1 201 /);
  const again = await shell(call, shop);
  assert.match(again, /^HTTP\/1\.1 200 /);
  assert.match(again, /\nIdempotency-Replayed: true\r/i);
  const changed = call.replace('--data-binary "$BODY"', '--data-binary "${BODY/12.50/99.50}"');
  assert.match(await shell(changed, shop), /^HTTP\/1\.1 401 /);
  const signed = /-H "webhook-id[^\\]*\\\n/;
  assert.match(call, signed);
  const bearer = '-H "Authorization: Bearer $POSTROOM_INBOUND_SHOP_TOKEN" \\\n';
  assert.match(await shell(call.replace(signed, () => bearer), shop), /^HTTP\/1\.1 200 /);
  const reader = await service.token({ participant: "reader" });
  const { messages } = await service.call("GET", "api/rooms/orders-north/messages", reader);
  assert.deepEqual(messages.map(({ author, text }) => [author.id, text]), [
    ["inbound:shop", "Order 1001: 12.50 EUR"],
  ]);
});
