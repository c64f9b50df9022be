package dev.postroom.outbox;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sink as stored.
 *
 * @param no the number inside the database
 * @param id the name on the wire
 * @param rooms patterns of the rooms whose events it gets
 * @param target where it is, in the form of its type
 * @param secrets sealed, the newest first, without those that have expired
 * @param changed grows with every change
 */
public record SinkRow(
    int no,
    String id,
    String type,
    String name,
    List<String> rooms,
    String target,
    Format format,
    Poison poison,
    State state,
    @Nullable String reason,
    List<Secret> secrets,
    long changed,
    Instant createdAt) {

  /** How an event becomes bytes. */
  public enum Format {
    STRUCTURED,
    BINARY
  }

  /** What happens to an event that a sink does not take. */
  public enum Poison {
    /** It is parked, and what follows it in its room waits. */
    BLOCK,
    /** It becomes a dead letter, its number is reported as missing, and what follows it leaves. */
    SKIP_WITH_GAP
  }

  /** Whether events are handed over now. They are kept in any case. */
  public enum State {
    ACTIVE,
    /** By an administrator. */
    PAUSED,
    /** By the sink's own answer. */
    DISABLED
  }

  /** A sealed secret, and until when it signs; null for the newest. */
  public record Secret(byte[] sealed, @Nullable Instant expiresAt) {}

  /** Without the target, which may carry a password, and without secrets. */
  @Override
  public String toString() {
    return "SinkRow[id=" + id + ", type=" + type + ", state=" + state + "]";
  }
}
