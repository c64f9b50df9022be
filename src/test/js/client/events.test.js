// Who is told what, in which order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../../main/resources/META-INF/resources/client/events.js";
import { Turns } from "../../../main/resources/META-INF/resources/client/turns.js";

test("what a handler causes is told after what it was told, to everybody in one order", () => {
  const turns = new Turns();
  const [one, other] = [new Emitter(turns, assert.fail), new Emitter(turns, assert.fail)];
  const heard = [];
  one.on("change", (value) => value < 3 && other.emit("change", value + 1));
  one.on("change", (value) => heard.push(`one ${value}`));
  other.on("change", (value) => one.emit("change", value + 1));
  other.on("change", (value) => heard.push(`other ${value}`));
  one.emit("change", 1);
  assert.deepEqual(heard, ["one 1", "other 2", "one 3"]);
});

test("a handler that throws is reported, and the others are told", () => {
  const errors = [];
  const emitter = new Emitter(new Turns(), (error) => errors.push([error.code, error.cause.message]));
  const heard = [];
  emitter.on("change", () => { throw new Error("mine"); });
  emitter.on("change", (value) => heard.push(value));
  emitter.emit("change", 1);
  emitter.emit("change", 2);
  assert.deepEqual([heard, errors], [[1, 2], [["handler", "mine"], ["handler", "mine"]]]);
});

test("each handler ends by itself, also in the middle of being told", () => {
  const emitter = new Emitter(new Turns(), assert.fail);
  const heard = [];
  const handler = (value) => heard.push(value);
  const end = emitter.on("change", handler);
  emitter.on("change", () => endLast());
  const endLast = emitter.on("change", handler);
  emitter.emit("change", 1);
  end();
  emitter.emit("change", 2);
  assert.deepEqual(heard, [1]);
});
