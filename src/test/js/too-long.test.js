// TXT-03: texts that the server would refuse, or not even be able to read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Room } from "../../main/resources/META-INF/resources/postroom-room.js";
import {
  LIMITS, PlayedSocket, turn, last, welcome,
  snapshot, delta, body, ack, joined, rejoined,
} from "./played.js";

test("TXT-03 a text over the server's limit is refused here, with the reason; others go on", async () => {
  const room = await joined();
  const most = "ü".repeat(LIMITS.textBytes / 2);
  room.send(`${most}!`, "long");
  room.send(most, "fits");
  assert.deepEqual(last().sends, ["fits"]);
  const [answer] = room.answers.get("long");
  assert.equal(answer.code, "too_large");
  assert.match(answer.message, /16385 bytes; 16384 /);
  assert.deepEqual(room.pending.map((command) => command.clientMessageId), ["fits"]);
});

test("TXT-03 what was written before the limit was known is refused when it is", async () => {
  const room = new Room({
    url: "ws://x/ws", room: "r", getToken: async () => "t", changed() {},
    openSocket: (url, protocols) => new PlayedSocket(url, protocols),
  });
  room.send("x".repeat(200_000), "long");
  room.send("short", "short");
  room.start();
  await turn();
  last().open();
  last().hear(welcome, snapshot(0));
  assert.deepEqual(last().sends, ["short"]);
  assert.equal(room.answers.get("long")[0].code, "too_large");
});

test("TXT-03 closes: 1009 ends the longest command under way, the others are sent again", async () => {
  const room = await joined();
  ["a", "b", "c"].forEach((id) => room.send(id === "b" ? "\u0001".repeat(16384) : id, id));
  last().hear(ack("a", 1));
  last().onclose({ code: 1009, reason: "" });
  await rejoined(room, delta(1, [body(1, "a")]));
  assert.deepEqual(last().sends, ["c"]);
  assert.equal(room.answers.get("b")[0].code, "too_large");
  last().onclose({ code: 1009, reason: "" });
  await rejoined(room, delta(1));
  assert.deepEqual(room.pending, [], "no loop, whatever is too long");
});
