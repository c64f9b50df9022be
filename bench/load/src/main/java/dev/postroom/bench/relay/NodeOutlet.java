package dev.postroom.bench.relay;

import dev.postroom.bench.Bed;
import dev.postroom.bench.host.ProcessTree;
import dev.postroom.bench.host.ServerProcess;
import dev.postroom.bench.peer.NodePeer;
import java.io.IOException;
import java.util.Map;

/** A job queue on Node, in bench/peers under its name, steered by calls (bench/peers/events.js). */
final class NodeOutlet implements Outlet {
  private final ServerProcess process;
  private final Calls calls;
  private final String receiver;
  private final String unfinished;
  private final Map<String, String> versions;

  private NodeOutlet(
      ServerProcess process, String receiver, String unfinished, Map<String, String> versions)
      throws InterruptedException {
    this.process = process;
    this.calls = new Calls(process.awaitReadyLine());
    this.receiver = receiver;
    this.unfinished = unfinished;
    this.versions = versions;
  }

  /**
   * @param unfinished SQL that counts what is still to be done
   */
  static Outlet start(String name, Bed bed, String receiver, String unfinished)
      throws IOException, InterruptedException {
    ServerProcess process = NodePeer.start(name, bed.database(), bed.bench());
    Map<String, String> versions = NodePeer.versions(name, bed.bench());
    return new NodeOutlet(process, receiver, unfinished, versions);
  }

  @Override
  public void fill(int events, int rooms, int bytes) throws Exception {
    calls.post("/fill?events=" + events + "&rooms=" + rooms + "&bytes=" + bytes, "");
  }

  @Override
  public void drain() throws Exception {
    calls.post("/drain?to=" + receiver, "");
  }

  @Override
  public void rest() throws Exception {
    calls.post("/rest", "");
  }

  @Override
  public String unfinished() {
    return unfinished;
  }

  @Override
  public ProcessTree processes() {
    return process.processes();
  }

  @Override
  public Map<String, String> settings() {
    return versions;
  }

  @Override
  public void close() {
    process.close();
  }
}
