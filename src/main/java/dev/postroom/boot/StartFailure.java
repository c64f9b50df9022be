package dev.postroom.boot;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigValidationException;
import java.net.BindException;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/** Tells why the service did not start: in one line, unless the reason is unforeseen. */
public final class StartFailure {

  private StartFailure() {}

  /** Prints it to the error output. */
  public static void tell(Throwable failure) {
    String line = explain(failure);
    if (line == null) {
      System.err.println("Postroom did not start, for a reason that nobody foresaw:");
      failure.printStackTrace();
    } else {
      System.err.println(line);
    }
  }

  /** One line, or null for an unforeseen failure. */
  static @Nullable String explain(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable each = failure; each != null && seen.add(each); each = each.getCause()) {
      if (each instanceof StartRefused || each instanceof ConfigurationException) {
        return oneLine(each);
      }
      if (each instanceof ConfigValidationException) {
        return "The configuration cannot be used: " + oneLine(each);
      }
      if (each instanceof BindException) {
        return ListenAddress.explain(ConfigProvider.getConfig());
      }
      if (each instanceof SQLException sql) {
        return DatabaseFault.explain(configuredDatabase(), sql);
      }
    }
    return null;
  }

  /** Without the numbers by which the reader of settings names its own messages. */
  private static String oneLine(Throwable failure) {
    return String.valueOf(failure.getMessage())
        .replaceAll("SRCFG\\d+:? *", "")
        .replaceAll("\\s*[\\r\\n]+\\s*", " ");
  }

  private static String configuredDatabase() {
    return ReactiveUrl.parse(setting(ReactiveUrl.PROPERTY)).toString();
  }

  private static String setting(String name) {
    return ConfigProvider.getConfig().getOptionalValue(name, String.class).orElse("");
  }
}
