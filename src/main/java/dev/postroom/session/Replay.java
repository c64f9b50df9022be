package dev.postroom.session;

import dev.postroom.fanout.Page;
import dev.postroom.fanout.Subscription;
import dev.postroom.protocol.EncodedBody;
import dev.postroom.protocol.ServerFrame;
import dev.postroom.room.Cursor;
import io.smallrye.mutiny.Uni;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Brings one subscription from where its reader stands to the live edge: the answer to a join, and
 * later every catching up after the mailbox was full.
 *
 * <p>Only what continues the reader's numbers is put into the mailbox; whatever does not (a purge,
 * a new epoch) becomes a snapshot, never a silent hole (R1). The next page is read only when the
 * mailbox has room, so a slow reader sets the pace (F1). Confined to the connection's event loop.
 */
final class Replay {
  private static final Logger LOG = Logger.getLogger(Replay.class);
  private static final long RETRY_MS = 1_000;

  private final Subscription subscription;
  private final Outlet outlet;
  private final SessionConfig config;
  private final SessionMetrics metrics;
  private final String room;
  private String epoch = "";
  private boolean answered;
  private boolean reading;
  private boolean waiting;
  private boolean resetWanted;
  private boolean postponed;
  private boolean catchingUp;

  Replay(Subscription subscription, Outlet outlet, SessionConfig config, SessionMetrics metrics) {
    this.subscription = subscription;
    this.outlet = outlet;
    this.config = config;
    this.metrics = metrics;
    this.room = subscription.roomId().value();
  }

  Subscription subscription() {
    return subscription;
  }

  /** Puts the answer to a join into the mailbox; everything live comes behind it (R2). */
  Uni<Void> answer(@Nullable Cursor cursor) {
    return settle(cursor)
        .emitOn(outlet::onLoop)
        .chain(how -> first(how, cursor))
        .invoke(this::pump);
  }

  /** The mailbox has room again. */
  void roomy() {
    if (waiting) {
      waiting = false;
      pump();
    }
  }

  /** The right was looked up, and is there. */
  void goOn() {
    pump();
  }

  /** The subscription stopped being live. */
  void behind() {
    pump();
  }

  /** The numbers changed their meaning. */
  void reset() {
    resetWanted = true;
    pump();
  }

  private Uni<Resume> settle(@Nullable Cursor cursor) {
    Resume how = decide(cursor);
    return how.disagrees()
        ? subscription.confirm().map(done -> decide(cursor))
        : Uni.createFrom().item(how);
  }

  private Resume decide(@Nullable Cursor cursor) {
    return Resume.of(subscription.room(), cursor, config.deltaMessages());
  }

  private Uni<Void> first(Resume how, @Nullable Cursor cursor) {
    metrics.resumed(how);
    if (cursor == null || how != Resume.DELTA) {
      return snapshot();
    }
    epoch = cursor.epoch();
    subscription.sentUpTo(cursor.after());
    return next().emitOn(outlet::onLoop).chain(page -> delta(page) ? done() : snapshot());
  }

  private Uni<Page> next() {
    return subscription.next(config.frameMessages(), config.frameBytes());
  }

  private Uni<Void> snapshot() {
    return newest()
        .chain(page -> isGone(page) ? subscription.confirm().chain(this::newest) : item(page))
        .emitOn(outlet::onLoop)
        .invoke(this::putSnapshot)
        .replaceWithVoid();
  }

  private Uni<Page> newest() {
    return subscription.newest(config.snapshotMessages());
  }

  /** Nothing is kept where something was thought to be: a purge that this node has not seen. */
  private static boolean isGone(Page page) {
    return page.messages().isEmpty() && page.head() >= page.keptFrom();
  }

  private static Uni<Page> item(Page page) {
    return Uni.createFrom().item(page);
  }

  /** Nothing is put behind the word that the reader has left, or behind a later join's answer. */
  private void putSnapshot(Page newest) {
    if (subscription.ended()) {
      return;
    }
    if (subscription.held()) {
      postponed = true;
      resetWanted = true;
      return;
    }
    Page page = newest.newestWithin(config.frameBytes());
    long after = page.after(page.keptFrom() - 1);
    answered = true;
    epoch = page.epoch();
    subscription.sentUpTo(after);
    outlet.put(
        new ServerFrame.Snapshot(room, epoch, after, page.messages(), page.earlier()),
        page.bytes());
  }

  /**
   * Puts the page behind what the reader has.
   *
   * @return false if it does not continue there
   */
  private boolean delta(Page page) {
    if (subscription.ended()) {
      return true;
    }
    if (subscription.held()) {
      postponed = true;
      return true;
    }
    long sent = subscription.sent();
    if (!page.epoch().equals(epoch) || !continues(page.messages(), sent, page.head())) {
      return false;
    }
    if (answered && page.messages().isEmpty()) {
      return true;
    }
    long after = page.after(sent);
    answered = true;
    subscription.sentUpTo(after);
    outlet.put(
        new ServerFrame.Delta(room, epoch, after, page.messages(), after < page.head()),
        page.bytes());
    return true;
  }

  private static boolean continues(List<EncodedBody> messages, long sent, long head) {
    return messages.isEmpty() ? head <= sent : messages.get(0).seq() == sent + 1;
  }

  /**
   * Goes on until the subscription is live, the mailbox is full or a page has to be read. A join is
   * answered by {@link #answer}, unless it had to be postponed.
   */
  private void pump() {
    while ((answered || postponed) && !reading && !subscription.ended() && !subscription.held()) {
      if (!resetWanted && subscription.goLive()) {
        catchingUp = false;
        return;
      }
      if (!outlet.takePage()) {
        waiting = true;
        return;
      }
      read();
    }
  }

  private void read() {
    reading = true;
    if (!catchingUp) {
      catchingUp = true;
      metrics.catchUp();
    }
    // Taken back now and not with the snapshot: another reset may come while it is read.
    boolean resetting = resetWanted;
    resetWanted = false;
    (resetting ? snapshot() : next().emitOn(outlet::onLoop).chain(this::deltaOrSnapshot))
        .subscribe()
        .with(done -> wentOn(), failure -> failed(failure, resetting));
  }

  private Uni<Void> deltaOrSnapshot(Page page) {
    return delta(page) ? done() : snapshot();
  }

  private void wentOn() {
    reading = false;
    outlet.pageDone();
    pump();
  }

  /** The database may be away: the subscription stays behind and tries again. */
  private void failed(Throwable failure, boolean resetting) {
    resetWanted |= resetting;
    LOG.debugf("Room %s cannot be caught up yet: %s", room, failure.getMessage());
    outlet.after(RETRY_MS, this::wentOn);
  }

  private static Uni<Void> done() {
    return Uni.createFrom().voidItem();
  }

  /** Where the frames go. */
  interface Outlet {

    /**
     * @param bytes the messages in it, in UTF-8
     */
    void put(ServerFrame frame, long bytes);

    /**
     * Asks for room for one page that is to be read; every one granted is given back by {@link
     * #pageDone}.
     *
     * @return false if there is none now; {@link Replay#roomy} tells when to ask again
     */
    boolean takePage();

    void pageDone();

    /** Runs it on the connection's event loop: at once if that is where we are. */
    void onLoop(Runnable task);

    void after(long ms, Runnable task);
  }
}
