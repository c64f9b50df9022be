package dev.postroom.sink.webhook;

import io.vertx.core.Future;
import java.net.InetAddress;
import java.util.List;

/** Which addresses a host has at the moment. */
interface Names {

  /**
   * Looks the host up; never blocks the caller.
   *
   * @return at least one; a failure where there is none
   */
  Future<List<InetAddress>> addresses(String host);
}
