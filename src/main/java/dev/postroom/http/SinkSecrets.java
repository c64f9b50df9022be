package dev.postroom.http;

import dev.postroom.protocol.ErrorCode;
import dev.postroom.sink.webhook.Secrets;
import dev.postroom.sink.webhook.SecretsUnavailable;
import dev.postroom.sink.webhook.SigningSecret;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;

/** New names and secrets for sinks. Safe for any thread. */
@ApplicationScoped
class SinkSecrets {

  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int LENGTH = 16;

  private final SecureRandom random = new SecureRandom();
  private final Secrets secrets;

  SinkSecrets(Secrets secrets) {
    this.secrets = secrets;
  }

  /** {@code snk_} and 80 random bits. */
  String id() {
    StringBuilder id = new StringBuilder("snk_");
    for (int i = 0; i < LENGTH; i++) {
      id.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return id.toString();
  }

  /**
   * @throws Refusal if no key is configured to keep it with
   */
  Fresh fresh() {
    SigningSecret secret = secrets.generate();
    try {
      return new Fresh(secret.text(), secrets.seal(secret));
    } catch (SecretsUnavailable e) {
      throw new Refusal(Problem.of(ErrorCode.INVALID, String.valueOf(e.getMessage())));
    }
  }

  /**
   * A new secret.
   *
   * @param text as its owner gets it, once
   * @param sealed as it is stored
   */
  record Fresh(String text, byte[] sealed) {
    @Override
    public String toString() {
      return "Fresh[]";
    }
  }
}
