package dev.postroom.access;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.unchecked.Unchecked;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where keys are read from: an http or https URL, a file ({@code file:} or a plain path), or a
 * resource ({@code classpath:}). Reads at most 256 KiB. Never blocks the caller. Redirects are not
 * followed: the place is a trust anchor and should be named as it is.
 */
final class KeyLocation {

  private static final int LONGEST = 256 * 1024;

  private final String place;
  private final Duration deadline;
  private final HttpClient client;

  KeyLocation(String place, Duration deadline, Vertx vertx) {
    this.place = place;
    this.deadline = deadline;
    this.client = vertx.createHttpClient();
  }

  boolean isRemote() {
    return place.startsWith("http://") || place.startsWith("https://");
  }

  /** The text found there. Fails when there is none, it is too long, or the deadline is over. */
  Uni<String> read() {
    Uni<String> reading =
        isRemote()
            ? Uni.createFrom().completionStage(() -> fetch().toCompletionStage())
            : Uni.createFrom()
                .item(Unchecked.supplier(this::load))
                .runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
    return reading
        .onFailure()
        .transform(KeyLocation::forPeople)
        .ifNoItem()
        .after(deadline)
        .failWith(() -> new IOException("no answer within " + deadline.toMillis() + " ms"));
  }

  /** The failure itself, without what carried it here, in words. */
  private static Throwable forPeople(Throwable failure) {
    Throwable itself = failure;
    while (itself.getCause() != null) {
      itself = itself.getCause();
    }
    if (itself instanceof NoSuchFileException) {
      return new IOException("there is no such file", itself);
    }
    boolean says = itself.getMessage() != null;
    return says ? itself : new IOException(itself.getClass().getSimpleName(), itself);
  }

  private Future<String> fetch() {
    RequestOptions get =
        new RequestOptions()
            .setMethod(HttpMethod.GET)
            .setAbsoluteURI(place)
            .setFollowRedirects(false)
            .putHeader("Accept", "application/json")
            .setTimeout(deadline.toMillis());
    return client
        .request(get)
        .compose(request -> request.send().compose(KeyLocation::body))
        .map(body -> body.toString(StandardCharsets.UTF_8));
  }

  private static Future<Buffer> body(HttpClientResponse response) {
    if (response.statusCode() != 200) {
      response.request().reset();
      return Future.failedFuture(new IOException("it answers " + response.statusCode()));
    }
    Buffer body = Buffer.buffer();
    response.handler(
        chunk -> {
          if (body.length() + chunk.length() > LONGEST) {
            // Fails the response's end below.
            response.request().reset();
          } else {
            body.appendBuffer(chunk);
          }
        });
    // The end fails likewise, and says so to the caller.
    response.exceptionHandler(reset -> {});
    return response.end().map(body);
  }

  private String load() throws IOException {
    try (InputStream in = open()) {
      byte[] bytes = in.readNBytes(LONGEST + 1);
      if (bytes.length > LONGEST) {
        throw new IOException("it is longer than " + LONGEST + " bytes");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private InputStream open() throws IOException {
    if (place.startsWith("classpath:")) {
      String name = place.substring("classpath:".length()).replaceFirst("^/+", "");
      InputStream resource =
          Thread.currentThread().getContextClassLoader().getResourceAsStream(name);
      if (resource == null) {
        throw new IOException("there is no such resource");
      }
      return resource;
    }
    Path file = place.startsWith("file:") ? Path.of(URI.create(place)) : Path.of(place);
    return Files.newInputStream(file);
  }
}
