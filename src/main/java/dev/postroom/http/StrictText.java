package dev.postroom.http;

import dev.postroom.protocol.ErrorCode;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Refuses a body that is not UTF-8. The JSON reader takes overlong forms and half surrogate pairs
 * for characters, so that two different bodies would say the same.
 *
 * <p>The body is in memory already, and bounded.
 */
@Provider
public class StrictText implements ReaderInterceptor {

  @Override
  public Object aroundReadFrom(ReaderInterceptorContext context)
      throws IOException, WebApplicationException {
    byte[] body = context.getInputStream().readAllBytes();
    if (!isUtf8(body)) {
      throw new Refusal(Problem.of(ErrorCode.BAD_FRAME, "The body is not UTF-8."));
    }
    context.setInputStream(new ByteArrayInputStream(body));
    return context.proceed();
  }

  private static boolean isUtf8(byte[] body) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
