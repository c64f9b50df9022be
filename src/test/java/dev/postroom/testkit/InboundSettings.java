package dev.postroom.testkit;

import java.util.Map;

/** The sources of events that every {@code @QuarkusTest} has. */
public final class InboundSettings {

  /** Mirrors rooms of another Postroom under their own names; known by signature. */
  public static final String BRIDGE = "bridge";

  /** Its secrets: the present one and the one before. */
  public static final String SECRET = "whsec_" + "QnJpZGdlU2VjcmV0QnJpZGdlU2VjcmV0";

  public static final String OLD_SECRET = "whsec_" + "T2xkU2VjcmV0T2xkU2VjcmV0T2xkU2Vj";

  /** Any system's orders, into rooms that exist; known by token. */
  public static final String ORDERS = "orders";

  public static final String TOKEN = "orders-deliver-with-this";

  private InboundSettings() {}

  static Map<String, String> all() {
    return Map.of(
        "postroom.inbound.bridge.secrets", SECRET + "," + OLD_SECRET,
        "postroom.inbound.bridge.room", "{/data/room}",
        "postroom.inbound.bridge.participant", "mirror:{/data/author/id}",
        "postroom.inbound.bridge.name", "{/data/author/name}",
        "postroom.inbound.orders.token", TOKEN,
        "postroom.inbound.orders.types", "order.placed,order.changed",
        "postroom.inbound.orders.room", "{/subject}",
        "postroom.inbound.orders.text", "Order {/data/no}: {/data/items/0/name} x {/data/count}",
        "postroom.inbound.orders.create-rooms", "false");
  }
}
