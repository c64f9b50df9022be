package dev.postroom.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.Rooms;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestDb;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the operations document tells to do after a restore of files does what it says. */
class RestoreStatementTest {
  private static final Pattern STATEMENT = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);
  private static final RoomId LOBBY = new RoomId("lobby");

  @Test
  @DisplayName("R4: the statement changes every epoch, and the next start leaves it at that")
  void epochsChange() throws IOException {
    EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
    Room before = room(database);

    database.execute(statement());

    Room after = room(database);
    assertNotEquals(before.epoch(), after.epoch());
    assertEquals(after.epoch(), room(database).epoch());
  }

  private static String statement() throws IOException {
    Matcher matcher = STATEMENT.matcher(Files.readString(Path.of("docs/operations.md")));
    if (!matcher.find()) {
      throw new AssertionError("no statement in the document");
    }
    return matcher.group(1);
  }

  /** As a node that has just started sees it. */
  private static Room room(EmbeddedPg.Database database) {
    try (TestDb testDb = TestDb.over(database)) {
      return await(new Rooms(testDb.db()).create(LOBBY, null));
    }
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(30));
  }
}
