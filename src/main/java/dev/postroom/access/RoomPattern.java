package dev.postroom.access;

import java.util.regex.Pattern;

/**
 * A set of rooms by name: a room id in which {@code *} stands for any run of characters, also an
 * empty one.
 *
 * <p>Pure: two strings in, an answer out.
 */
public final class RoomPattern {

  public static final String RULE = "1 to 128 of A-Z a-z 0-9 . _ : - and * for any characters";
  private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9._:*-]{1,128}");

  private RoomPattern() {}

  public static boolean isValid(String pattern) {
    return SHAPE.matcher(pattern).matches();
  }

  /**
   * Whether the room is in the set.
   *
   * <p>Greedy with one step back to the latest star, so the work is bounded by the product of the
   * two lengths, whatever the pattern.
   */
  public static boolean matches(String pattern, String room) {
    int inPattern = 0;
    int inRoom = 0;
    int afterStar = -1;
    int starTakesUpTo = 0;
    while (inRoom < room.length()) {
      if (inPattern < pattern.length() && pattern.charAt(inPattern) == '*') {
        afterStar = ++inPattern;
        starTakesUpTo = inRoom;
      } else if (inPattern < pattern.length() && pattern.charAt(inPattern) == room.charAt(inRoom)) {
        inPattern++;
        inRoom++;
      } else if (afterStar >= 0) {
        inPattern = afterStar;
        inRoom = ++starTakesUpTo;
      } else {
        return false;
      }
    }
    while (inPattern < pattern.length() && pattern.charAt(inPattern) == '*') {
      inPattern++;
    }
    return inPattern == pattern.length();
  }

  /** The same set as an SQL LIKE pattern with the default escape. */
  static String like(String pattern) {
    return pattern.replace("_", "\\_").replace('*', '%');
  }

  /** What every matching room id begins with; possibly empty. */
  static String prefix(String pattern) {
    int star = pattern.indexOf('*');
    return star < 0 ? pattern : pattern.substring(0, star);
  }
}
