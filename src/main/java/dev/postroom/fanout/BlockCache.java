package dev.postroom.fanout;

import dev.postroom.protocol.EncodedBody;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Complete blocks of encoded messages, least recently used out first, bounded by bytes. */
final class BlockCache {
  private final Map<Key, List<EncodedBody>> blocks = new LinkedHashMap<>(16, 0.75f, true);
  private final long maxBytes;
  private long bytes;

  BlockCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  synchronized @Nullable List<EncodedBody> get(Key key) {
    return blocks.get(key);
  }

  synchronized void put(Key key, List<EncodedBody> block) {
    List<EncodedBody> before = blocks.put(key, block);
    bytes += size(block) - (before == null ? 0 : size(before));
    var oldest = blocks.entrySet().iterator();
    while (bytes > maxBytes && oldest.hasNext()) {
      bytes -= size(oldest.next().getValue());
      oldest.remove();
    }
  }

  synchronized void forget(long roomNo) {
    blocks
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = entry.getKey().roomNo() == roomNo;
              bytes -= gone ? size(entry.getValue()) : 0;
              return gone;
            });
  }

  private static long size(List<EncodedBody> block) {
    long sum = 0;
    for (EncodedBody body : block) {
      sum += body.bytes();
    }
    return sum;
  }

  record Key(long roomNo, String epoch, long index) {}
}
