package dev.postroom.bench.load;

import io.vertx.core.Future;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What should have come and did not.
 *
 * @param deliveries accepted messages that a member of their room was never sent, over all members
 * @param answers commands that were neither acked nor refused for good
 */
public record Missing(long deliveries, long answers) {

  /** Asked of every member on its own event loop. */
  static Missing of(List<Member> members) throws Exception {
    long answers = sum(members.stream().map(Member::unanswered).toList());
    Map<Room, BitSet> accepted = new HashMap<>();
    List<Future<BitSet>> parts = members.stream().map(Member::accepted).toList();
    for (int i = 0; i < parts.size(); i++) {
      accepted.computeIfAbsent(members.get(i).room(), room -> new BitSet()).or(get(parts.get(i)));
    }
    long deliveries =
        sum(members.stream().map(member -> member.missing(accepted.get(member.room()))).toList());
    return new Missing(deliveries, answers);
  }

  private static long sum(List<Future<Integer>> parts) throws Exception {
    long sum = 0;
    for (Future<Integer> part : parts) {
      sum += get(part);
    }
    return sum;
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  boolean nothing() {
    return deliveries == 0 && answers == 0;
  }
}
