package dev.postroom.http;

import dev.postroom.outbox.LaneList.DeadLetter;
import dev.postroom.outbox.LaneList.LaneRow;
import dev.postroom.outbox.LaneState;
import dev.postroom.outbox.SinkRow;
import dev.postroom.outbox.Sinks;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What administrators are shown of sinks and lanes. */
final class SinkViews {

  private SinkViews() {}

  /** A sink that was just made. */
  @Schema(name = "NewSink")
  @RegisterForReflection
  public record CreatedSink(
      @Schema(required = true, examples = "snk_2pzk4ha7qvd5wn6c") String id,
      @Schema(required = true, description = "What deliveries are signed with. Shown this once.")
          String secret) {
    @Override
    public String toString() {
      return "CreatedSink[id=" + id + "]";
    }
  }

  /** A new secret. */
  @Schema(name = "NewSecret")
  public record NewSecret(
      @Schema(required = true, description = "Shown this once.") String secret) {
    @Override
    public String toString() {
      return "NewSecret[]";
    }
  }

  /** A sink, never with its secret. */
  @Schema(name = "Sink")
  public record SinkView(
      @Schema(required = true, examples = "snk_2pzk4ha7qvd5wn6c") String id,
      @Schema(required = true, examples = "webhook") String type,
      @Schema(required = true) String name,
      @Schema(required = true) String url,
      @Schema(required = true, description = "Patterns of the rooms whose events it gets.")
          List<String> rooms,
      @Schema(
              required = true,
              enumeration = {"structured", "binary"})
          String format,
      @Schema(
              required = true,
              enumeration = {"block", "skip_with_gap"})
          String poison,
      @Schema(
              required = true,
              enumeration = {"active", "paused", "disabled"})
          String state,
      @Schema(description = "Why it is disabled.") @Nullable String reason,
      @Schema(required = true, format = "date-time") String createdAt) {

    static SinkView of(SinkRow sink) {
      return new SinkView(
          sink.id(),
          sink.type(),
          sink.name(),
          sink.target(),
          sink.rooms(),
          Sinks.word(sink.format()),
          Sinks.word(sink.poison()),
          Sinks.word(sink.state()),
          sink.reason(),
          Instants.text(sink.createdAt()));
    }
  }

  /** A sink and how many of its lanes have something to do. */
  @Schema(name = "SinkDescription")
  public record SinkDescription(
      @Schema(required = true) SinkView sink,
      @Schema(required = true, description = "Lanes with something to hand over, by state.")
          Map<String, Long> lanes,
      @Schema(required = true, description = "Events that were left out.") long deadLetters) {}

  /** All sinks, the oldest first. */
  @Schema(name = "SinkList")
  public record SinkList(@Schema(required = true) List<SinkView> sinks) {}

  /** How a test delivery ended. */
  @Schema(name = "TestDelivery")
  public record TestDelivery(
      @Schema(required = true) boolean delivered,
      @Schema(description = "Why not.") @Nullable String reason,
      @Schema(required = true, description = "How long it took.") long millis) {}

  /** One room's events on their way to the sink. */
  @Schema(name = "Lane")
  public record LaneView(
      @Schema(required = true) String room,
      @Schema(required = true, description = "Which of the rooms of that name.") String epoch,
      @Schema(required = true, description = "Whether that room is closed.") boolean closed,
      @Schema(
              required = true,
              enumeration = {"idle", "ready", "delivering", "backoff", "parked"})
          String state,
      @Schema(required = true, description = "Whether the sink is paused or disabled.")
          boolean paused,
      @Schema(required = true, description = "The number that leaves next.") long nextSeq,
      @Schema(required = true, description = "The last number that is there to leave.")
          long knownSeq,
      @Schema(required = true) long pending,
      @Schema(required = true, description = "Dead letters that are to be sent once more.")
          int late,
      @Schema(required = true, description = "Failures at the head in a row.") int tries,
      @Schema(required = true, description = "Those that were the event's.") int eventFaults,
      @Schema(format = "date-time", description = "Since when it fails.") @Nullable String since,
      @Schema(format = "date-time", description = "When it may go on, or until when a node has it.")
          @Nullable String dueAt,
      @Nullable String lastError) {

    static LaneView of(SinkRow sink, LaneRow lane) {
      return new LaneView(
          lane.place().room(),
          lane.place().epoch(),
          lane.place().closed(),
          lane.state().word(),
          sink.state() != SinkRow.State.ACTIVE,
          lane.nextSeq(),
          lane.knownSeq(),
          lane.pending(),
          lane.late(),
          lane.tries(),
          lane.eventFaults(),
          Instants.textOrNull(lane.since()),
          Instants.textOrNull(lane.dueAt()),
          lane.lastError());
    }
  }

  /** A page of lanes. */
  @Schema(name = "LanePage")
  public record LanePage(
      @Schema(required = true) List<LaneView> lanes,
      @Schema(description = "after of the next page; absent on the last.") @Nullable String next) {}

  /** An event that was left out. */
  @Schema(name = "DeadLetter")
  public record DeadLetterView(
      @Schema(required = true) String room,
      @Schema(required = true, description = "The epoch of its number.") String epoch,
      @Schema(required = true, description = "Whether that room is closed.") boolean closed,
      @Schema(required = true) long seq,
      @Schema(required = true) String reason,
      @Schema(required = true, description = "Whether it is to be sent once more.")
          boolean redriving,
      @Schema(required = true, format = "date-time") String firstFailedAt,
      @Schema(required = true, format = "date-time") String deadSince) {

    static DeadLetterView of(DeadLetter letter) {
      return new DeadLetterView(
          letter.place().room(),
          letter.place().epoch(),
          letter.place().closed(),
          letter.seq(),
          letter.reason(),
          letter.redriving(),
          Instants.text(letter.firstFailedAt()),
          Instants.text(letter.deadSince()));
    }
  }

  /** A page of dead letters. */
  @Schema(name = "DeadLetterPage")
  public record DeadLetterPage(
      @Schema(required = true) List<DeadLetterView> deadLetters,
      @Schema(description = "after of the next page; absent on the last.") @Nullable String next) {}

  /** What became of a wish. */
  @Schema(name = "Redriven")
  public record Redriven(
      @Schema(
              required = true,
              description = "already: it was not standing any more.",
              enumeration = {"done", "already"})
          String result,
      @Schema(required = true, description = "Where the lane stands.") @Nullable Long nextSeq) {}

  /** Lanes that were taken up, or would be. */
  @Schema(name = "RedrivenLanes")
  public record RedrivenLanes(
      @Schema(required = true) long lanes, @Schema(required = true) boolean dryRun) {}

  static Map<String, Long> byWord(Map<LaneState, Long> counts) {
    Map<String, Long> words = new java.util.LinkedHashMap<>();
    for (LaneState state : LaneState.values()) {
      if (state != LaneState.IDLE) {
        words.put(state.word(), counts.getOrDefault(state, 0L));
      }
    }
    return words;
  }
}
