package dev.postroom.inbound;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {
  private static final CloudEvent EVENT =
      EventReader.read(
          "application/cloudevents+json",
          Map.of(),
          """
          {"specversion":"1.0","id":"7","source":"/s","type":"t","ext":true,
           "data":{"text":"Grüße {/id}","no":12.50,"none":null,"list":[{"a/b":"c"}]}}
          """
              .getBytes(UTF_8));

  @ParameterizedTest
  @DisplayName("literal text stays, places are filled once")
  @CsvSource({
    "plain, plain",
    "{/id}, 7",
    "a{/id}b{/data/text}c, a7bGrüße {/id}c",
    "{/data/no}/{/ext}, 12.50/true",
    "{/data/list/0/a~1b}, c",
    "{id} {, {id} {",
    "{{/id}, {/id}",
    "{{{/id}}, {7}",
  })
  void filled(String template, String text) {
    assertEquals(text, Template.parse(template).fill(EVENT));
  }

  @ParameterizedTest
  @DisplayName("what is not there, null, or no single value is named by its place")
  @ValueSource(strings = {"/data/nothing", "/data/none", "/data/list", "/data", "/data/list/1"})
  void cannotBeFilled(String place) {
    Template template = Template.parse("x {" + place + "}");
    Unfit unfit = assertThrows(Unfit.class, () -> template.fill(EVENT));
    assertEquals(place, unfit.field());
  }

  @Test
  void fixedOnlyWithoutPlaces() {
    assertEquals("{a}", Template.parse("{{a}").fixed());
    assertNull(Template.parse("{/id}").fixed());
    assertNull(Template.parse("a{/id}").fixed());
  }

  @Test
  void placeWithoutEnd() {
    assertThrows(IllegalArgumentException.class, () -> Template.parse("a {/data"));
  }
}
