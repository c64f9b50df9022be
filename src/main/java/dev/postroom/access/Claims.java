package dev.postroom.access;

import dev.postroom.access.TokenRejected.Reason;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jspecify.annotations.Nullable;

/**
 * Claims of a verified token to a {@link Principal}. A claim that is not of its form rejects the
 * token: guessing what was meant would hand out rights nobody gave.
 *
 * <p>Pure: claims in, a principal or a rejection out.
 */
final class Claims {

  static final String NAME = "name";
  static final String ROOMS = "rooms";
  static final String ADMIN = "admin";

  /** The end of the year 9999, in seconds: beyond it instants have no standard form. */
  private static final long LATEST_EXPIRY = 253_402_300_799L;

  private static final int MOST_ROOMS = 256;

  private Claims() {}

  static Principal read(JsonWebToken token) {
    String participant = participant(token.getSubject());
    return new Principal(
        participant,
        name(token.getClaim(NAME), participant),
        rooms(token.getClaim(ROOMS)),
        admin(token.getClaim(ADMIN)),
        expiry(token.getExpirationTime()));
  }

  private static Instant expiry(long seconds) {
    if (seconds > LATEST_EXPIRY) {
      throw new TokenRejected(Reason.CLAIM, "The claim exp is beyond the year 9999.");
    }
    return Instant.ofEpochSecond(seconds);
  }

  /**
   * The same rules for claims that are still to be written.
   *
   * @throws IllegalArgumentException naming the value, in its first word, and its rule
   */
  static void check(String participant, @Nullable String name, Set<String> patterns) {
    if (!Participants.isValid(participant)) {
      throw new IllegalArgumentException("participant must be " + Participants.RULE + ".");
    }
    if (name != null && !Participants.isValidName(name)) {
      throw new IllegalArgumentException("name must be " + Participants.NAME_RULE + ".");
    }
    if (patterns.size() > MOST_ROOMS || !patterns.stream().allMatch(RoomPattern::isValid)) {
      throw new IllegalArgumentException(
          "rooms must be at most " + MOST_ROOMS + " patterns, each " + RoomPattern.RULE + ".");
    }
  }

  private static String participant(@Nullable String sub) {
    if (sub == null) {
      throw new TokenRejected(
          Reason.SUBJECT, "The token names nobody: it needs a claim sub, the participant's id.");
    }
    if (!Participants.isValid(sub)) {
      throw new TokenRejected(Reason.SUBJECT, "The claim sub must be " + Participants.RULE + ".");
    }
    return sub;
  }

  private static String name(@Nullable Object claim, String participant) {
    if (isAbsent(claim)) {
      return participant;
    }
    String name = text(claim);
    if (name == null || !Participants.isValidName(name)) {
      throw new TokenRejected(
          Reason.CLAIM, "The claim name must be a string of " + Participants.NAME_RULE + ".");
    }
    return name;
  }

  private static Map<String, Role> rooms(@Nullable Object claim) {
    if (isAbsent(claim)) {
      return Map.of();
    }
    if (!(claim instanceof JsonObject rooms)) {
      throw new TokenRejected(
          Reason.CLAIM,
          "The claim rooms must be an object of room pattern to role, like {\"case-*\": \"writer\"}.");
    }
    if (rooms.size() > MOST_ROOMS) {
      throw new TokenRejected(
          Reason.CLAIM, "The claim rooms has more than " + MOST_ROOMS + " patterns.");
    }
    Map<String, Role> roles = new LinkedHashMap<>();
    rooms.forEach((pattern, role) -> roles.put(pattern(pattern), role(role)));
    return Map.copyOf(roles);
  }

  private static String pattern(String pattern) {
    if (!RoomPattern.isValid(pattern)) {
      throw new TokenRejected(
          Reason.CLAIM, "A room pattern in the claim rooms must be " + RoomPattern.RULE + ".");
    }
    return pattern;
  }

  private static Role role(JsonValue value) {
    Role role = value instanceof JsonString word ? Role.ofWire(word.getString()) : null;
    if (role == null) {
      throw new TokenRejected(
          Reason.CLAIM, "A role in the claim rooms must be writer, reader or owner.");
    }
    return role;
  }

  private static boolean admin(@Nullable Object claim) {
    if (isAbsent(claim) || claim == JsonValue.FALSE || Boolean.FALSE.equals(claim)) {
      return false;
    }
    if (claim == JsonValue.TRUE || Boolean.TRUE.equals(claim)) {
      return true;
    }
    throw new TokenRejected(Reason.CLAIM, "The claim admin must be true or false.");
  }

  private static boolean isAbsent(@Nullable Object claim) {
    return claim == null || claim == JsonValue.NULL;
  }

  private static @Nullable String text(@Nullable Object claim) {
    if (claim instanceof JsonString string) {
      return string.getString();
    }
    return claim instanceof String string ? string : null;
  }
}
