package dev.postroom.fanout;

import dev.postroom.protocol.EncodedBody;
import java.util.List;

/**
 * A run of neighbouring messages of one epoch, ascending.
 *
 * @param messages without holes
 * @param head the room's last seq when the page was cut, as far as this node knows
 * @param keptFrom the first seq whose text is kept
 */
public record Page(String epoch, List<EncodedBody> messages, long head, long keptFrom) {

  /** Where a reader stands who has applied this page after {@code before}. */
  public long after(long before) {
    return messages.isEmpty() ? before : messages.get(messages.size() - 1).seq();
  }

  /** True if there are kept messages before this page. */
  public boolean earlier() {
    return !messages.isEmpty() && messages.get(0).seq() > keptFrom;
  }

  /** Its newest messages that fit into {@code maxBytes}; at least one if there is one. */
  public Page newestWithin(long maxBytes) {
    int from = messages.size();
    long size = 0;
    while (from > 0) {
      size += messages.get(from - 1).bytes();
      if (size > maxBytes && from < messages.size()) {
        break;
      }
      from--;
    }
    return from == 0
        ? this
        : new Page(epoch, messages.subList(from, messages.size()), head, keptFrom);
  }

  public long bytes() {
    long sum = 0;
    for (EncodedBody message : messages) {
      sum += message.bytes();
    }
    return sum;
  }
}
