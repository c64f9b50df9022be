package dev.postroom.testkit;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** As {@link PgResource}, with a {@link CommitCutter} in between, injected into the test. */
public final class CutterResource implements QuarkusTestResourceLifecycleManager {

  /** The profile that brings it, so that tests behind a cutter share one service. */
  public static final class InBetween implements QuarkusTestProfile {
    @Override
    public List<TestResourceEntry> testResources() {
      return List.of(new TestResourceEntry(CutterResource.class));
    }

    @Override
    public boolean disableGlobalTestResources() {
      return true;
    }
  }

  private @Nullable CommitCutter cutter;

  @Override
  public Map<String, String> start() {
    EmbeddedPg.Database database = EmbeddedPg.emptyDatabase();
    try {
      cutter = new CommitCutter(database.port());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> settings = new HashMap<>(PgResource.settings(database));
    settings.put(
        "quarkus.datasource.reactive.url",
        new EmbeddedPg.Database(cutter.port(), database.name()).reactiveUrl());
    return settings;
  }

  @Override
  public void inject(TestInjector injector) {
    injector.injectIntoFields(cutter, new TestInjector.MatchesType(CommitCutter.class));
  }

  @Override
  public void stop() {
    try {
      if (cutter != null) {
        cutter.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
