package dev.postroom.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/** A client that keeps a command until it has the result, over whichever transport. */
public interface Sender extends AutoCloseable {

  /** Hands over a command; it is sent again until it is acknowledged. */
  void send(String id, String text);

  /** True if every command handed over so far has been acknowledged. */
  boolean settled();

  /** clientMessageId to its first result. */
  Map<String, JsonNode> acks();

  /** Code of a temporary error to how often it came. */
  Map<String, Integer> refusals();

  /** What no client should see. */
  List<String> wrongs();

  @Override
  void close();
}
