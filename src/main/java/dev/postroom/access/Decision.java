package dev.postroom.access;

/** May this participant do it? */
public enum Decision {
  ALLOWED,
  /** The room exists or may be made at first use, and nobody has to ask. */
  ALLOWED_AND_MAY_CREATE,
  FORBIDDEN;

  public boolean allowed() {
    return this != FORBIDDEN;
  }

  public boolean mayCreate() {
    return this == ALLOWED_AND_MAY_CREATE;
  }
}
