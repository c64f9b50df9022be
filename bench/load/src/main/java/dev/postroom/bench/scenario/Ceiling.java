package dev.postroom.bench.scenario;

import dev.postroom.bench.Case;
import dev.postroom.bench.Options;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Scenario;
import dev.postroom.bench.peer.Peers;
import java.util.List;

/** How fast the generator itself can be, against a server that only echoes. */
final class Ceiling implements Scenario {

  @Override
  public String name() {
    return "ceiling";
  }

  @Override
  public String about() {
    return "the generator's own limit: 200 and 20,000 sockets against an echo server";
  }

  @Override
  public List<Case> cases(Options options, List<Peer> peers) {
    Peer echo = Peers.named("echo");
    return List.of(
        new FleetCase("200 sockets, 100 B", echo, 100, stage -> Accept.play(stage, 200, 1)),
        new FleetCase("200 sockets, 2 KB", echo, 2048, stage -> Accept.play(stage, 200, 1)),
        new FleetCase("20,000 sockets, 100 B", echo, 100, stage -> Accept.play(stage, 20_000, 1)));
  }
}
