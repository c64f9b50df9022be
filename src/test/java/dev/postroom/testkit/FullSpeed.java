package dev.postroom.testkit;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/**
 * For tests that send as fast as they can: no rate per participant, a delta limit and a hold for
 * repeats that a pause of the machine does not pass, and a sweep that is not waited for long.
 */
public class FullSpeed implements QuarkusTestProfile {
  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.of(
        "postroom.accept.rate", "0",
        "postroom.session.delta-messages", "200000",
        "postroom.session.repeat-hold", "5M",
        "postroom.fanout.sweep-with-hints", "1s");
  }
}
