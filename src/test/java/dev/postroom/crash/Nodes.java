package dev.postroom.crash;

import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.RoomApi;
import dev.postroom.testkit.TestPostgres;
import java.net.URI;
import java.util.Map;

/** Two nodes on one database where rights are asked for, and whatever further ones a test adds. */
final class Nodes implements AutoCloseable {
  private final TestPostgres postgres = TestPostgres.started();
  final EmbeddedPg.Database database = postgres.database("rooms");
  final PostroomProcess one = another();
  final PostroomProcess two = another().jvm("-Duser.timezone=Pacific/Chatham");
  final RoomApi apiOne = new RoomApi(one.uri("/"));
  final RoomApi apiTwo = new RoomApi(two.uri("/"));

  /** Token of somebody who owns every room that {@link #newRoom} makes. */
  final String owner;

  Nodes() {
    // At once: one of them makes the schema.
    one.launch();
    two.launch();
    one.awaitReady();
    two.awaitReady();
    owner = token("owner");
  }

  /** One more, not started. */
  PostroomProcess another() {
    return PostroomProcess.on(database).unbounded().env("POSTROOM_ROOMS_OPEN_TO_ALL", "false");
  }

  static URI ws(PostroomProcess node) {
    return URI.create("ws://127.0.0.1:" + node.port() + "/ws");
  }

  /** Good at every node: they share the development issuer's key. */
  String token(String participant) {
    return apiOne.token(participant, Map.of("case-*", "owner"));
  }

  String newRoom(String name) {
    String room = "case-" + name;
    apiOne.make(owner, room);
    return room;
  }

  @Override
  public void close() {
    one.close();
    two.close();
    postgres.close();
  }
}
