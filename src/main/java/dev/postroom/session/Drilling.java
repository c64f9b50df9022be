package dev.postroom.session;

import dev.postroom.fanout.Page;
import dev.postroom.fanout.Subscription;
import dev.postroom.faults.FaultMode;
import dev.postroom.faults.Sockets;
import dev.postroom.protocol.ServerFrame;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** Does to the sockets of this node what the fault mode is ordered to do. Safe for any thread. */
@ApplicationScoped
class Drilling implements Sockets {
  private static final Logger LOG = Logger.getLogger(Drilling.class);

  /** As many as a resume after a short loss has. */
  private static final int MESSAGES = 5;

  private final Sessions sessions;
  private final FaultMode faults;

  Drilling(Sessions sessions, FaultMode faults) {
    this.sessions = sessions;
    this.faults = faults;
  }

  void onStart(@Observes StartupEvent event) {
    faults.over(this);
  }

  @Override
  public int count(String participant) {
    int count = 0;
    for (Session session : sessions.open()) {
      count += isOf(session, participant) ? 1 : 0;
    }
    return count;
  }

  private static boolean isOf(Session session, String participant) {
    return participant.isEmpty()
        || participant.equals(session.connection().badLine().participant());
  }

  @Override
  public void cut(String participant) {
    each(participant, session -> session.connection().badLine().vanish());
  }

  @Override
  public void freeze(String participant, long ms) {
    each(participant, session -> session.connection().badLine().freeze(ms));
  }

  @Override
  public void thaw() {
    each("", session -> session.connection().badLine().thaw());
  }

  @Override
  public void repeatDelta(String participant, String room) {
    each(
        participant,
        session -> {
          for (Subscription subscription : session.rooms().subscriptions()) {
            if (subscription.roomId().value().equals(room)) {
              repeat(session.connection(), subscription);
            }
          }
        });
  }

  private static void repeat(Connection connection, Subscription subscription) {
    long sent = subscription.sent();
    subscription
        .before(sent + 1, MESSAGES)
        .emitOn(connection::onLoop)
        .subscribe()
        .with(
            page -> put(connection, subscription, page, sent),
            failure -> LOG.debugf("No delta to repeat: %s", failure.getMessage()));
  }

  private static void put(Connection connection, Subscription subscription, Page page, long sent) {
    if (!page.messages().isEmpty() && !subscription.ended() && !subscription.held()) {
      connection.put(
          new ServerFrame.Delta(
              subscription.roomId().value(),
              page.epoch(),
              page.after(sent),
              page.messages(),
              false),
          page.bytes());
    }
  }

  /** One look at a room serves all who read it. */
  @Override
  public void epochMoved() {
    each("", session -> session.rooms().subscriptions().forEach(Drilling::look));
  }

  private static void look(Subscription subscription) {
    subscription
        .confirm()
        .subscribe()
        .with(done -> {}, failure -> LOG.debugf("The sweep will see it: %s", failure.getMessage()));
  }

  private void each(String participant, Consumer<Session> action) {
    for (Session session : sessions.open()) {
      if (isOf(session, participant)) {
        session.connection().onLoop(() -> action.accept(session));
      }
    }
  }
}
