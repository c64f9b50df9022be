package dev.postroom.access;

/**
 * The form of a participant id: what may stand in a token's {@code sub} and in a member's path.
 *
 * <p>Pure: text in, an answer out.
 */
public final class Participants {

  public static final int LONGEST = 128;
  public static final String RULE =
      "1 to 128 printable characters, without white space at either end, neither . nor ..";

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
}
