package dev.postroom.bench;

import dev.postroom.bench.host.Database;
import java.nio.file.Path;

/** A system that is measured: how it is started, and how to speak with it. */
public interface Peer {

  /** What it is called on the command line, in results and in tables. */
  String name();

  /**
   * Starts it on this empty database and returns when it answers.
   *
   * @param bench the directory bench/ of the project, absolute
   */
  Started start(Database database, Path bench) throws Exception;
}
