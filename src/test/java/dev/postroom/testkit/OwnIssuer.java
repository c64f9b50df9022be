package dev.postroom.testkit;

import java.util.HashMap;
import java.util.Map;

/** A service that takes the tokens of one issuer, whose key it is given, and issues none itself. */
public final class OwnIssuer extends FullSpeed {

  @Override
  public Map<String, String> getConfigOverrides() {
    Map<String, String> settings = new HashMap<>(super.getConfigOverrides());
    settings.put("mp.jwt.verify.publickey", mint().jwk());
    settings.put("mp.jwt.verify.issuer", TokenMint.ISSUER);
    settings.put("mp.jwt.verify.audiences", TokenMint.AUDIENCE);
    // So that every socket is looked at every second.
    settings.put("postroom.session.progress-timeout", "5s");
    return settings;
  }

  public static TokenMint mint() {
    return TokenMint.shared("issuer");
  }
}
