package dev.postroom.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The served OpenAPI document says what the resources do. */
@QuarkusTest
@QuarkusTestResource(PgResource.class)
class OpenApiTest {
  private static final List<String> VERBS = List.of("get", "put", "post", "delete", "patch");

  private JsonPath document;

  @BeforeEach
  void fetch() {
    document = RestAssured.get("/q/openapi?format=json").jsonPath();
  }

  private record Operation(String name, String verb, Map<String, Object> content) {}

  private List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    Map<String, Map<String, Map<String, Object>>> paths = document.getMap("paths");
    paths.forEach(
        (path, item) ->
            VERBS.stream()
                .filter(item::containsKey)
                .forEach(
                    verb ->
                        operations.add(new Operation(verb + " " + path, verb, item.get(verb)))));
    return operations;
  }

  @Test
  @DisplayName("every operation has a name, a summary and its answers")
  void operationsAreDescribed() {
    assertFalse(operations().isEmpty());
    for (Operation operation : operations()) {
      assertNotNull(operation.content().get("operationId"), operation.name());
      assertNotNull(operation.content().get("summary"), operation.name());
      assertNotNull(operation.content().get("tags"), operation.name());
    }
  }

  @Test
  @DisplayName("every operation below /api names the statuses that can come")
  void statuses() {
    for (Operation operation : operations()) {
      if (!operation.name().contains(" /api/")) {
        continue;
      }
      Set<String> expected = new TreeSet<>(Set.of("400", "401", "500", "503"));
      if (operation.name().contains("{room}")) {
        expected.add("403");
      }
      if (operation.content().containsKey("requestBody")) {
        expected.addAll(Set.of("413", "415"));
      }
      Map<String, ?> answers = answers(operation);
      assertTrue(answers.keySet().containsAll(expected), operation.name() + answers.keySet());
      assertTrue(
          answers.keySet().stream().anyMatch(status -> status.startsWith("2")), operation.name());
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Map<String, Object>> answers(Operation operation) {
    return (Map<String, Map<String, Object>>) operation.content().get("responses");
  }

  @Test
  @DisplayName("every error is the problem document, and every reference has its target")
  void errorsAreProblems() {
    for (Operation operation : operations()) {
      answers(operation)
          .forEach(
              (status, answer) -> {
                if (status.startsWith("2")) {
                  return;
                }
                String reference = String.valueOf(answer.get("$ref"));
                String name = reference.replace("#/components/responses/", "");
                assertEquals(
                    "#/components/schemas/Problem",
                    document.getString(
                        "components.responses."
                            + name
                            + ".content.'application/problem+json'.schema.'$ref'"),
                    operation.name() + " " + status);
              });
    }
  }

  @Test
  void theTokenIsDescribed() {
    assertEquals("bearer", document.getString("components.securitySchemes.token.scheme"));
    assertEquals(List.of(Map.of("token", List.of())), document.getList("security"));
  }

  @Test
  @DisplayName("schemas have the fields that real answers have")
  void schemas() {
    String room = Api.newRoom();
    Api anna = Api.as("anna");
    assertFields("Ack", anna.send(room, "k", "x").jsonPath().getMap("$"));
    JsonPath page = anna.given().get("/api/rooms/{room}/messages", room).jsonPath();
    assertFields("MessagePage", page.getMap("$"));
    assertFields("Message", page.getMap("messages[0]"));
    assertFields("Author", page.getMap("messages[0].author"));
    assertFields(
        "Room",
        anna.json(Map.of("title", "t")).put("/api/rooms/{r}", "t-" + room).jsonPath().getMap("$"));
    String justBefore = room.substring(0, room.length() - 1);
    JsonPath list = anna.given().get("/api/rooms?limit=1&after={r}", justBefore).jsonPath();
    assertFields("RoomPage", list.getMap("$"));
    assertFields("LastMessage", list.getMap("rooms[0].last"));
    assertFields("Author", list.getMap("rooms[0].last.author"));
    assertDescribed("ListedRoom", list.getMap("rooms[0]"));
    try (AdminApi sinks = new AdminApi()) {
      JsonPath made = sinks.make(room, Map.of());
      String id = made.getString("id");
      assertFields("NewSink", made.getMap("$"));
      assertFields("SinkDescription", sinks.get("/{sink}", id).jsonPath().getMap("$"));
      assertFields("Sink", sinks.get("/{sink}", id).jsonPath().getMap("sink"));
      assertFields("SinkList", sinks.get("").jsonPath().getMap("$"));
      JsonPath lanes = sinks.get("/{sink}/lanes", id).jsonPath();
      assertFields("LanePage", lanes.getMap("$"));
      assertFields("Lane", lanes.getMap("lanes[0]"));
      assertFields("DeadLetterPage", sinks.get("/{sink}/dead-letters", id).jsonPath().getMap("$"));
      assertFields(
          "RedrivenLanes", sinks.post(Map.of(), "/{sink}/redrive", id).jsonPath().getMap("$"));
      assertFields(
          "Redriven", sinks.post("/{sink}/lanes/{room}/redrive", id, room).jsonPath().getMap("$"));
      assertFields("TestDelivery", sinks.post("/{sink}/test", id).jsonPath().getMap("$"));
    }
    assertDescribed("Problem", anna.send(room, "k", "y").jsonPath().getMap("$"));
    assertDescribed("Problem", anna.send(room, "", "y").jsonPath().getMap("$"));
  }

  private void assertFields(String schema, Map<String, ?> answer) {
    assertEquals(new TreeSet<>(properties(schema)), new TreeSet<>(answer.keySet()), schema);
  }

  private void assertDescribed(String schema, Map<String, ?> answer) {
    Set<String> unknown = new TreeSet<>(answer.keySet());
    unknown.removeAll(properties(schema));
    assertEquals(Set.of(), unknown);
    List<String> required = document.getList("components.schemas." + schema + ".required");
    assertTrue(answer.keySet().containsAll(required), answer.toString());
  }

  private Set<String> properties(String schema) {
    return document.<String, Object>getMap("components.schemas." + schema + ".properties").keySet();
  }
}
