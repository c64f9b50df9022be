package dev.postroom.session;

import dev.postroom.room.Cursor;
import dev.postroom.room.Room;
import org.jspecify.annotations.Nullable;

/**
 * How a join is answered (R1), and the metric label for it.
 *
 * <p>Pure: the decision depends on the room and the cursor alone.
 */
enum Resume {
  /** No cursor: snapshot. */
  FRESH("fresh"),
  /** The room's numbers changed their meaning: snapshot. */
  OTHER_EPOCH("other_epoch"),
  /** More than the room has: snapshot. */
  AHEAD("ahead"),
  /** Older than what is kept: snapshot. */
  NOT_KEPT("not_kept"),
  /** Further behind than the delta limit: snapshot. */
  TOO_FAR("too_far"),
  /** Exactly what is missing, maybe nothing. */
  DELTA("delta");

  private final String label;

  Resume(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /** A snapshot because this node's view and the cursor disagree: worth a look at the database. */
  boolean disagrees() {
    return this == OTHER_EPOCH || this == AHEAD;
  }

  static Resume of(Room room, @Nullable Cursor cursor, long deltaLimit) {
    if (cursor == null) {
      return FRESH;
    }
    if (!cursor.epoch().equals(room.epoch())) {
      return OTHER_EPOCH;
    }
    if (cursor.after() > room.head()) {
      return AHEAD;
    }
    if (cursor.after() < room.keptFrom() - 1) {
      return NOT_KEPT;
    }
    return room.head() - cursor.after() > deltaLimit ? TOO_FAR : DELTA;
  }
}
