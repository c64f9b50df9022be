package dev.postroom.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A {@link Member}'s counterpart over HTTP: one command after the other, each repeated with the
 * same {@code Idempotency-Key} until it is answered.
 *
 * <p>Runs on a thread of its own until closed; the public methods are safe for any thread.
 */
public final class Poster implements Runnable, Sender {
  private final RoomApi api;
  private final String token;
  private final String room;
  private final Results results;
  private final Pause pause = new Pause();
  private final BlockingQueue<String[]> toSend = new LinkedBlockingQueue<>();
  private final AtomicInteger open = new AtomicInteger();
  private final Thread thread;
  private volatile boolean stopped;

  /**
   * @param onFirst is given each command's first result, on this client's thread
   */
  public Poster(URI node, String token, String room, Consumer<JsonNode> onFirst) {
    this.api = new RoomApi(node);
    this.token = token;
    this.room = room;
    this.results = new Results(onFirst);
    this.thread = new Thread(this, "poster");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void send(String id, String text) {
    open.incrementAndGet();
    toSend.add(new String[] {id, text});
  }

  @Override
  public boolean settled() {
    return open.get() == 0;
  }

  @Override
  public Map<String, JsonNode> acks() {
    return results.acks();
  }

  @Override
  public Map<String, Integer> refusals() {
    return results.refusals();
  }

  @Override
  public List<String> wrongs() {
    return results.wrongs();
  }

  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void run() {
    try {
      while (!stopped) {
        String[] command = toSend.take();
        while (!stopped && !answered(command[0], command[1])) {
          // Once more.
        }
        open.decrementAndGet();
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  /**
   * @return false if the command has to be sent again
   */
  private boolean answered(String id, String text) throws InterruptedException {
    HttpResponse<String> answer;
    JsonNode body;
    try {
      answer = api.send(token, room, id, text);
      body = RoomApi.json(answer.body());
    } catch (IOException away) {
      pause.beforeRetry();
      return false;
    }
    pause.over();
    if (answer.statusCode() / 100 == 2) {
      acked(id, answer, body);
      return true;
    }
    results.refused(body);
    if (!body.path("temporary").asBoolean()) {
      return true;
    }
    TimeUnit.MILLISECONDS.sleep(body.path("retryAfterMs").asLong(50)); // as it was told
    return false;
  }

  private void acked(String id, HttpResponse<String> answer, JsonNode ack) {
    boolean replayed = answer.headers().firstValue("Idempotency-Replayed").isPresent();
    if (ack.path("duplicate").asBoolean() != replayed
        || replayed != (answer.statusCode() == 200)
        || !ack.path("clientMessageId").asText().equals(id)) {
      results.wrong("answer " + answer.statusCode() + " " + ack + " to " + id);
    }
    results.acked(ack);
  }
}
