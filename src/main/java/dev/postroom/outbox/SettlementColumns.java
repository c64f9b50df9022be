package dev.postroom.outbox;

import dev.postroom.outbox.Settlement.Then;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settlements as the arrays of one statement. Confined to one thread. */
final class SettlementColumns {
  private final List<Integer> sinks = new ArrayList<>();
  private final List<Long> rooms = new ArrayList<>();
  private final List<Long> tokens = new ArrayList<>();
  private final List<Long> from = new ArrayList<>();
  private final List<Long> to = new ArrayList<>();
  private final List<String> what = new ArrayList<>();
  private final List<Double> pauses = new ArrayList<>();
  private final List<Integer> charged = new ArrayList<>();
  private final List<Integer> eventFaults = new ArrayList<>();
  private final List<@Nullable String> reasons = new ArrayList<>();
  private final List<@Nullable Long> skips = new ArrayList<>();
  private final List<Integer> lineages = new ArrayList<>();
  private final List<Integer> lateSinks = new ArrayList<>();
  private final List<Long> lateRooms = new ArrayList<>();
  private final List<Long> late = new ArrayList<>();

  void add(Settlement one) {
    sinks.add(one.key().sinkNo());
    rooms.add(one.key().roomNo());
    tokens.add(one.token());
    lineages.add(one.lineage());
    from.add(one.from());
    to.add(one.to());
    one.late()
        .forEach(
            seq -> {
              lateSinks.add(one.key().sinkNo());
              lateRooms.add(one.key().roomNo());
              late.add(seq);
            });
    Then then = one.then();
    if (then instanceof Then.Wait wait) {
      fate("wait", wait.pause().toMillis() / 1000.0, wait.charged(), wait.eventFault());
      reasons.add(wait.reason());
      skips.add(null);
    } else if (then instanceof Then.Park park) {
      fate("park", 0, true, park.eventFault());
      reasons.add(park.reason());
      skips.add(null);
    } else if (then instanceof Then.Skip skip) {
      fate("skip", 0, false, false);
      reasons.add(skip.reason());
      skips.add(skip.seq());
    } else if (then instanceof Then.PutBack back) {
      fate("back", 0, false, false);
      reasons.add(back.reason());
      skips.add(back.seq());
    } else {
      fate(then instanceof Then.Release ? "release" : "keep", 0, false, false);
      reasons.add(null);
      skips.add(null);
    }
  }

  private void fate(String word, double pause, boolean charge, boolean eventFault) {
    what.add(word);
    pauses.add(pause);
    charged.add(charge ? 1 : 0);
    eventFaults.add(eventFault ? 1 : 0);
  }

  Tuple tuple() {
    return Tuple.tuple()
        .addArrayOfInteger(sinks.toArray(Integer[]::new))
        .addArrayOfLong(rooms.toArray(Long[]::new))
        .addArrayOfLong(tokens.toArray(Long[]::new))
        .addArrayOfLong(from.toArray(Long[]::new))
        .addArrayOfLong(to.toArray(Long[]::new))
        .addArrayOfString(what.toArray(String[]::new))
        .addArrayOfDouble(pauses.toArray(Double[]::new))
        .addArrayOfInteger(charged.toArray(Integer[]::new))
        .addArrayOfInteger(eventFaults.toArray(Integer[]::new))
        .addArrayOfString(reasons.toArray(String[]::new))
        .addArrayOfLong(skips.toArray(Long[]::new))
        .addArrayOfInteger(lateSinks.toArray(Integer[]::new))
        .addArrayOfLong(lateRooms.toArray(Long[]::new))
        .addArrayOfLong(late.toArray(Long[]::new))
        .addArrayOfInteger(lineages.toArray(Integer[]::new));
  }
}
