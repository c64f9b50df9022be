package dev.postroom.access;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** What everybody may do without a claim or membership. */
@ConfigMapping(prefix = "postroom.rooms")
public interface RoomRights {

  /**
   * Whether everybody with a valid token may read and write every room and make new ones. Unset:
   * true in the development run, false otherwise.
   */
  Optional<Boolean> openToAll();

  /**
   * Whether a room is made when somebody with the right to write in it first joins it or sends to
   * it. Unset: true in the development run, false otherwise, where rooms are made by PUT alone.
   */
  Optional<Boolean> createOnUse();
}
