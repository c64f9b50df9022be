package dev.postroom.access;

/**
 * The form of a participant id: what may stand in a token's {@code sub} and in a member's path; and
 * of the name that others are shown.
 *
 * <p>Pure: text in, an answer out.
 */
public final class Participants {

  public static final int LONGEST = 128;
  public static final String RULE =
      "1 to 128 printable characters, without white space at either end, neither . nor ..";

  public static final int LONGEST_NAME = 200;
  public static final String NAME_RULE =
      "1 to " + LONGEST_NAME + " characters without control characters";

  private Participants() {}

  /**
   * Counts code points, so that the database's length check agrees. What is a step in an address
   * ({@code .} and {@code ..}) cannot name anybody in one.
   */
  public static boolean isValid(String id) {
    int characters = id.codePointCount(0, id.length());
    return characters >= 1
        && characters <= LONGEST
        && !id.equals(".")
        && !id.equals("..")
        && id.codePoints().allMatch(Participants::isPrintable)
        && !Character.isWhitespace(id.codePointAt(0))
        && !Character.isWhitespace(id.codePointBefore(id.length()));
  }

  /**
   * Refuses invisible and direction-changing characters too: two ids that look the same should be
   * the same.
   */
  private static boolean isPrintable(int codePoint) {
    switch (Character.getType(codePoint)) {
      case Character.CONTROL:
      case Character.FORMAT:
      case Character.SURROGATE:
      case Character.UNASSIGNED:
      case Character.PRIVATE_USE:
      case Character.LINE_SEPARATOR:
      case Character.PARAGRAPH_SEPARATOR:
        return false;
      default:
        return true;
    }
  }

  /** The database refuses U+0000 and lone surrogates; other control characters serve no reader. */
  public static boolean isValidName(String name) {
    return !name.isBlank()
        && name.codePointCount(0, name.length()) <= LONGEST_NAME
        && name.codePoints()
            .noneMatch(
                c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }
}
