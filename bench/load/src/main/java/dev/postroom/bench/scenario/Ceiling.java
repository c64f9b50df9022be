package dev.postroom.bench.scenario;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.postroom.bench.Case;
import dev.postroom.bench.Options;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Scenario;
import dev.postroom.bench.peer.Peers;
import java.lang.management.ManagementFactory;
import java.util.List;

/** How fast the generator itself can be, against a server that only echoes. */
final class Ceiling implements Scenario {
  private static final int MANY = 20_000;
  private static final int OTHER_FILES = 500;

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
    int many = sockets();
    return List.of(
        new FleetCase("200 sockets, 100 B", echo, 100, stage -> Accept.play(stage, 200, 1)),
        new FleetCase("200 sockets, 2 KB", echo, 2048, stage -> Accept.play(stage, 200, 1)),
        new FleetCase(
            "%,d sockets, 100 B".formatted(many), echo, 100, stage -> Accept.play(stage, many, 1)));
  }

  /** As many as the system lets one process have, up to 20,000. */
  private static int sockets() {
    long files =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
            ? system.getMaxFileDescriptorCount()
            : MANY;
    return (int) Math.min(MANY, files - OTHER_FILES);
  }
}
