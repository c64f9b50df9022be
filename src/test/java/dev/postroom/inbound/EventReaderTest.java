package dev.postroom.inbound;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventReaderTest {
  private static final String STRUCTURED = "application/cloudevents+json; charset=utf-8";
  private static final String GOOD =
      "{'specversion':'1.0','id':'1','source':'/s','type':'t','data':{'text':'hé'}}";

  private static CloudEvent structured(String json) {
    return EventReader.read(STRUCTURED, Map.of(), json.replace('\'', '"').getBytes(UTF_8));
  }

  private static Map<String, String> attributes(String... changes) {
    Map<String, String> headers = new HashMap<>();
    headers.putAll(
        Map.of("ce-specversion", "1.0", "ce-id", "1", "ce-source", "/s", "ce-type", "t"));
    for (int i = 0; i < changes.length; i += 2) {
      headers.put(changes[i], changes[i + 1]);
    }
    return headers;
  }

  private static CloudEvent binary(Map<String, String> headers, String body) {
    return EventReader.read("application/json", headers, body.getBytes(UTF_8));
  }

  @Test
  @DisplayName("both forms are one view: attributes on top, data below /data")
  void oneView() {
    CloudEvent one = structured(GOOD);
    CloudEvent other = binary(attributes("host", "x", "ce-subject", "s"), "{\"text\":\"hé\"}");
    for (CloudEvent event : new CloudEvent[] {one, other}) {
      assertEquals("1", event.id());
      assertEquals("t", event.type());
      assertEquals("/s", event.text(JsonPointer.compile("/source")));
      assertEquals("hé", event.text(JsonPointer.compile("/data/text")));
      assertFalse(event.toString().contains("hé"));
    }
    assertEquals("s", other.text(JsonPointer.compile("/subject")));
    assertThrows(Unfit.class, () -> other.text(JsonPointer.compile("/host")));
  }

  @Test
  @DisplayName("headers are decoded as CloudEvents has it; the body alone is data")
  void headers() {
    CloudEvent event =
        binary(attributes("ce-id", "Gr%C3%BC%c3%9fe 100%", "ce-data", "no"), "\"x\"");
    assertEquals("Grüße 100%", event.id());
    assertEquals("x", event.text(JsonPointer.compile("/data")));
  }

  @ParameterizedTest
  @DisplayName("S2: what is no event is refused, and the attribute at fault named")
  @CsvSource(
      delimiter = '|',
      value = {
        "'specversion':'1.0'    | 'specversion':'0.3' | specversion",
        "'specversion':'1.0'    | 'specversion':1.0   | specversion",
        "'specversion':'1.0',   | ''                  | specversion",
        "'id':'1'               | 'id':1              | id",
        "'id':'1'               | 'id':''             | id",
        "'id':'1'               | 'id':'\\ud800'      | id",
        "'source':'/s',         | ''                  | source",
        "'type':'t'             | 'type':null         | type",
      },
      quoteCharacter = '~')
  void attributeAtFault(String good, String bad, String field) {
    String json = GOOD.replace(good, bad.equals("''") ? "" : bad);
    assertEquals(field, assertThrows(Unfit.class, () -> structured(json)).field());
  }

  @Test
  void headerAtFault() {
    Unfit none = assertThrows(Unfit.class, () -> binary(Map.of(), "{}"));
    assertEquals("ce-specversion", none.field());
    Map<String, String> empty = attributes("ce-id", "");
    assertEquals("ce-id", assertThrows(Unfit.class, () -> binary(empty, "{}")).field());
  }

  @ParameterizedTest
  @DisplayName("S2: a body that is not one JSON object is refused without being repeated")
  @ValueSource(strings = {"", "secret", "[]", "{'a':1", "{'id':'1','id':'secret'}", "{} secret"})
  void unreadable(String body) {
    Unfit unfit = assertThrows(Unfit.class, () -> structured(body));
    assertNull(unfit.field());
    assertFalse(unfit.detail().contains("secret"));
  }

  @Test
  @DisplayName("a million opening brackets are refused, not a stack overflow")
  void deep() {
    assertThrows(Unfit.class, () -> structured("[".repeat(100_000)));
  }

  @Test
  void mediaTypes() {
    assertTrue(EventReader.reads(STRUCTURED));
    assertTrue(EventReader.reads("Application/JSON"));
    assertTrue(EventReader.reads("application/vnd.order+json"));
    assertFalse(EventReader.reads("application/cloudevents-batch+json"));
    assertFalse(EventReader.reads("text/plain"));
    assertFalse(EventReader.reads(""));
  }
}
