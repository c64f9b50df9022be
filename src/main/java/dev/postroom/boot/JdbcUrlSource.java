package dev.postroom.boot;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Lets Flyway, which speaks JDBC, reach the database that the reactive address names, so that an
 * operator writes one address. An address given for JDBC by hand wins.
 */
public final class JdbcUrlSource implements ConfigSourceFactory {

  static final String PROPERTY = "quarkus.datasource.jdbc.url";

  /** Below application.properties (250), so that everything else overrides it. */
  private static final int ORDINAL = 90;

  @Override
  public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
    ConfigValue url = context.getValue(ReactiveUrl.PROPERTY);
    if (url == null || url.getValue() == null || url.getValue().isBlank()) {
      return List.of();
    }
    try {
      String jdbc = ReactiveUrl.parse(url.getValue()).jdbc();
      return List.of(
          new PropertiesConfigSource(Map.of(PROPERTY, jdbc), "JDBC from reactive", ORDINAL));
    } catch (StartRefused e) {
      // Main says so in one line; here it would come wrapped in a configuration failure.
      return List.of();
    }
  }

  @Override
  public OptionalInt getPriority() {
    return OptionalInt.of(ORDINAL);
  }
}
