package dev.postroom.room;

import org.jspecify.annotations.Nullable;

/**
 * One open room as of one look at the database.
 *
 * @param no the room's number in the database: another one after the room was closed and made again
 * @param epoch the current epoch, opaque
 * @param head the last seq, 0 in an empty room
 * @param keptFrom the first seq whose text is still kept; 1 unless messages are purged
 * @param rights how many members were taken out of it: whoever was allowed to read before the last
 *     of them is to be asked for anew
 */
public record Room(
    long no,
    RoomId id,
    String epoch,
    long head,
    @Nullable String title,
    long keptFrom,
    long rights) {}
