package dev.postroom.bench.peer;

import dev.postroom.bench.Peer;
import java.util.List;

/** All peers. A new one is added here. */
public final class Peers {
  private static final List<Peer> ALL =
      List.of(
          new PostroomPeer(),
          new NodePeer("socketio", new SocketIoWire()),
          new NodePeer("byhand", new ByHandWire()),
          new EchoPeer());

  private Peers() {}

  public static Peer named(String name) {
    return ALL.stream()
        .filter(peer -> peer.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no peer " + name + ", but " + ALL.stream().map(Peer::name).toList()));
  }
}
