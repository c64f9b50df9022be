package dev.postroom.bench.peer;

import dev.postroom.bench.Heard;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Started;
import dev.postroom.bench.Talk;
import dev.postroom.bench.Wire;
import dev.postroom.bench.host.Database;
import dev.postroom.bench.host.ServerProcess;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ceiling: a server that only echoes. An echo counts as the ack and as the delivery to the
 * sender; there are no rooms, so only rooms of one make sense.
 */
public final class EchoPeer implements Peer {

  @Override
  public String name() {
    return "echo";
  }

  @Override
  public Started start(Database database, Path bench) throws IOException, InterruptedException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            bench.resolve("load/target/bench-load.jar").toString(),
            EchoServer.class.getName());
    Path logs = bench.resolve("load/target/logs");
    ServerProcess process = ServerProcess.start(name(), logs, bench, Map.of(), command);
    return new Started(process, process.awaitReadyLine(), new EchoWire(), Map.of());
  }

  private static final class EchoWire implements Wire {

    @Override
    public WebSocketConnectOptions connect(int port, String user) {
      return new WebSocketConnectOptions().setHost("127.0.0.1").setPort(port).setURI("/");
    }

    @Override
    public Talk open(WebSocket socket, String user, @Nullable Object before, Heard heard) {
      EchoTalk talk = new EchoTalk(socket, heard);
      // Not at once: whoever opened it does not have the talk in hand yet.
      Vertx.currentContext().runOnContext(unused -> heard.ready());
      return talk;
    }
  }

  private static final class EchoTalk implements Talk {
    private final WebSocket socket;
    private final Heard heard;
    private String room = "";

    EchoTalk(WebSocket socket, Heard heard) {
      this.socket = socket;
      this.heard = heard;
      socket.textMessageHandler(this::hear);
    }

    @Override
    public void join(String joined) {
      room = joined;
      heard.joined(joined);
    }

    @Override
    public void send(String to, String id, String text) {
      socket.writeTextMessage(text);
    }

    @Override
    public @Nullable Object state() {
      return null;
    }

    private void hear(String text) {
      String id = text.substring(0, text.indexOf(' '));
      heard.message(room, -1, id, text);
      heard.acked(id, -1, false);
    }
  }
}
