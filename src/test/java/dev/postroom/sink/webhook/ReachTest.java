package dev.postroom.sink.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReachTest {
  private static final String NO_HOST =
      "The URL must have a host: a name, four plain decimal numbers, or an IPv6 address.";
  private static final List<Integer> PORTS = List.of(443, 8443);

  private final Reach reach = reach();
  private final Reach loopback = reach("127.0.0.0/8", "fd00::/8");

  @ParameterizedTest
  @DisplayName("W3: a special address is refused however it is written")
  @ValueSource(
      strings = {
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "017700000001",
        "127.1",
        "127.0.0.01",
        "127.0.0.1",
        "127.0.0.1.",
        "127.255.255.254",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:ffff:7f00:0001]",
        "[::127.0.0.1]",
        "[::]",
        "[::1]",
        "0.0.0.0",
        "0.1.2.3",
        "10.1.2.3",
        "100.64.0.1",
        "100.127.255.255",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "[64:ff9b::7f00:1]",
        "[64:ff9b::a9fe:a9fe]",
        "[64:ff9b:1::1]",
        "[100::1]",
        "[2001::1]",
        "[2001:1ff:ffff::1]",
        "[2001:db8::1]",
        "[2002:7f00:1::1]",
        "[3fff::1]",
        "[5f00::1]",
        "[fc00::1]",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "[fe80::1%25eth0]",
        "[fec0::1]",
        "[ff02::1]",
        "[v1.x]",
      })
  void specialIsRefused(String host) {
    assertNotNull(reach.wrong("https://" + host + "/hook"), host);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "[2001:200::1]",
        "[2606:4700::1111]",
        "[3ffe:ffff::1]",
        "[::ffff:1.1.1.1]",
        "hooks.example.com",
        "a-1.example",
        "1.example.com",
      })
  void publicIsNot(String host) {
    assertNull(reach.wrong("https://" + host + "/hook?x=1"), host);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | The URL must begin with https://.",
        "hooks.example.com/x | The URL must begin with https://.",
        "ftp://hooks.example.com/ | The URL must begin with https://.",
        "file:///etc/passwd | The URL must begin with https://.",
        "https:///hook | " + NO_HOST,
        "https:hook | " + NO_HOST,
        "https://under_score/ | " + NO_HOST,
        "https://ada:pw@example.com/ | The URL must have no user and no password in it.",
        "https://1.1.1.1@127.0.0.1/ | The URL must have no user and no password in it.",
        "https://example.com/#x | The URL must have no fragment (#…).",
        "https://example.com\\@127.0.0.1/ | The URL is not well-formed.",
        "https://exa mple.com/ | The URL may have visible ASCII characters only.",
        "https://bücher.example/ | The URL may have visible ASCII characters only.",
        "https://example.com:0/ | The URL's port must be from 1 to 65535.",
        "https://example.com:65536/ | The URL's port must be from 1 to 65535.",
        "https://127.1/ | " + NO_HOST,
      })
  void saysWhatIsWrong(String target, String expected) {
    assertEquals(expected, reach.wrong(target));
    assertEquals(expected, loopback.wrong(target));
  }

  @Test
  void aUrlHas2048Characters() {
    String url = "https://example.com/" + "x".repeat(2048 - 20);
    assertNull(reach.wrong(url));
    assertEquals("The URL may have 2,048 characters at most.", reach.wrong(url + "x"));
    assertNotNull(reach.wrong("https://example.com/\r\nx: y"));
  }

  @Test
  @DisplayName("http and other ports are for allowed addresses only")
  void plainIsForAllowedAddresses() throws Exception {
    for (String url :
        List.of("http://example.com/", "http://example.com:443/", "https://example.com:9000/")) {
      assertNotNull(reach.wrong(url), url);
      // Whether its addresses are allowed will be seen when they are looked up.
      assertNull(loopback.wrong(url), url);
      Target target = Target.parse(url);
      assertFalse(loopback.permits(target, InetAddress.getByName("1.1.1.1")), url);
      assertTrue(loopback.permits(target, InetAddress.getByName("127.0.0.9")), url);
      assertFalse(reach.permits(target, InetAddress.getByName("127.0.0.9")), url);
    }
    assertNotNull(loopback.wrong("http://1.1.1.1/"));
    assertNull(loopback.wrong("http://127.0.0.1:8080/hook"));
    assertNull(loopback.wrong("http://[fd12::1]:8080/hook"));
    assertNotNull(loopback.wrong("http://[fc12::1]:8080/hook"));
    assertNull(reach.wrong("https://example.com:8443/"));
  }

  @Test
  @DisplayName("W3: what is allowed as IPv4 is not allowed in the clothes of IPv6")
  void allowedFourIsNotSix() {
    assertNull(loopback.wrong("https://[::ffff:127.0.0.1]/"));
    assertNotNull(loopback.wrong("https://[64:ff9b::7f00:1]/"));
    assertNotNull(loopback.wrong("https://[::7f00:1]/"));
    assertNotNull(loopback.wrong("https://[::1]/"));
  }

  @Test
  void aTargetIsPrintedWithoutItsPath() {
    Target target = Target.parse("HTTPS://Hooks.Example.com/T0/secret?k=v");
    assertEquals("https://hooks.example.com", target.toString());
    assertEquals("/T0/secret?k=v", target.uri());
    assertEquals("/", Target.parse("https://example.com").uri());
    assertEquals("/?a=b", Target.parse("https://example.com?a=b").uri());
    assertEquals("[fd00::1]", Target.parse("https://[fd00::1]/").authority());
    assertEquals("[fd00::1]:80", Target.parse("https://[fd00::1]:80/").authority());
    assertEquals("a.example", Target.parse("http://a.example:80/").authority());
  }

  private static Reach reach(String... allowed) {
    return new Reach(new Addresses(Stream.of(allowed).map(Cidr::parse).toList()), PORTS);
  }
}
