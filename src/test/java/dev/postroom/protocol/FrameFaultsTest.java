package dev.postroom.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the reader says of frames that are none. */
class FrameFaultsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1",
        "1.0",
        "1e3",
        "9007199254740992",
        "99999999999999999999999999",
        "\"1\"",
        "true",
        "[1]",
        "{}"
      })
  @DisplayName("PR-06 what is no integer from 0 to 2^53 - 1 is bad_frame and names the field")
  void noInteger(String value) {
    Decoded.Malformed history =
        malformed("{\"type\":\"history\",\"before\":" + value + ",\"room\":\"r\"}");
    assertEquals(ErrorCode.BAD_FRAME, history.code());
    assertEquals("before", history.field());
    assertEquals("r", history.room());

    assertEquals(
        "cursor.after",
        malformed(
                "{\"type\":\"join\",\"room\":\"r\",\"cursor\":{\"epoch\":\"e\",\"after\":"
                    + value
                    + "}}")
            .field());
    assertEquals(
        "ifHead",
        malformed(
                "{\"type\":\"send\",\"room\":\"r\",\"clientMessageId\":\"k\",\"text\":\"t\","
                    + "\"ifHead\":"
                    + value
                    + "}")
            .field());
    assertEquals(
        "limit",
        malformed("{\"type\":\"history\",\"room\":\"r\",\"before\":1,\"limit\":" + value + "}")
            .field());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "true",
        "1",
        "\"x\"",
        "[]",
        "[{\"type\":\"ping\"}]",
        "{",
        "}",
        "{]",
        "{\"type\":\"ping\"",
        "{\"type\":\"ping\",}",
        "{\"type\":\"ping\"} x",
        "{\"type\":\"ping\"}{\"type\":\"ping\"}",
        "{\"type\":\"ping\"}]",
        "{'type':'ping'}",
        "{type:\"ping\"}",
        "{\"type\":\"ping\",\"n\":NaN}",
        "{\"type\":\"ping\",\"n\":01}",
        "{\"type\":\"ping\"}/* */",
        "{\"type\":\"pi\nng\"}",
        "{\"type\":\"ping\\x\"}",
        "\uFEFF{\"type\":\"ping\"}",
        "{\"type\":\"ping\"}\0"
      })
  @DisplayName("PR-01 what is not one JSON object is bad_frame")
  void notOneObject(String text) {
    Decoded.Malformed bad = malformed(text);
    assertEquals(ErrorCode.BAD_FRAME, bad.code());
    assertNull(bad.field());
  }

  @Test
  @DisplayName("PR-01 a key that comes twice is bad_frame, at any depth")
  void duplicateKeys() {
    assertEquals(
        ErrorCode.BAD_FRAME,
        malformed("{\"type\":\"leave\",\"room\":\"a\",\"room\":\"b\"}").code());
    assertEquals(
        ErrorCode.BAD_FRAME, malformed("{\"type\":\"ping\",\"x\":{\"a\":1,\"a\":1}}").code());
    assertEquals(
        ErrorCode.BAD_FRAME, malformed("{\"type\":\"ping\",\"\\u0074ype\":\"ping\"}").code());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | type",
        "{'room':'r'} | type",
        "{'type':null} | type",
        "{'type':1} | type",
        "{'type':'shout','room':'r'} | type",
        "{'type':'PING'} | type",
        "{'type':'join'} | room",
        "{'type':'join','room':null} | room",
        "{'type':'join','room':['r']} | room",
        "{'type':'join','room':'r','cursor':'e:1'} | cursor",
        "{'type':'join','room':'r','cursor':{}} | cursor.epoch",
        "{'type':'join','room':'r','cursor':{'epoch':'e'}} | cursor.after",
        "{'type':'join','room':'r','cursor':{'after':1}} | cursor.epoch",
        "{'type':'join','room':'r','cursor':{'epoch':1,'after':1}} | cursor.epoch",
        "{'type':'send','room':'r','clientMessageId':'k'} | text",
        "{'type':'send','room':'r','clientMessageId':'k','text':{}} | text",
        "{'type':'send','clientMessageId':5,'text':'t'} | room",
        "{'type':'history','room':'r'} | before",
        "{'type':'auth'} | token",
        "{'type':'auth','token':false} | token"
      })
  @DisplayName("PR-02 a missing or mistyped field is bad_frame and is named")
  void faultyField(String text, String field) {
    Decoded.Malformed bad = malformed(text.replace('\'', '"'));
    assertEquals(ErrorCode.BAD_FRAME, bad.code());
    assertEquals(field, bad.field());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",\"clientMessageId\":null",
        ",\"clientMessageId\":5",
        ",\"clientMessageId\":[\"k\"]",
        ",\"clientMessageId\":{\"a\":{}}"
      })
  @DisplayName("A7 ACC-13 a missing or non-string clientMessageId is invalid and is named")
  void noClientMessageId(String member) {
    Decoded.Malformed bad =
        malformed("{\"type\":\"send\"" + member + ",\"text\":\"t\",\"room\":\"r\"}");
    assertEquals(ErrorCode.INVALID, bad.code());
    assertEquals("clientMessageId", bad.field());
    assertEquals("r", bad.room());
    assertNull(bad.clientMessageId());
  }

  @Test
  @DisplayName("PR-07 an error carries room and id also if they come after the fault")
  void echoAfterTheFault() {
    Decoded.Malformed bad =
        malformed("{\"type\":\"send\",\"text\":7,\"room\":\"r\",\"clientMessageId\":\"k\"}");
    assertEquals("text", bad.field());
    assertEquals("r", bad.room());
    assertEquals("k", bad.clientMessageId());
  }

  @Test
  @DisplayName("PR-07 of a frame that breaks off, what was read before is carried")
  void echoOfTruncated() {
    Decoded.Malformed bad =
        malformed("{\"type\":\"send\",\"room\":\"r\",\"clientMessageId\":\"k\",\"text\":\"he");
    assertEquals("r", bad.room());
    assertEquals("k", bad.clientMessageId());
  }

  @Test
  @DisplayName("PR-07 what could be no valid room or id is not sent back")
  void noEchoOfRubbish() {
    assertNull(malformed("{\"type\":\"x\",\"room\":\"" + "r".repeat(129) + "\"}").room());
    assertNull(malformed("{\"type\":\"x\",\"room\":\"\\ud800\"}").room());
  }

  @Test
  @DisplayName("S1 nesting, strings and names have a bound")
  void bounds() {
    assertInstanceOf(Decoded.Frame.class, FrameCodec.decode(nested(FrameReader.MAX_NESTING - 1)));
    assertEquals(ErrorCode.BAD_FRAME, malformed(nested(FrameReader.MAX_NESTING)).code());
    assertEquals(ErrorCode.BAD_FRAME, malformed(nested(60_000)).code());
    assertEquals(
        ErrorCode.BAD_FRAME,
        malformed("{\"type\":\"ping\",\"" + "n".repeat(FrameReader.MAX_NAME_CHARS + 1) + "\":1}")
            .code());
    assertEquals(
        ErrorCode.BAD_FRAME,
        malformed("{\"type\":\"" + "n".repeat(FrameReader.MAX_STRING_CHARS + 1) + "\"}").code());
  }

  @Test
  @DisplayName("S2 an error never quotes the client's text")
  void noQuotes() {
    for (String text :
        new String[] {
          "{\"type\":\"s3cret\"}",
          "{\"s3cret\":1,\"s3cret\":1}",
          "s3cret",
          "{\"type\":s3cret}",
          "{\"type\":\"auth\",\"token\":\"s3cret}",
          "{\"type\":\"auth\",\"token\":{\"s3cret\":1}}"
        }) {
      assertFalse(malformed(text).toString().contains("s3cret"), text);
    }
  }

  private static String nested(int depth) {
    return "{\"type\":\"ping\",\"x\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
  }

  private static Decoded.Malformed malformed(String text) {
    return assertInstanceOf(Decoded.Malformed.class, FrameCodec.decode(text));
  }
}
