// Holds docs/asyncapi.yaml against the AsyncAPI parser and the golden frames; its names are held
// against the Java types by AsyncApiTest.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { before, test } from "node:test";
import { Parser } from "@asyncapi/parser";
import Ajv from "ajv";
import addFormats from "ajv-formats";

const document = new URL("../../../docs/asyncapi.yaml", import.meta.url);
const goldens = new URL("../resources/golden/", import.meta.url);

let parsed;

before(async () => {
  parsed = await new Parser().parse(await readFile(document, "utf8"));
});

test("the AsyncAPI parser accepts the document and has nothing to say", () => {
  const findings = parsed.diagnostics
    // Level 2 is advice: that a newer AsyncAPI exists.
    .filter((finding) => finding.severity < 2)
    .map((finding) => `${finding.path.join("/")}: ${finding.message}`);
  assert.deepEqual(findings, []);
  assert.ok(parsed.document);
});

test("every golden frame fits the schema of its message, and every message has a golden", async () => {
  const schemas = new Map();
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  for (const message of parsed.document.components().messages()) {
    const direction = message.id().startsWith("client") ? "client" : "server";
    schemas.set(`${direction} ${message.name()}`, ajv.compile(message.payload().json()));
  }
  const seen = new Set();
  for (const file of (await readdir(goldens)).sort()) {
    const direction = /^(client|server)-/.exec(file)?.[1];
    if (direction) {
      const frame = JSON.parse(await readFile(new URL(file, goldens), "utf8"));
      const fits = schemas.get(`${direction} ${frame.type}`);
      assert.ok(fits, `${file} has a message in the document`);
      assert.ok(fits(frame), `${file}: ${JSON.stringify(fits.errors)}`);
      seen.add(`${direction} ${frame.type}`);
    }
  }
  assert.deepEqual([...seen].sort(), [...schemas.keys()].sort());
});

test("bad golden frames that are JSON objects do not fit, unless the fault is not the schema's", async () => {
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  const messages = parsed.document.components().messages().all();
  const rows = JSON.parse(await readFile(new URL("bad-frames.json", goldens), "utf8"));
  for (const row of rows.filter((each) => each.field)) {
    const frame = JSON.parse(row.text);
    const message = messages.find(
      (each) => each.id().startsWith("client") && each.name() === frame.type,
    );
    // 1.0 is an integer to every reader in JavaScript, JSON Schema included.
    if (message && !row.text.includes("1.0")) {
      assert.equal(ajv.compile(message.payload().json())(frame), false, row.name);
    }
  }
});
