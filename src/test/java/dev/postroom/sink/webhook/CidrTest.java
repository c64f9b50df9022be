package dev.postroom.sink.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.9.8.7/8, 10.1.1.1, true",
    "172.16.0.0/12, 172.31.255.255, true",
    "172.16.0.0/12, 172.32.0.0, false",
    "192.168.1.7, 192.168.1.7, true",
    "192.168.1.7/32, 192.168.1.6, false",
    "0.0.0.0/0, 255.1.2.3, true",
    "0.0.0.0/0, ::1, false",
    "::/0, 1.1.1.1, false",
    "fd00::/8, fdff::1, true",
    "fd00::/8, fe00::1, false",
    "2001::/23, 2001:1ff::, true",
    "2001::/23, 2001:200::, false",
    "::1, ::1, true",
  })
  void contains(String block, String address, boolean expected) throws Exception {
    assertEquals(expected, Cidr.parse(block).contains(InetAddress.getByName(address)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.0.0.0/33",
        "10.0.0/8",
        "010.0.0.0/8",
        "fd00::/129",
        "localhost",
        "10/8",
        "10.0.0.0/-1",
        "10.0.0.0/",
        "1.1.1.1/8/8",
        "::ffff:10.0.0.0/104",
        "fe80::1%eth0"
      })
  void isNone(String text) {
    assertThrows(IllegalArgumentException.class, () -> Cidr.parse(text));
  }

  @ParameterizedTest
  @CsvSource({"10.0.0.0/8, 10.0.0.0/8", "10.1.1.1, 10.1.1.1/32", "fd00::/8, fd00:0:0:0:0:0:0:0/8"})
  void isWritten(String text, String expected) {
    assertEquals(expected, Cidr.parse(text).toString());
  }
}
