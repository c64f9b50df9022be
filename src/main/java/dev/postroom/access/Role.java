package dev.postroom.access;

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

  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }
}
