package dev.postroom.http;

import dev.postroom.access.Role;
import org.jspecify.annotations.Nullable;

/**
 * Roles in request bodies.
 *
 * <p>Pure: a word in, a role or a refusal out.
 */
final class RoleWords {

  private RoleWords() {}

  /**
   * @throws Refusal if it is none; it names {@code field}
   */
  static Role parse(String field, @Nullable String word) {
    Role role = word == null ? null : Role.ofWire(word);
    if (role == null) {
      throw new Refusal(Problem.invalid(field, field + " must be owner, writer or reader."));
    }
    return role;
  }
}
