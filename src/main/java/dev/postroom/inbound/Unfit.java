package dev.postroom.inbound;

import org.jspecify.annotations.Nullable;

/** An event that cannot become a message, however often it is sent. Expected, not a fault. */
public final class Unfit extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final @Nullable String field;

  /**
   * @param field the attribute, pointer or header at fault, or null if the event cannot be read
   * @param detail what is wrong, for people, without what was sent
   */
  Unfit(@Nullable String field, String detail) {
    super(detail, null, false, false);
    this.field = field;
  }

  public @Nullable String field() {
    return field;
  }

  public String detail() {
    return String.valueOf(getMessage());
  }
}
