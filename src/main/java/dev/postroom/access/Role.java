package dev.postroom.access;

import org.jspecify.annotations.Nullable;

/** What a participant may do in a room; each includes the ones before it. */
public enum Role {
  READER("reader"),
  WRITER("writer"),
  OWNER("owner");

  private final String wire;

  Role(String wire) {
    this.wire = wire;
  }

  public String wire() {
    return wire;
  }

  /** The role of that word, or null. */
  public static @Nullable Role ofWire(String word) {
    for (Role role : values()) {
      if (role.wire.equals(word)) {
        return role;
      }
    }
    return null;
  }

  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }
}
