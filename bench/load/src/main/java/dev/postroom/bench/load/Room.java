package dev.postroom.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A room of the load. Its commands are numbered by the generator, so that whoever was sent what is
 * one bit per member and command. Filled before the load begins; then safe for any thread.
 */
public final class Room {
  private final String name;
  private final List<Member> members = new ArrayList<>();
  private final AtomicInteger commands = new AtomicInteger();

  public Room(int number) {
    this.name = "bench-" + number;
  }

  public String name() {
    return name;
  }

  public List<Member> members() {
    return members;
  }

  void add(Member member) {
    members.add(member);
  }

  int nextCommand() {
    return commands.getAndIncrement();
  }
}
