package dev.postroom.http;

import dev.postroom.access.Principal;
import jakarta.enterprise.context.RequestScoped;
import org.jspecify.annotations.Nullable;

/** Who makes this request, as {@link TokenFilter} found. One per request. */
@RequestScoped
public class Caller {

  private @Nullable Principal principal;

  /** Set for every resource below {@code /api}: without a good token none is reached. */
  public Principal principal() {
    if (principal == null) {
      throw new IllegalStateException("asked for the caller outside /api");
    }
    return principal;
  }

  void is(Principal verified) {
    principal = verified;
  }
}
