package dev.postroom.http;

import dev.postroom.access.Tokens;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.SimpleResourceInfo;
import org.jspecify.annotations.Nullable;

/**
 * Nothing below {@code /api} is reached without a good token, but for the door of other systems,
 * which knows them by other means.
 */
public class TokenFilter {

  private final Tokens tokens;
  private final Caller caller;

  TokenFilter(Tokens tokens, Caller caller) {
    this.tokens = tokens;
    this.caller = caller;
  }

  @ServerRequestFilter
  public Uni<@Nullable Response> verify(
      ContainerRequestContext request, SimpleResourceInfo resource) {
    // By what was found at the path, not by how the path is written.
    if (resource.getResourceClass() == InboundResource.class) {
      return Uni.createFrom().nullItem();
    }
    if (!request.getUriInfo().getPath().startsWith("/api")) {
      return Uni.createFrom().nullItem();
    }
    List<String> headers = request.getHeaders().get(HttpHeaders.AUTHORIZATION);
    String token = headers == null || headers.size() != 1 ? null : Tokens.bearer(headers.get(0));
    return tokens.verify(token).invoke(caller::is).map(principal -> null);
  }
}
