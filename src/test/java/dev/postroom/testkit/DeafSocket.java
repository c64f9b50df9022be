package dev.postroom.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A WebSocket client (RFC 6455) down to its bytes: it can send text, and reads nothing at all
 * unless it is told to, behind a receive buffer so small that the server soon notices. It answers
 * no ping.
 *
 * <p>Reading is bounded by {@value #PATIENCE_MS} ms without a byte.
 */
public final class DeafSocket implements AutoCloseable {
  private static final int RECEIVE_BUFFER = 8 * 1024;
  private static final int PATIENCE_MS = 30_000;
  private static final int LAST = 0x80;
  private static final int CONTINUATION = 0;
  private static final int TEXT = 1;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;

  private final Socket socket = new Socket();
  private int pongs;
  private String lastPong = "";

  public DeafSocket(URI uri, String token) {
    try {
      socket.setReceiveBufferSize(RECEIVE_BUFFER);
      socket.setSoTimeout(PATIENCE_MS);
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
    send(TEXT, frame);
  }

  /** Sends a ping frame, not the text that asks the service. */
  public void ping(String payload) {
    send(PING, payload);
  }

  private void send(int opcode, String payload) {
    byte[] text = payload.getBytes(StandardCharsets.UTF_8);
    if (text.length > 125) {
      throw new IllegalArgumentException("short frames only");
    }
    byte[] bytes = new byte[6 + text.length];
    bytes[0] = (byte) (LAST | opcode);
    bytes[1] = (byte) (0x80 | text.length);
    System.arraycopy(text, 0, bytes, 6, text.length);
    try {
      write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next text frame; pings before it are passed over. */
  public JsonNode next() {
    Frame frame = frame();
    if (frame.opcode != TEXT) {
      throw new AssertionError("closed with " + frame.code());
    }
    try {
      return RoomClient.JSON.readTree(frame.payload);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Takes what has come until the connection ends, with or without a close.
   *
   * @return the greatest {@code seq} of a live message in it, or 0
   */
  public long readToTheEnd() {
    long last = 0;
    try {
      for (Frame frame = frame(); frame.opcode == TEXT; frame = frame()) {
        JsonNode message = RoomClient.JSON.readTree(frame.payload);
        last = Math.max(last, message.path("seq").asLong());
      }
    } catch (IOException | UncheckedIOException ended) {
      // Whatever was whole until then counts.
    }
    return last;
  }

  /** Pong frames that were read past. */
  public int pongs() {
    return pongs;
  }

  /** The payload of the last of them. */
  public String lastPong() {
    return lastPong;
  }

  /** Reads on to the close and returns its code. */
  public int awaitClose() {
    Frame frame = frame();
    while (frame.opcode != CLOSE) {
      frame = frame();
    }
    return frame.code();
  }

  /** The next text, put together, or close. */
  private Frame frame() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        int head = in.readUnsignedByte();
        int length = in.readUnsignedByte();
        long bytes =
            length == 127 ? in.readLong() : length == 126 ? in.readUnsignedShort() : length;
        byte[] payload = in.readNBytes(Math.toIntExact(bytes));
        int opcode = head & 0x0f;
        if (opcode == CLOSE) {
          return new Frame(CLOSE, payload);
        }
        if (opcode == PONG) {
          pongs++;
          lastPong = new String(payload, StandardCharsets.UTF_8);
        }
        if (opcode == TEXT || opcode == CONTINUATION) {
          text.write(payload);
          if ((head & LAST) != 0) {
            return new Frame(TEXT, text.toByteArray());
          }
        }
      }
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

  private record Frame(int opcode, byte[] payload) {
    int code() {
      return ((payload[0] & 0xff) << 8) | (payload[1] & 0xff);
    }
  }
}
