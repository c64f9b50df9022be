package dev.postroom.http;

import dev.postroom.accept.Outcome;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.protocol.FrameCodec;
import dev.postroom.protocol.MessageBody;
import dev.postroom.protocol.ServerFrame;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import jakarta.ws.rs.core.Response;
import java.util.List;

/**
 * What an accept or a page of messages looks like over HTTP: the very bytes of the socket's frames.
 */
final class Answers {

  static final String REPLAYED = "Idempotency-Replayed";

  private Answers() {}

  /**
   * 201 for the first, 200 for a repeat; everything else is a problem.
   *
   * @param keyField where the caller wrote the clientMessageId
   */
  static Response toAccept(String room, String clientMessageId, Outcome outcome, String keyField) {
    if (outcome instanceof Outcome.Accepted accepted) {
      Response.ResponseBuilder answer =
          Response.status(accepted.duplicate() ? 200 : 201)
              .entity(FrameCodec.encode(ack(room, clientMessageId, accepted)));
      if (accepted.duplicate()) {
        answer.header(REPLAYED, "true");
      }
      return answer.build();
    }
    throw new Refusal(problem(outcome, keyField).withRoom(RoomId.isValid(room) ? room : null));
  }

  private static ServerFrame.Ack ack(
      String room, String clientMessageId, Outcome.Accepted accepted) {
    RoomMessage message = accepted.message();
    return new ServerFrame.Ack(
        room,
        clientMessageId,
        message.messageId().toString(),
        message.epoch(),
        message.seq(),
        message.acceptedAt(),
        accepted.duplicate(),
        accepted.head());
  }

  private static Problem problem(Outcome outcome, String keyField) {
    if (outcome instanceof Outcome.Conflict conflict) {
      return Problem.of(
              ErrorCode.ID_CONFLICT,
              "This " + keyField + " was used with other content; a new text needs a new one.")
          .withField(keyField)
          .withFirst(conflict.messageId().toString(), conflict.seq());
    }
    if (outcome instanceof Outcome.StaleHead stale) {
      return Problem.of(
              ErrorCode.STALE_HEAD, "Others wrote since; read up to head, then send again.")
          .withField("ifHead")
          .withHead(stale.head());
    }
    Outcome.Refused refused = (Outcome.Refused) outcome;
    boolean isKey = "clientMessageId".equals(refused.field());
    String detail =
        isKey ? refused.message().replace("clientMessageId", keyField) : refused.message();
    return Problem.of(refused.code(), detail)
        .withField(isKey ? keyField : refused.field())
        .withRetryAfter(refused.retryAfterMs());
  }

  /**
   * Room ids and epochs need no escaping in JSON. The messages were read after the room, so the
   * head may have moved on up to the last of them.
   */
  static String page(Room room, List<RoomMessage> messages) {
    long last = messages.isEmpty() ? 0 : messages.get(messages.size() - 1).seq();
    StringBuilder json = new StringBuilder(256 + 512 * messages.size());
    json.append("{\"room\":\"").append(room.id().value());
    json.append("\",\"epoch\":\"").append(room.epoch());
    json.append("\",\"head\":").append(Math.max(room.head(), last));
    json.append(",\"messages\":[");
    for (int i = 0; i < messages.size(); i++) {
      json.append(i == 0 ? "" : ",").append(FrameCodec.encode(body(messages.get(i))).json());
    }
    return json.append("]}").toString();
  }

  private static MessageBody body(RoomMessage message) {
    return new MessageBody(
        message.seq(),
        message.messageId().toString(),
        message.clientMessageId(),
        new MessageBody.Author(message.participant(), message.authorName()),
        message.text(),
        message.acceptedAt());
  }
}
