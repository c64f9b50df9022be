package dev.postroom.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.postroom.access.RoleBatches.Asked;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RoleBatchesTest {
  private static final RoomId ROOM = new RoomId("r");

  private final List<Set<Asked>> queries = new ArrayList<>();
  private final List<CompletableFuture<Map<Asked, Role>>> answers = new ArrayList<>();
  private final RoleBatches batches = new RoleBatches(this::query);

  private Uni<Map<Asked, Role>> query(Set<Asked> asked) {
    queries.add(Set.copyOf(asked));
    CompletableFuture<Map<Asked, Role>> answer = new CompletableFuture<>();
    answers.add(answer);
    return Uni.createFrom().completionStage(answer);
  }

  private CompletableFuture<Role> ask(String participant) {
    return batches.role(ROOM, participant).subscribeAsCompletionStage();
  }

  @Test
  @DisplayName("S1: a thousand rights asked for at once are three queries, one at a time")
  void oneAtATime() {
    List<CompletableFuture<Role>> asked = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      asked.add(ask("p" + i));
    }
    assertEquals(List.of(1), sizes(), "the first does not wait for others");
    answers.get(0).complete(Map.of(new Asked(ROOM, "p0"), Role.READER));
    assertEquals(List.of(1, 500), sizes());
    answers.get(1).complete(Map.of(new Asked(ROOM, "p500"), Role.OWNER));
    assertEquals(List.of(1, 500, 499), sizes());
    answers.get(2).complete(Map.of());
    assertEquals(3, queries.size());
    for (int i = 0; i < 1_000; i++) {
      assertEquals(
          i == 0 ? Role.READER : i == 500 ? Role.OWNER : null, asked.get(i).join(), "p" + i);
    }
  }

  private List<Integer> sizes() {
    return queries.stream().map(Set::size).toList();
  }

  @Test
  @DisplayName("S1: who asks again while waiting makes no second question")
  void askedAgain() {
    CompletableFuture<Role> other = ask("a");
    CompletableFuture<Role> one = ask("b");
    CompletableFuture<Role> two = ask("b");
    answers.get(0).complete(Map.of());
    assertNull(other.join());
    answers.get(1).complete(Map.of(new Asked(ROOM, "b"), Role.WRITER));
    assertEquals(2, queries.size());
    assertEquals(Role.WRITER, one.join());
    assertEquals(Role.WRITER, two.join());
  }

  @Test
  @DisplayName("R5: whoever asks while it is being read is answered by a later look")
  void notByAnOlderLook() {
    CompletableFuture<Role> before = ask("a");
    CompletableFuture<Role> after = ask("a");
    answers.get(0).complete(Map.of(new Asked(ROOM, "a"), Role.READER));
    assertEquals(Role.READER, before.join());
    answers.get(1).complete(Map.of());
    assertNull(after.join());
  }

  @Test
  @DisplayName("S3: a query that fails fails all who wait, and whoever asks then is asked for")
  void failure() {
    CompletableFuture<Role> one = ask("a");
    CompletableFuture<Role> two = ask("b");
    IllegalStateException broken = new IllegalStateException("broken");
    answers.get(0).completeExceptionally(broken);
    assertSame(broken, assertThrows(CompletionException.class, one::join).getCause());
    assertSame(broken, assertThrows(CompletionException.class, two::join).getCause());

    CompletableFuture<Role> again = ask("b");
    answers.get(1).complete(Map.of(new Asked(ROOM, "b"), Role.READER));
    assertEquals(Role.READER, again.join());
  }
}
