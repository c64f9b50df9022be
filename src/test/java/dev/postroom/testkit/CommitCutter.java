package dev.postroom.testkit;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Stands between a client and PostgreSQL and understands just enough of the protocol to cut a
 * connection exactly around a COMMIT, and to count statements.
 *
 * <p>Client messages are a type byte, a length that counts itself, and a body; the first message of
 * a connection has no type. Safe for any thread.
 */
public final class CommitCutter implements Closeable {

  /** Where the next connection that commits is cut. */
  public enum Cut {
    /** The server never sees the COMMIT, and rolls back. */
    BEFORE_COMMIT,
    /** The server gets the COMMIT; nobody waits for what it makes of it. */
    AFTER_COMMIT,
    /** The server has committed and said so; the client is not told. */
    BEFORE_ANSWER
  }

  private final ServerSocket listener;
  private final int target;
  private final AtomicReference<Cut> next = new AtomicReference<>();
  private final AtomicInteger cuts = new AtomicInteger();
  private final AtomicInteger statements = new AtomicInteger();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean refusing;
  private volatile boolean last;

  public CommitCutter(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Cuts the next COMMIT, once. */
  public void arm(Cut cut) {
    next.set(cut);
  }

  /** Cuts the next COMMIT, and with it the server is {@link #away}: nobody can ask what became. */
  public void armLast(Cut cut) {
    last = true;
    next.set(cut);
  }

  public boolean isArmed() {
    return next.get() != null;
  }

  public int cuts() {
    return cuts.get();
  }

  /** What clients have asked for so far, beginnings and ends of transactions apart. */
  public int statements() {
    return statements.get();
  }

  /** As if the server were gone: what is open ends, what is new is closed at once. */
  public void away(boolean away) {
    refusing = away;
    if (away) {
      open.forEach(CommitCutter::close);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    open.forEach(CommitCutter::close);
  }

  /** One was cut. */
  private void wasCut() {
    cuts.incrementAndGet();
    if (last) {
      last = false;
      away(true);
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (refusing) {
          close(client);
        } else {
          open.add(client);
          connect(client);
        }
      } catch (IOException e) {
        // Closed, or this one client is gone.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
    open.add(server);
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    Link link = new Link(client, server);
    start(link::upstream);
    start(link::downstream);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "commit-cutter");
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed all the same.
    }
  }

  private final class Link {
    private static final byte QUERY = 'Q';
    private static final byte EXECUTE = 'E';
    private static final byte COMMAND_COMPLETE = 'C';

    private final Socket client;
    private final Socket server;
    private volatile boolean mute;

    Link(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void upstream() {
      try {
        DataInputStream in = new DataInputStream(client.getInputStream());
        OutputStream out = server.getOutputStream();
        out.write(body(in, in.readInt(), (byte) 0));
        while (true) {
          byte type = in.readByte();
          byte[] message = body(in, in.readInt(), type);
          if (type == EXECUTE || (type == QUERY && !isBracket(message))) {
            statements.incrementAndGet();
          }
          Cut cut = isCommit(type, message) ? next.getAndSet(null) : null;
          if (cut == null) {
            out.write(message);
          } else {
            cut(cut, out, message);
            return;
          }
        }
      } catch (IOException e) {
        // One side is gone; the other follows.
      } finally {
        if (!mute) {
          end();
        }
      }
    }

    private void cut(Cut cut, OutputStream out, byte[] commit) throws IOException {
      if (cut == Cut.BEFORE_ANSWER) {
        // The other thread reads the answer and then ends both.
        mute = true;
        out.write(commit);
        return;
      }
      if (cut == Cut.AFTER_COMMIT) {
        out.write(commit);
      }
      wasCut();
    }

    void downstream() {
      try {
        DataInputStream in = new DataInputStream(server.getInputStream());
        OutputStream out = client.getOutputStream();
        while (true) {
          byte type = in.readByte();
          byte[] message = body(in, in.readInt(), type);
          if (!mute) {
            out.write(message);
          } else if (type == COMMAND_COMPLETE && text(message).startsWith("COMMIT")) {
            wasCut();
            return;
          }
        }
      } catch (IOException e) {
        // One side is gone; the other follows.
      } finally {
        end();
      }
    }

    private static boolean isBracket(byte[] message) {
      String text = text(message);
      return text.startsWith("BEGIN") || text.startsWith("COMMIT") || text.startsWith("ROLLBACK");
    }

    private boolean isCommit(byte type, byte[] message) {
      return type == QUERY && text(message).startsWith("COMMIT");
    }

    private static String text(byte[] message) {
      return new String(message, 5, message.length - 5, StandardCharsets.UTF_8);
    }

    /** The whole message as it stood on the wire. */
    private static byte[] body(InputStream in, int length, byte type) throws IOException {
      int head = type == 0 ? 4 : 5;
      byte[] message = new byte[head + length - 4];
      if (type != 0) {
        message[0] = type;
      }
      for (int i = 0; i < 4; i++) {
        message[head - 4 + i] = (byte) (length >>> (24 - 8 * i));
      }
      if (in.readNBytes(message, head, length - 4) < length - 4) {
        throw new EOFException();
      }
      return message;
    }

    private void end() {
      CommitCutter.close(client);
      CommitCutter.close(server);
      open.remove(client);
      open.remove(server);
    }
  }
}
