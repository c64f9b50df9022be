package dev.postroom.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswersTest {

  @ParameterizedTest
  @DisplayName("R6: no message of a page is beyond the head that the page tells")
  @CsvSource({"4, 3, 6, 6", "4, 1, 2, 4", "4, 4, 4, 4", "0, 1, 1, 1", "4, 1, 0, 4"})
  void headOfPage(long head, long first, long last, long told) {
    Room room = new Room(1, new RoomId("r"), "e", head, null, 1, 0);
    List<RoomMessage> messages =
        LongStream.rangeClosed(first, last).mapToObj(AnswersTest::message).toList();
    assertEquals(told, new JsonObject(Answers.page(room, messages)).getLong("head"));
  }

  private static RoomMessage message(long seq) {
    return new RoomMessage(
        new UUID(0, seq), "e", seq, "anna", "Anna", "k" + seq, "text", Instant.EPOCH);
  }
}
