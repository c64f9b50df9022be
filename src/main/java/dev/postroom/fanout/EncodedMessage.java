package dev.postroom.fanout;

import dev.postroom.protocol.EncodedBody;
import dev.postroom.protocol.FrameCodec;
import dev.postroom.protocol.MessageBody;
import dev.postroom.protocol.ServerFrame;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;

/**
 * A message in the form in which every member gets it: encoded once per room and node (F2).
 *
 * @param body the message as JSON, for snapshots and deltas
 * @param frame the live {@code message} frame
 */
public record EncodedMessage(EncodedBody body, String frame) {

  static EncodedMessage of(RoomId room, String epoch, RoomMessage message) {
    EncodedBody body = body(message);
    return new EncodedMessage(
        body, FrameCodec.encode(new ServerFrame.Message(room.value(), epoch, body)));
  }

  static EncodedBody body(RoomMessage message) {
    return FrameCodec.encode(
        new MessageBody(
            message.seq(),
            message.messageId().toString(),
            message.clientMessageId(),
            new MessageBody.Author(message.participant(), message.authorName()),
            message.text(),
            message.acceptedAt()));
  }

  public long seq() {
    return body.seq();
  }

  /** The live frame's length in UTF-8: room, epoch and field names are ASCII. */
  public int bytes() {
    return body.bytes() + frame.length() - body.json().length();
  }

  @Override
  public String toString() {
    return "EncodedMessage[seq=" + seq() + "]";
  }
}
