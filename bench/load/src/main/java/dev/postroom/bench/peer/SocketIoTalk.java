package dev.postroom.bench.peer;

import dev.postroom.bench.Heard;
import dev.postroom.bench.Talk;
import io.vertx.core.http.WebSocket;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One socket that speaks with bench/peers/socketio as Socket.IO's own client would: it comes back
 * with the session's private id and the last packet's offset, and with the last message's id for
 * the case that the session is not there any more.
 *
 * <p>Packets are a digit of Engine.IO and one of Socket.IO: {@code 0} open, {@code 2} ping, {@code
 * 3} pong, {@code 40} connected, {@code 42} an event, {@code 43} an acknowledgement.
 */
final class SocketIoTalk implements Talk {
  private static final String MESSAGE = "42[\"message\",\"";
  private static final String BETWEEN = "\",\"";

  private final WebSocket socket;
  private final Heard heard;
  private final State state;

  /** What each awaited acknowledgement is for: a command's id, or a join's room behind a slash. */
  private final Map<Integer, String> awaited = new HashMap<>();

  private int acknowledgements;
  private boolean recovered;
  private String room = "";

  SocketIoTalk(WebSocket socket, @Nullable State before, Heard heard) {
    this.socket = socket;
    this.heard = heard;
    this.state = before == null ? new State() : before;
    socket.textMessageHandler(this::hear);
  }

  /** What outlives a socket. */
  static final class State {
    private String session = "";
    private String packet = "";
    private long message;
  }

  @Override
  public void join(String joined) {
    if (recovered) {
      // The server put it back into its rooms, and what was missed came before this.
      heard.joined(joined);
    } else {
      socket.writeTextMessage(event("/" + joined) + "[\"join\",\"" + joined + "\"]");
    }
  }

  @Override
  public void send(String to, String id, String text) {
    socket.writeTextMessage(
        event(id) + "[\"send\",\"" + to + BETWEEN + text + BETWEEN + id + "\"]");
  }

  private String event(String what) {
    awaited.put(acknowledgements, what);
    return "42" + acknowledgements++;
  }

  @Override
  public Object state() {
    return state;
  }

  private void hear(String packet) {
    if (packet.startsWith(MESSAGE)) {
      message(packet);
    } else if (packet.startsWith("43")) {
      acknowledged(packet);
    } else if (packet.equals("2")) {
      socket.writeTextMessage("3");
    } else if (packet.startsWith("0")) {
      socket.writeTextMessage("40" + hello());
    } else if (packet.startsWith("40")) {
      connected(packet);
    } else {
      heard.noted(packet.substring(0, Math.min(2, packet.length())));
    }
  }

  private String hello() {
    String session =
        state.packet.isEmpty()
            ? ""
            : "\"pid\":\"" + state.session + "\",\"offset\":\"" + state.packet + "\",";
    return "{" + session + "\"serverOffset\":" + state.message + "}";
  }

  private void connected(String packet) {
    String session = String.valueOf(Frame.string(packet, "\"pid\":\"", 0));
    recovered = session.equals(state.session);
    if (!recovered && !state.session.isEmpty()) {
      heard.noted("not recovered");
    }
    state.session = session;
    heard.ready();
  }

  private void acknowledged(String packet) {
    int list = packet.indexOf('[');
    String what = awaited.remove(Integer.parseInt(packet.substring(2, list)));
    if (what == null) {
      heard.noted("unasked");
    } else if (what.startsWith("/")) {
      heard.joined(what.substring(1));
    } else {
      heard.acked(what, -1, packet.startsWith("[\"duplicate\"", list));
    }
  }

  /** {@code 42["message",room,text,id,number,offset]}; without offset if it is from the table. */
  private void message(String packet) {
    int at = MESSAGE.length();
    if (!packet.startsWith(room, at) || packet.charAt(at + room.length()) != '"') {
      room = packet.substring(at, packet.indexOf('"', at));
    }
    int text = at + room.length() + BETWEEN.length();
    int textEnd = packet.indexOf('"', text);
    int id = textEnd + BETWEEN.length();
    int idEnd = packet.indexOf('"', id);
    state.message = Frame.number(packet, ",", idEnd);
    int offset = packet.indexOf(",\"", idEnd + 2);
    if (offset > 0) {
      state.packet = packet.substring(offset + 2, packet.indexOf('"', offset + 2));
    }
    // Its own ids are of the whole table, and not in the order of the deliveries.
    heard.message(room, -1, packet.substring(id, idEnd), packet.substring(text, textEnd));
  }
}
