package dev.postroom.http;

import dev.postroom.access.DevelopmentIssuer;
import dev.postroom.access.KeySetting;
import dev.postroom.protocol.ErrorCode;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.UriInfo;

/** What is for development runs alone: elsewhere there is nothing here. */
@ApplicationScoped
public class DevelopmentGate {

  private final DevelopmentIssuer issuer;

  DevelopmentGate(DevelopmentIssuer issuer) {
    this.issuer = issuer;
  }

  /**
   * @throws Refusal unless this is a development run, asked under a name of this machine
   */
  void open(UriInfo uri) {
    if (!issuer.isActive()) {
      throw new Refusal(Problems.ofStatus(404));
    }
    // A foreign page can point a name of its own at this machine; it cannot change that name.
    if (!KeySetting.isLoopback(uri.getBaseUri().getHost())) {
      throw new Refusal(
          Problem.of(
              ErrorCode.FORBIDDEN,
              "What is for development is for this machine: ask at localhost or 127.0.0.1."));
    }
  }

  /** For messages of which the first word is the field: "name must be …". */
  static Refusal invalid(IllegalArgumentException wrong) {
    String message = String.valueOf(wrong.getMessage());
    return new Refusal(Problem.invalid(message.substring(0, message.indexOf(' ')), message));
  }
}
