package dev.postroom.bench.host;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A full collection in a Java peer: what it leaves is what the sockets need, what was there before
 * is what a JVM with room to spare has not yet tidied up.
 */
public final class FullCollection {

  private FullCollection() {}

  /** False if the peer is no JVM or has no way to be asked. */
  public static boolean of(ServerProcess peer) throws IOException, InterruptedException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    String pid = Long.toString(peer.processes().root());
    try {
      return new ProcessBuilder(jcmd, pid, "GC.run")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException noJcmd) {
      return false;
    }
  }
}
