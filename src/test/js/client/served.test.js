// The client's files as they are served and published: types that are true, comments on all that is
// public, no dependencies, small.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import ts from "typescript";

const CLIENT = new URL("../../../main/resources/META-INF/resources/client/", import.meta.url);
const TESTS = new URL("./", import.meta.url);
const CONFIG = fileURLToPath(new URL("../tsconfig.json", import.meta.url));

const texts = async (directory, pattern) => {
  const names = (await readdir(directory)).filter((name) => pattern.test(name));
  return Promise.all(names.map(async (name) => [name, await readFile(new URL(name, directory), "utf8")]));
};

test("the types are true of the sources, and the sources of the types", () => {
  const { config } = ts.readConfigFile(CONFIG, ts.sys.readFile);
  const directory = fileURLToPath(new URL("../", import.meta.url));
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, directory);
  assert.ok(fileNames.length > 15);
  const found = ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options));
  assert.deepEqual(found.map(({ file, start, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start).line;
    return `${file?.fileName}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  }), []);
});

test("every public member has its comment", async () => {
  const name = "postroom.d.ts";
  const text = await readFile(new URL(name, CLIENT), "utf8");
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const bare = [];
  let seen = 0;
  const look = (node) => {
    seen++;
    if (!ts.getJSDocCommentsAndTags(node).length) {
      bare.push(node.getText().split("\n")[0]);
    }
    if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) {
      node.members.forEach(look);
    }
  };
  file.statements.forEach(look);
  assert.ok(seen > 100);
  assert.deepEqual(bare, []);
});

test("no dependencies: each module imports only its neighbours, by names that a server finds", async () => {
  const modules = await texts(CLIENT, /\.js$/);
  const names = modules.map(([name]) => `./${name}`);
  for (const [name, text] of modules) {
    for (const [, imported] of text.matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)";$/gm)) {
      assert.ok(names.includes(imported), `${name}: ${imported}`);
    }
    assert.doesNotMatch(text, /\bimport\(|\beval\(|innerHTML/, name);
  }
  const published = JSON.parse(await readFile(new URL("package.json", CLIENT), "utf8"));
  assert.equal(published.dependencies, undefined);
  assert.equal(published.exports["."].default, "./index.js");
});

test("files stay small", async (context) => {
  const modules = await texts(CLIENT, /\.(js|ts)$/);
  const tests = await texts(TESTS, /\.js$/);
  for (const [name, text] of [...modules.filter(([each]) => /\.js$/.test(each)), ...tests]) {
    assert.ok(text.split("\n").length <= 301, `${name} has more than 300 lines`);
  }
  const served = modules.filter(([name]) => /\.js$/.test(name));
  const bytes = served.reduce((sum, [, text]) => sum + gzipSync(text).length, 0);
  const together = gzipSync(served.map(([, text]) => text).join("")).length;
  context.diagnostic(`${served.length} files, gzipped ${bytes} bytes, in one ${together}`);
});
