package dev.postroom.bench.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for services that cannot say which one they chose. */
final class Ports {

  private Ports() {}

  /** A free one, below those that the system gives to clients. */
  static int free() {
    for (int tries = 0; tries < 1_000; tries++) {
      int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        // The next one, then.
      }
    }
    throw new IllegalStateException("no free port");
  }
}
