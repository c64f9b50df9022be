// A network between a browser and the service that a test may cut and mend: plain TCP.
import { once } from "node:events";
import { connect, createServer } from "node:net";

export class Relay {
  #target;
  #port = 0;
  #server = null;
  #sockets = new Set();

  /** @param target the service's port */
  static async to(target) {
    const relay = new Relay();
    relay.#target = target;
    await relay.mend();
    return relay;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}/`;
  }

  /** Everything under way is gone, and nobody answers. */
  cut() {
    this.#server.close();
    this.#sockets.forEach((socket) => socket.destroy());
  }

  async mend() {
    this.#server = createServer((near) => {
      const far = connect(this.#target, "127.0.0.1");
      for (const [one, other] of [[near, far], [far, near]]) {
        this.#sockets.add(one);
        one.pipe(other);
        one.on("error", () => {}); // a close follows
        one.on("close", () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
    });
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = this.#server.address().port;
  }
}
