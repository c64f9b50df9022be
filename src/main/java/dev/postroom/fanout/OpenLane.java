package dev.postroom.fanout;

import dev.postroom.room.Room;
import dev.postroom.room.RoomMessage;
import io.smallrye.mutiny.Uni;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lane, and the reads on its behalf that are under way. */
final class OpenLane {
  final Lane lane;
  final SharedRead confirming = new SharedRead();
  final SharedRead filling = new SharedRead();
  Uni<Boolean> opened = Uni.createFrom().item(false);

  OpenLane(Lane lane) {
    this.lane = lane;
  }

  void take(@Nullable Room room, List<RoomMessage> messages) {
    if (room != null) {
      lane.open(room, messages);
    }
  }
}
