package dev.postroom.fanout;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.protocol.ServerFrame.LeftReason;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A subscriber whose queue is as full as the test says. */
final class LaneReader implements Subscriber {
  final List<Long> got = new ArrayList<>();
  final List<String> frames = new ArrayList<>();
  final List<LeftReason> left = new ArrayList<>();
  final Subscription subscription;
  final Lane lane;
  final long joinedAt;
  final String participant;
  boolean full;
  int resets;
  int rechecks;

  LaneReader(Lane lane, long joinedAt) {
    this(lane, joinedAt, "p");
  }

  LaneReader(Lane lane, long joinedAt, String participant) {
    this.lane = lane;
    this.joinedAt = joinedAt;
    this.participant = participant;
    this.subscription = new Subscription(null, new RoomId("r"), lane, this);
    subscription.sentUpTo(joinedAt);
    assertTrue(lane.add(subscription));
  }

  /** As the session does it: a page from the ring or the log, then live if nothing is missing. */
  void catchUp(List<RoomMessage> log, Random random) {
    if (full || subscription.goLive()) {
      return;
    }
    long sent = subscription.sent();
    Page page = lane.recentAfter(sent, 1 + random.nextInt(3), 1_000);
    if (page == null) {
      page =
          lane.page(
              log.stream()
                  .skip(sent)
                  .limit(1 + random.nextInt(3))
                  .map(EncodedMessage::body)
                  .toList());
    }
    page.messages().forEach(body -> got.add(body.seq()));
    subscription.sentUpTo(page.after(sent));
  }

  @Override
  public String participant() {
    return participant;
  }

  @Override
  public boolean offer(EncodedMessage message) {
    if (!full) {
      got.add(message.seq());
      frames.add(message.frame());
    }
    return !full;
  }

  @Override
  public void behind(Subscription subscription) {}

  @Override
  public void reset(Subscription subscription) {
    resets++;
  }

  @Override
  public void left(Subscription subscription, LeftReason reason) {
    left.add(reason);
  }

  @Override
  public void recheck(Subscription subscription) {
    rechecks++;
  }
}
