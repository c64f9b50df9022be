package dev.postroom;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The settings table of the operations document says what the code says (S1). */
class SettingsTableTest {
  private static final Path DOCUMENT = Path.of("docs/operations.md");
  private static final String NONE = "–";

  @Test
  @DisplayName("S1: every setting is documented with its default, and every documented one exists")
  void tableIsTheCode() throws IOException {
    Map<String, String> documented =
        DocumentTable.below("## Settings", DOCUMENT).entrySet().stream()
            .collect(toMap(Map.Entry::getKey, row -> row.getValue().get(0)));

    assertEquals(lines(settings()), lines(documented));
  }

  @Test
  @DisplayName("every documented setting says what it means")
  void everyRowHasItsMeaning() throws IOException {
    DocumentTable.below("## Settings", DOCUMENT)
        .forEach((name, cells) -> assertFalse(cells.get(1).isBlank(), name));
  }

  /** One a line, so that a difference can be read. */
  private static String lines(Map<String, String> settings) {
    StringBuilder lines = new StringBuilder();
    new TreeMap<>(settings)
        .forEach((name, value) -> lines.append("%s = %s%n".formatted(name, value)));
    return lines.toString();
  }

  private static Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    new ClassFileImporter()
        .importPath(Path.of("target/classes")).stream()
            .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
            .map(JavaClass::reflect)
            .forEach(
                type -> collect(type.getAnnotation(ConfigMapping.class).prefix(), type, settings));
    return settings;
  }

  private static void collect(String prefix, Class<?> group, Map<String, String> settings) {
    for (Method method : group.getDeclaredMethods()) {
      if (method.isSynthetic() || method.isDefault()) {
        continue;
      }
      if (method.getReturnType() == Map.class) {
        // By a name of the operator's choice.
        collect(prefix + ".<source>", groupOfMap(method), settings);
        continue;
      }
      String name = prefix + "." + name(method);
      if (isGroup(method.getReturnType())) {
        collect(name, method.getReturnType(), settings);
      } else {
        settings.put(name, defaultOf(method));
      }
    }
  }

  private static Class<?> groupOfMap(Method method) {
    ParameterizedType map = (ParameterizedType) method.getGenericReturnType();
    return (Class<?>) map.getActualTypeArguments()[1];
  }

  private static boolean isGroup(Class<?> type) {
    return type.isInterface() && type.getPackageName().startsWith("dev.postroom");
  }

  private static String name(Method method) {
    return Optional.ofNullable(method.getAnnotation(WithName.class))
        .map(WithName::value)
        .orElse(method.getName().replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT));
  }

  private static String defaultOf(Method method) {
    return Optional.ofNullable(method.getAnnotation(WithDefault.class))
        .map(WithDefault::value)
        .orElse(NONE);
  }
}
