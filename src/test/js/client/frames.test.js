// The client's frames against the golden ones, which the server's tests read too.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import {
  authFrame, decode, historyFrame, joinFrame, leaveFrame, pingFrame, sendFrame, subprotocols,
} from "../../../main/resources/META-INF/resources/client/frames.js";

const GOLDEN = new URL("../../resources/golden/", import.meta.url);
const golden = (name) => readFile(new URL(name, GOLDEN), "utf8");

test("PR-03 every golden frame of the server is read, whole", async () => {
  const names = (await readdir(GOLDEN)).filter((name) => name.startsWith("server-"));
  assert.ok(names.length >= 20);
  for (const name of names) {
    const text = await golden(name);
    assert.deepEqual(decode(text), JSON.parse(text), name);
  }
});

test("PR-30 to PR-37 the client's frames are the golden ones", async () => {
  const unicode = JSON.parse(await golden("client-send-unicode.json"));
  const first = { id: "7d1f0a52-9a4e-4a51-8d0e-0d2b6c1f9b11", text: "Good morning" };
  const made = {
    "client-join.json": joinFrame("case-1042", null),
    "client-join-cursor.json": joinFrame("case-1042", { epoch: "5f3a9c0e00000001", after: 17 }),
    "client-leave.json": leaveFrame("case-1042"),
    "client-send.json": sendFrame("case-1042", first),
    "client-send-unicode.json": sendFrame("case-1042", { id: "k3", text: unicode.text }),
    "client-send-if-head.json": sendFrame("case-1042", {
      id: "k2", text: "only if nobody was faster", ifHead: 17,
    }),
    "client-history.json": historyFrame("case-1042", 18),
    "client-history-limit.json": historyFrame("case-1042", Number.MAX_SAFE_INTEGER, 50),
    "client-auth.json": authFrame("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2ln"),
    "client-ping.json": pingFrame(),
  };
  for (const [name, frame] of Object.entries(made)) {
    assert.deepEqual(JSON.parse(JSON.stringify(frame)), JSON.parse(await golden(name)), name);
  }
});

test("PR-03 what a later server says is left out, and unknown fields do no harm", () => {
  assert.equal(decode('{"type":"typing","room":"r"}'), "unknown");
  assert.equal(decode('{"type":"constructor"}'), "unknown");
  assert.equal(decode('{"type":"pong","colour":{"any":[null]}}').type, "pong");
});

test("PR-04 null is a field that was left out", () => {
  const error = '{"type":"error","code":"busy","message":"","temporary":true,"room":null}';
  assert.equal(decode(error).code, "busy");
});

test("S2 what no server should say is told from frames, and never throws", async () => {
  const wrong = [
    "", "null", "[]", "1", '"welcome"', "{", "{}", '{"type":7}', new ArrayBuffer(3), undefined,
    '{"type":"welcome"}', '{"type":"ack","room":"r"}', '{"type":"delta","room":"r","epoch":"e"}',
    '{"type":"snapshot","room":"r","epoch":"","after":0,"messages":[],"earlier":false}',
    '{"type":"snapshot","room":"r","epoch":"e","after":-1,"messages":[],"earlier":false}',
    '{"type":"snapshot","room":"r","epoch":"e","after":1,"messages":[null],"earlier":false}',
  ];
  wrong.forEach((text) => assert.equal(decode(text), "malformed", String(text)));
  const snapshot = JSON.parse(await golden("server-snapshot.json"));
  snapshot.messages.reverse();
  assert.equal(decode(JSON.stringify(snapshot)), "malformed", "N3 ascending");
  delete snapshot.messages[0].author;
  assert.equal(decode(JSON.stringify(snapshot)), "malformed");
});

test("PR-21 the token goes into the second sub-protocol", () => {
  assert.deepEqual(subprotocols("a.b.c"), [
    "postroom.v1", "quarkus-http-upgrade%23Authorization%23Bearer%20a.b.c",
  ]);
});
