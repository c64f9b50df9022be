package dev.postroom.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.protocol.FrameShapes.Field;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Holds {@code docs/asyncapi.yaml} against the frames; a node test holds it against a parser. */
class AsyncApiTest {
  private static Map<String, Object> document = Map.of();

  @BeforeAll
  static void read() throws Exception {
    try (Reader reader = Files.newBufferedReader(Path.of("docs/asyncapi.yaml"))) {
      document = new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
    }
  }

  @Test
  @DisplayName("the document has exactly the client's frames, field by field")
  void clientFrames() {
    assertEquals(FrameShapes.of(ClientFrame.class), described("client"));
  }

  @Test
  @DisplayName("the document has exactly the server's frames, field by field")
  void serverFrames() {
    assertEquals(FrameShapes.of(ServerFrame.class), described("server"));
  }

  @Test
  @DisplayName("the objects inside frames have exactly the fields of their records")
  void innerObjects() {
    for (var inner :
        Map.of(
                "Message", MessageBody.class,
                "Author", MessageBody.Author.class,
                "Cursor", ClientFrame.Position.class,
                "Limits", ServerFrame.Limits.class)
            .entrySet()) {
      assertEquals(
          FrameShapes.fields(inner.getValue()), fields(schema(inner.getKey())), inner.getKey());
    }
  }

  @Test
  @DisplayName("error codes, reasons and the sub-protocol are those of the code")
  void words() {
    assertEquals(
        Arrays.stream(ErrorCode.values()).map(ErrorCode::wire).toList(),
        schema("ErrorCode").get("enum"));
    assertEquals(
        Arrays.stream(ServerFrame.LeftReason.values()).map(ServerFrame.LeftReason::wire).toList(),
        at(schema("ServerLeft"), "properties", "reason").get("enum"));
    assertEquals(
        Subprotocol.V1, at(schema("ServerWelcome"), "properties", "protocol").get("const"));
    assertEquals(FrameReader.MAX_INTEGER, schema("Integer").get("maximum"));
  }

  @Test
  @DisplayName("the channel and its two operations carry every message in its direction")
  void operations() {
    Set<String> inChannel = at(document, "channels", "socket", "messages").keySet();
    assertEquals(at(document, "components", "messages").keySet(), inChannel);
    Set<String> received = carried("receiveFromClient");
    Set<String> sent = carried("sendToClient");
    received.forEach(name -> assertEquals(true, name.startsWith("client"), name));
    sent.forEach(name -> assertEquals(true, name.startsWith("server"), name));
    Set<String> both = new HashSet<>(received);
    both.addAll(sent);
    assertEquals(inChannel, both);
  }

  private static Set<String> carried(String operation) {
    Set<String> names = new TreeSet<>();
    for (Object message : (List<?>) at(document, "operations", operation).get("messages")) {
      String ref = (String) ((Map<?, ?>) message).get("$ref");
      names.add(ref.substring(ref.lastIndexOf('/') + 1));
    }
    return names;
  }

  private static Map<String, Map<String, Field>> described(String direction) {
    Map<String, Map<String, Field>> frames = new TreeMap<>();
    Map<String, Object> messages = at(document, "components", "messages");
    for (String id : messages.keySet()) {
      if (id.startsWith(direction)) {
        Map<String, Object> schema = resolved(at(messages, id).get("payload"));
        String type = (String) at(schema, "properties", "type").get("const");
        assertEquals(at(messages, id).get("name"), type);
        Map<String, Field> fields = fields(schema);
        assertEquals(new Field("const", false), fields.remove("type"), id);
        frames.put(type, fields);
      }
    }
    return frames;
  }

  private static Map<String, Field> fields(Map<String, Object> schema) {
    List<?> required = (List<?>) schema.get("required");
    Map<String, Field> fields = new HashMap<>();
    at(schema, "properties")
        .forEach(
            (name, property) ->
                fields.put(
                    name, new Field(type(name, resolved(property)), !required.contains(name))));
    return fields;
  }

  private static String type(String name, Map<String, Object> property) {
    if (property.get("oneOf") instanceof List<?> either) {
      return type(name, resolved(either.get(0)));
    }
    if (property.containsKey("const")) {
      return name.equals("type") ? "const" : "string";
    }
    if ("date-time".equals(property.get("format"))) {
      return "instant";
    }
    String type = (String) property.get("type");
    return type.equals("array") ? "list" : type;
  }

  private static Map<String, Object> schema(String name) {
    return at(document, "components", "schemas", name);
  }

  private static Map<String, Object> resolved(Object schema) {
    Map<String, Object> found = map(schema);
    return found.get("$ref") instanceof String ref
        ? at(document, ref.substring(2).split("/"))
        : found;
  }

  private static Map<String, Object> at(Map<String, Object> from, String... path) {
    Map<String, Object> found = from;
    for (String step : path) {
      found = map(found.get(step));
    }
    return found;
  }

  @SuppressWarnings("unchecked") // a mapping of a YAML document has names for keys
  private static Map<String, Object> map(Object mapping) {
    return (Map<String, Object>) mapping;
  }
}
