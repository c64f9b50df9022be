// The packaged service as a process that a test may kill and start again, always on the same port
// and data.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const JAR =
  process.env.POSTROOM_JAR ??
  fileURLToPath(new URL("../../../target/quarkus-app/quarkus-run.jar", import.meta.url));
const JAVA = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, "bin", "java") : "java";
const READY_LIMIT_MS = 120_000;
/** These live for seconds: without the second compiler they start in half of it. */
const QUICK_START = "-XX:TieredStopAtLevel=1";

export class Service {
  #data;
  #port;
  #settings = {};
  #process = null;
  #output = "";

  /** With these environment variables besides. */
  static async start(settings = {}) {
    if (!existsSync(JAR)) {
      throw new Error(`There is no ${JAR}. Build it first: mvn package`);
    }
    const service = new Service();
    service.#settings = settings;
    service.#data = await mkdtemp(join(tmpdir(), "postroom-page-"));
    service.#port = await freePort();
    await service.start();
    return service;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}/`;
  }

  get port() {
    return this.#port;
  }

  /** Of the embedded server, for a database of the test's own; the port changes at each start. */
  async databaseUrl(name) {
    const password = (await readFile(join(this.#data, "password"), "utf8")).trim();
    const postmaster = await readFile(join(this.#data, "cluster", "postmaster.pid"), "utf8");
    return `postgresql://postroom:${password}@127.0.0.1:${postmaster.split("\n")[3]}/${name}`;
  }

  /** The JSON that is answered; anything but success is an error. */
  async call(method, path, token, body, headers = {}) {
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        "Content-Type": "application/json",
        ...(token && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) {
      throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    }
    return answer.json();
  }

  async token(wish) {
    return (await this.call("POST", "dev/tokens", null, wish)).token;
  }

  /** Once more after a kill or a stop, with these environment variables besides. */
  async start(settings = {}) {
    const own = { POSTROOM_DATA: this.#data, QUARKUS_HTTP_PORT: `${this.#port}` };
    const env = { ...process.env, ...this.#settings, ...settings, ...own };
    this.#process = spawn(JAVA, [QUICK_START, "-jar", JAR], { env, stdio: ["ignore", "pipe", "pipe"] });
    this.#process.stdout.on("data", (text) => (this.#output += text));
    this.#process.stderr.on("data", (text) => (this.#output += text));
    const limit = Date.now() + READY_LIMIT_MS;
    while (!(await this.#isReady())) {
      if (this.#process.exitCode !== null || Date.now() > limit) {
        throw new Error(`The service did not become ready:\n${this.#output}`);
      }
      await wait(100);
    }
  }

  async #isReady() {
    return fetch(`${this.url}q/health/ready`).then((answer) => answer.ok, () => false);
  }

  /** What a power cut does to the process. */
  async kill() {
    await this.#end("SIGKILL");
  }

  /** As an operator does it, or Ctrl-C: it says goodbye first. */
  async stop() {
    await this.#end("SIGTERM");
  }

  /** Stops it and removes its data. */
  async close() {
    await this.#end("SIGTERM");
    await rm(this.#data, { recursive: true, force: true });
  }

  async #end(signal) {
    if (this.#process?.exitCode === null && this.#process.signalCode === null) {
      const ended = once(this.#process, "exit");
      this.#process.kill(signal);
      await ended;
    }
  }
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}
