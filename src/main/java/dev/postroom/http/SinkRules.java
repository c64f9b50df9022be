package dev.postroom.http;

import dev.postroom.access.RoomPattern;
import dev.postroom.outbox.SinkRow.Format;
import dev.postroom.outbox.SinkRow.Poison;
import dev.postroom.outbox.Sinks;
import dev.postroom.room.RoomId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a sink to be made must be like.
 *
 * <p>Pure: a request in, what it asks for or a {@link Refusal} out.
 */
final class SinkRules {

  static final int MOST_PATTERNS = 64;
  private static final int LONGEST_NAME = 200;
  private static final String ROOMS_RULE =
      "rooms must be 1 to " + MOST_PATTERNS + " patterns, each " + RoomPattern.RULE + ".";

  private SinkRules() {}

  static Wish check(@Nullable SinkDraft draft) {
    if (draft == null) {
      throw invalid("type", "Send the sink that is wanted: type, name, url and rooms.");
    }
    List<String> rooms = patterns(draft.rooms());
    return new Wish(
        name(draft.name()),
        needed("url", draft.url()),
        rooms,
        word("format", draft.format(), Format.STRUCTURED),
        word("poison", draft.poison(), Poison.BLOCK),
        word("start", draft.start(), Start.NOW) == Start.BEGINNING,
        starts(draft.starts(), rooms));
  }

  /** 1 to {@value #MOST_PATTERNS} patterns. */
  static List<String> patterns(@Nullable List<@Nullable String> rooms) {
    if (rooms == null || rooms.isEmpty() || rooms.size() > MOST_PATTERNS) {
      throw invalid("rooms", ROOMS_RULE);
    }
    return rooms.stream()
        .map(
            pattern -> {
              if (pattern == null || !RoomPattern.isValid(pattern)) {
                throw invalid("rooms", ROOMS_RULE);
              }
              return pattern;
            })
        .toList();
  }

  static String needed(String field, @Nullable String value) {
    if (value == null) {
      throw invalid(field, field + " is missing.");
    }
    return value;
  }

  private static String name(@Nullable String given) {
    String name = needed("name", given);
    boolean isName =
        !name.isBlank()
            && name.codePointCount(0, name.length()) <= LONGEST_NAME
            && name.codePoints()
                .noneMatch(
                    c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
    if (!isName) {
      throw invalid(
          "name", "name must be 1 to " + LONGEST_NAME + " characters, without control characters.");
    }
    return name;
  }

  private static <E extends Enum<E>> E word(String field, @Nullable String word, E otherwise) {
    if (word == null) {
      return otherwise;
    }
    E[] known = otherwise.getDeclaringClass().getEnumConstants();
    for (E constant : known) {
      if (Sinks.word(constant).equals(word)) {
        return constant;
      }
    }
    throw invalid(
        field,
        field
            + " must be "
            + Arrays.stream(known).map(Sinks::word).collect(Collectors.joining(" or "))
            + ".");
  }

  private static Map<String, Long> starts(
      @Nullable Map<String, @Nullable Long> given, List<String> rooms) {
    Map<String, Long> starts = new LinkedHashMap<>();
    if (given != null) {
      given.forEach((room, seq) -> starts.put(room(room, rooms), seq(seq)));
    }
    return starts;
  }

  private static String room(String room, List<String> rooms) {
    if (!RoomId.isValid(room)
        || rooms.stream().noneMatch(pattern -> RoomPattern.matches(pattern, room))) {
      throw invalid("starts", "starts must name rooms that one of the patterns in rooms matches.");
    }
    return room;
  }

  private static long seq(@Nullable Long seq) {
    if (seq == null || seq < 1 || seq >= Numbers.ABOVE_ALL) {
      throw invalid("starts", "A number in starts must be a whole one from 1 on.");
    }
    return seq;
  }

  private static Refusal invalid(String field, String detail) {
    return new Refusal(Problem.invalid(field, detail));
  }

  private enum Start {
    NOW,
    BEGINNING
  }

  /** A sink that may be made, but for its type and address. */
  record Wish(
      String name,
      String url,
      List<String> rooms,
      Format format,
      Poison poison,
      boolean fromBeginning,
      Map<String, Long> starts) {

    /** Without the address, which may carry a password. */
    @Override
    public String toString() {
      return "Wish[rooms=" + rooms + "]";
    }
  }
}
