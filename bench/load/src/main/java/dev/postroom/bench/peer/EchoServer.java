package dev.postroom.bench.peer;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;

/** Sends back what it is sent: whatever is slower than this is not the generator's fault. */
public final class EchoServer {

  private EchoServer() {}

  public static void main(String[] arguments) {
    int port = Ports.free();
    int loops = Runtime.getRuntime().availableProcessors();
    Vertx.vertx()
        .deployVerticle(() -> new Loop(port), new DeploymentOptions().setInstances(loops))
        .onSuccess(unused -> System.out.println("{\"ready\":true,\"port\":" + port + "}"))
        .onFailure(
            failure -> {
              System.out.println(failure);
              System.exit(1);
            });
  }

  /** One event loop of the server; all share the port. */
  private static final class Loop extends AbstractVerticle {
    private final int port;

    Loop(int port) {
      this.port = port;
    }

    @Override
    public void start(Promise<Void> started) {
      vertx
          .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(port))
          .webSocketHandler(socket -> socket.textMessageHandler(socket::writeTextMessage))
          .listen()
          .<Void>mapEmpty()
          .onComplete(started);
    }
  }
}
