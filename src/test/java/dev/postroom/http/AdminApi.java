package dev.postroom.http;

import dev.postroom.testkit.WebhookTrap;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sinks as an administrator has them: those made here are deleted with the test. */
final class AdminApi implements AutoCloseable {
  final Api admin = Api.admin();
  final WebhookTrap trap = WebhookTrap.open();
  private final List<String> made = new java.util.ArrayList<>();

  /** A good draft for one room, with other fields on top. */
  Map<String, Object> draft(String room, Map<String, Object> fields) {
    Map<String, Object> draft = new HashMap<>();
    draft.put("type", "webhook");
    draft.put("name", "Archive");
    draft.put("url", trap.url("/hook"));
    draft.put("rooms", List.of(room));
    draft.putAll(fields);
    return draft;
  }

  /** {@code {id, secret}}. */
  JsonPath make(String room, Map<String, Object> fields) {
    JsonPath sink =
        admin
            .json(draft(room, fields))
            .post("/api/sinks")
            .then()
            .statusCode(201)
            .extract()
            .jsonPath();
    made.add(sink.getString("id"));
    return sink;
  }

  String make(String room) {
    return make(room, Map.of()).getString("id");
  }

  Response post(String path, Object... parameters) {
    return admin.given().post("/api/sinks" + path, parameters);
  }

  Response post(Map<String, ?> body, String path, Object... parameters) {
    return admin.json(body).post("/api/sinks" + path, parameters);
  }

  Response get(String path, Object... parameters) {
    return admin.given().get("/api/sinks" + path, parameters);
  }

  @Override
  public void close() {
    made.forEach(id -> admin.given().delete("/api/sinks/{id}", id));
    trap.close();
  }
}
