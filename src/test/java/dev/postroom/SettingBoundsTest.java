package dev.postroom;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.postroom.testkit.Settings;
import io.smallrye.config.ConfigMapping;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.constraints.Max;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Every number and duration among the settings has a lower bound, and every number that could ask
 * for more than there is an upper one (S1).
 */
class SettingBoundsTest {

  /** Where 0 means something; docs/operations.md says what. */
  private static final Set<String> MAY_BE_ZERO =
      new TreeSet<>(
          Set.of(
              "postroom.access.keys-again-after",
              "postroom.accept.rate",
              "postroom.fanout.linger",
              "postroom.fanout.page-cache-bytes",
              "postroom.fanout.recent-bytes",
              "postroom.fanout.recent-messages",
              "postroom.fanout.recent-total-bytes",
              "postroom.keep.closed-for",
              "postroom.session.delta-messages",
              "postroom.session.drain",
              "postroom.session.repeat-hold"));

  /** Bounds of caches, and counts that nothing is made for in advance: as large as one likes. */
  private static final Set<String> MAY_BE_HUGE =
      new TreeSet<>(
          Set.of(
              "postroom.fanout.page-cache-bytes",
              "postroom.fanout.recent-bytes",
              "postroom.fanout.recent-total-bytes",
              "postroom.keep.text-count",
              "postroom.relay.event-faults",
              "postroom.relay.lane-events",
              "postroom.session.delta-messages",
              "postroom.session.max-bad-frames"));

  private static final List<Setting> SETTINGS =
      new ClassFileImporter()
          .importPath(Path.of("target/classes")).stream()
              .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
              .map(JavaClass::reflect)
              .flatMap(
                  group ->
                      Stream.of(group.getDeclaredMethods()).map(each -> new Setting(group, each)))
              .toList();

  private final Validator validator = Validation.buildDefaultValidatorFactory().getValidator();

  @Test
  @DisplayName("S1: 0 is refused, but where it means something")
  void zero() {
    assertEquals(MAY_BE_ZERO, taken("0"));
  }

  @Test
  @DisplayName("S1: what is negative is refused")
  void negative() {
    assertEquals(Set.of(), taken("-1"));
  }

  @Test
  @DisplayName("S1: what is more than there can be is refused")
  void huge() {
    assertEquals(
        MAY_BE_HUGE,
        taken(Integer.toString(Integer.MAX_VALUE), settings().filter(Setting::isNumber)));
  }

  @Test
  @DisplayName("S1: a duration that no arithmetic can bear is refused")
  void endless() {
    assertEquals(
        Set.of(), taken(Long.toString(40_000L * 86_400), settings().filter(Setting::isDuration)));
  }

  @Test
  @DisplayName("S1: the document names the largest value that is taken")
  void documented() throws IOException {
    Map<String, List<String>> rows =
        DocumentTable.below("## Settings", Path.of("docs/operations.md"));
    settings()
        .filter(each -> each.method().isAnnotationPresent(Max.class))
        .forEach(
            each -> {
              String most = "At most " + each.method().getAnnotation(Max.class).value();
              String meaning = rows.get(each.name()).get(1);
              assertTrue(meaning.endsWith(most), each.name() + ": " + most + ", not " + meaning);
            });
  }

  @Test
  @DisplayName("the defaults are within their bounds")
  void defaults() {
    assertEquals(
        Set.of(),
        settings()
            .filter(each -> refuses(each, Map.of()))
            .map(Setting::name)
            .collect(toCollection(TreeSet::new)));
  }

  /** The settings that take this number, or so many seconds. */
  private Set<String> taken(String number) {
    return taken(number, settings().filter(each -> each.isNumber() || each.isDuration()));
  }

  private Set<String> taken(String number, Stream<Setting> among) {
    return among
        .filter(
            each -> !refuses(each, Map.of(each.name(), each.isNumber() ? number : number + "s")))
        .map(Setting::name)
        .collect(toCollection(TreeSet::new));
  }

  private boolean refuses(Setting setting, Map<String, String> values) {
    try {
      Object group = Settings.of(setting.group(), values);
      Object value = setting.method().invoke(group);
      return !validator
          .forExecutables()
          .validateReturnValue(group, setting.method(), value)
          .isEmpty();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(setting.name(), e);
    }
  }

  private static Stream<Setting> settings() {
    return SETTINGS.stream();
  }

  private record Setting(Class<?> group, Method method) {

    String name() {
      return group.getAnnotation(ConfigMapping.class).prefix()
          + "."
          + method.getName().replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    boolean isNumber() {
      String type = method.getGenericReturnType().getTypeName();
      return type.equals("int") || type.equals("long") || type.contains("OptionalLong");
    }

    boolean isDuration() {
      return method.getGenericReturnType().getTypeName().contains("java.time.Duration");
    }
  }
}
