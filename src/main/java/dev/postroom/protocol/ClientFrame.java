package dev.postroom.protocol;

import org.jspecify.annotations.Nullable;

/**
 * What a client can ask for, already well-typed but not yet checked against field rules: a room
 * here is any string.
 *
 * <p>Handlers implement {@link Visitor}, so a new frame breaks every handler at compile time.
 */
public sealed interface ClientFrame {

  <R> R accept(Visitor<R> visitor);

  /**
   * @param cursor what the client has applied, or null to start afresh
   */
  record Join(String room, @Nullable Position cursor) implements ClientFrame {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.join(this);
    }
  }

  record Leave(String room) implements ClientFrame {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.leave(this);
    }
  }

  /**
   * @param ifHead accept only if the room's last seq is still this
   */
  record Send(String room, String clientMessageId, String text, @Nullable Long ifHead)
      implements ClientFrame {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.send(this);
    }

    /** Without the text: frames are logged, bodies are not. */
    @Override
    public String toString() {
      return "Send[room=" + room + ", clientMessageId=" + clientMessageId + "]";
    }
  }

  /**
   * @param before only messages with a smaller seq
   * @param limit the most messages wanted, or null for the server's page size
   */
  record History(String room, long before, @Nullable Integer limit) implements ClientFrame {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.history(this);
    }
  }

  record Auth(String token) implements ClientFrame {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.auth(this);
    }

    @Override
    public String toString() {
      return "Auth[]";
    }
  }

  record Ping() implements ClientFrame {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.ping(this);
    }
  }

  /** A cursor as written on the wire: one value, always replaced together. */
  record Position(String epoch, long after) {}

  /** One method per frame. */
  interface Visitor<R> {
    R join(Join frame);

    R leave(Leave frame);

    R send(Send frame);

    R history(History frame);

    R auth(Auth frame);

    R ping(Ping frame);
  }
}
