package dev.postroom.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A WebSocket client (RFC 6455) down to its bytes: it can send text, and read nothing at all behind
 * a receive buffer so small that the server soon notices.
 */
public final class DeafSocket implements AutoCloseable {
  private static final int RECEIVE_BUFFER = 8 * 1024;

  private final Socket socket = new Socket();

  public DeafSocket(URI uri, String token) {
    try {
      socket.setReceiveBufferSize(RECEIVE_BUFFER);
      socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()));
      write(
          ("GET "
                  + uri.getPath()
                  + " HTTP/1.1\r\nHost: "
                  + uri.getAuthority()
                  + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                  + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: postroom.v1\r\n"
                  + "Authorization: Bearer "
                  + token
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      readHead();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends one short text frame, masked with zeros, which is a mask like any other. */
  public void text(String frame) {
    byte[] text = frame.getBytes(StandardCharsets.UTF_8);
    if (text.length > 125) {
      throw new IllegalArgumentException("short frames only");
    }
    byte[] bytes = new byte[6 + text.length];
    bytes[0] = (byte) 0x81;
    bytes[1] = (byte) (0x80 | text.length);
    System.arraycopy(text, 0, bytes, 6, text.length);
    try {
      write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(byte[] bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes);
    out.flush();
  }

  private void readHead() throws IOException {
    InputStream in = socket.getInputStream();
    int ends = 0;
    while (ends < 4) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("closed during the handshake");
      }
      ends = next == "\r\n\r\n".charAt(ends) ? ends + 1 : 0;
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
