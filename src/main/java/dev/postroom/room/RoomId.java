package dev.postroom.room;

import java.util.regex.Pattern;

/**
 * A room's name: 1–128 of {@code A–Z a–z 0–9 . _ : -}, but neither {@code .} nor {@code ..}: in an
 * address these are steps, and a call about a room would be one about its neighbour.
 *
 * <p>An instance is always valid; use {@link #isValid} on input from outside.
 */
public record RoomId(String value) {
  public static final String RULE = "1 to 128 of A-Z a-z 0-9 . _ : -, neither . nor ..";
  private static final Pattern SHAPE = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}");

  public RoomId {
    if (!isValid(value)) {
      throw new IllegalArgumentException("room must be " + RULE);
    }
  }

  public static boolean isValid(String value) {
    return value != null && SHAPE.matcher(value).matches();
  }

  @Override
  public String toString() {
    return value;
  }
}
