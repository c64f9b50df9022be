package dev.postroom.outbox;

import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;

/** What all pumps of a node share. */
@ApplicationScoped
class PumpParts {
  private final RelayConfig config;
  private final Lanes lanes;
  private final Settler settler;
  private final Leases leases;
  private final RelayMetrics metrics;
  private final RelayLoop loop;
  private final Backoff backoff = new Backoff(new SecureRandom());

  PumpParts(
      RelayConfig config,
      Lanes lanes,
      Settler settler,
      Leases leases,
      RelayMetrics metrics,
      RelayLoop loop) {
    this.config = config;
    this.lanes = lanes;
    this.settler = settler;
    this.leases = leases;
    this.metrics = metrics;
    this.loop = loop;
  }

  RelayConfig config() {
    return config;
  }

  Lanes lanes() {
    return lanes;
  }

  Settler settler() {
    return settler;
  }

  Leases leases() {
    return leases;
  }

  RelayMetrics metrics() {
    return metrics;
  }

  RelayLoop loop() {
    return loop;
  }

  Backoff backoff() {
    return backoff;
  }
}
