package dev.postroom.bench.relay;

import dev.postroom.bench.host.ProcessTree;
import java.util.Map;

/** What hands events over that stand in the database: one POST each. */
interface Outlet extends AutoCloseable {

  /**
   * Puts events into the database, as if they had just been accepted. Nothing leaves yet.
   *
   * @param bytes length of each event's text
   */
  void fill(int events, int rooms, int bytes) throws Exception;

  /** Lets them leave. Returns when that has begun. */
  void drain() throws Exception;

  /** Nothing more leaves, until the next {@link #drain}. */
  void rest() throws Exception;

  /** How many are not noted as handed over, by SQL; may count rooms instead of events. */
  String unfinished();

  ProcessTree processes();

  /** What is worth knowing about how it runs. */
  Map<String, String> settings();

  @Override
  void close();
}
