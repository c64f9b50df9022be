package dev.postroom.accept;

import dev.postroom.access.Decision;
import dev.postroom.access.Role;
import dev.postroom.access.RoomPolicy;
import dev.postroom.db.Faults;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes a command: rules, rate, right, combiner, announce, in that order (A6). The one path for
 * every transport. Safe for any thread.
 */
@ApplicationScoped
public class Acceptor {
  private static final int REMEMBERED_PARTICIPANTS = 50_000;

  private final SubmissionRules rules;
  private final RateGate rate;
  private final Turns turns = new Turns(System::nanoTime);
  private final RoomPolicy policy;
  private final Combiner combiner;
  private final AcceptMetrics metrics;

  Acceptor(RoomPolicy policy, Combiner combiner, AcceptConfig config, AcceptMetrics metrics) {
    this.rules = new SubmissionRules(config.textBytes());
    this.rate =
        new RateGate(config.rate(), config.burst(), REMEMBERED_PARTICIPANTS, System::nanoTime);
    this.policy = policy;
    this.combiner = combiner;
    this.metrics = metrics;
  }

  /**
   * Begins at once, not at the subscription, and never fails: whatever happens is an {@link
   * Outcome}, on any thread. Two calls of the same origin for the same room are decided in the
   * order in which they were made (N2).
   */
  public Uni<Outcome> accept(Submission submission) {
    return begin(submission, null);
  }

  /**
   * The same for a door whose callers have their right by its settings, not by a token: neither the
   * policy nor the participant's rate is asked. Such a caller is paced by {@code busy} alone.
   *
   * @param settled what the door has decided
   */
  public Uni<Outcome> accept(Submission submission, Decision settled) {
    return begin(submission, settled);
  }

  private Uni<Outcome> begin(Submission submission, @Nullable Decision settled) {
    long start = System.nanoTime();
    Outcome.Refused broken = rules.check(submission);
    if (broken != null) {
      metrics.outcome(broken, System.nanoTime() - start);
      return Uni.createFrom().item(broken);
    }
    Turns.Turn turn =
        turns.enter(
            new Command.Line(submission.origin(), submission.room()), submission.clientMessageId());
    CompletableFuture<Outcome> result = new CompletableFuture<>();
    Consumer<Outcome> done =
        outcome -> {
          // Before the answer: whoever is answered may send again at once.
          turn.end(outcome);
          metrics.outcome(outcome, System.nanoTime() - start);
          result.complete(outcome);
        };
    if (settled != null) {
      combine(submission, settled, turn, done);
      return Uni.createFrom().completionStage(result);
    }
    long pause = rate.take(submission.principal().participant());
    if (pause > 0) {
      turn.ready(behind -> done.accept(Refusals.rateLimited(pause)));
    } else {
      decide(submission, turn, done);
    }
    return Uni.createFrom().completionStage(result);
  }

  /**
   * What would refuse the command before it reaches the database's log: rules, rate and right, in
   * that order (A6). For callers that have a reason of their own to refuse, which comes after
   * these.
   *
   * @return null if none of them refuses
   */
  public Uni<Outcome.@Nullable Refused> refusal(Submission submission) {
    Outcome.Refused broken = rules.check(submission);
    if (broken != null) {
      return Uni.createFrom().item(broken);
    }
    long pause = rate.take(submission.principal().participant());
    if (pause > 0) {
      return Uni.createFrom().item(Refusals.rateLimited(pause));
    }
    return right(submission)
        .map(decision -> decision.allowed() ? null : Refusals.forbidden())
        .onFailure()
        .recoverWithItem(failure -> Refusals.of(Faults.code(failure), failure));
  }

  /** Longest text, in bytes of UTF-8. */
  public int maxTextBytes() {
    return rules.textBytes();
  }

  /** Longest {@code clientMessageId}, in characters. */
  public int maxIdLength() {
    return SubmissionRules.ID_LENGTH;
  }

  private Uni<Decision> right(Submission submission) {
    return policy.decide(submission.principal(), new RoomId(submission.room()), Role.WRITER);
  }

  private void decide(Submission submission, Turns.Turn turn, Consumer<Outcome> done) {
    // Deferred: a policy that throws must not leave the turn open.
    Uni.createFrom()
        .deferred(() -> right(submission))
        .onItem()
        .ifNull()
        .failWith(() -> new IllegalStateException("the policy decided nothing"))
        .subscribe()
        .with(
            decision -> combine(submission, decision, turn, done),
            failure -> {
              Outcome.Refused refusal = Refusals.of(Faults.code(failure), failure);
              turn.ready(behind -> done.accept(refusal));
            });
  }

  private void combine(
      Submission submission, Decision decision, Turns.Turn turn, Consumer<Outcome> done) {
    if (!decision.allowed()) {
      turn.ready(behind -> done.accept(Refusals.forbidden()));
      return;
    }
    Command command = new Command(submission, decision.mayCreate(), done);
    turn.ready(
        behind -> {
          if (behind == null) {
            submit(command);
          } else {
            command.done(behind);
          }
        });
  }

  /** What fails here would otherwise be nobody's: the caller would wait for ever. */
  private void submit(Command command) {
    try {
      combiner.submit(command);
    } catch (RuntimeException e) {
      command.done(Refusals.internal(e));
    }
  }
}
