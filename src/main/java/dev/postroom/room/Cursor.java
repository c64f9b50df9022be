package dev.postroom.room;

/**
 * What a reader has applied: all messages of {@code epoch} up to and including {@code after}.
 *
 * <p>One value, always replaced together.
 */
public record Cursor(String epoch, long after) {}
