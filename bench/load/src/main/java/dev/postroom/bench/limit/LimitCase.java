package dev.postroom.bench.limit;

import dev.postroom.bench.Bed;
import dev.postroom.bench.Case;
import dev.postroom.bench.Figures;
import dev.postroom.bench.Meter;
import dev.postroom.bench.host.Database;
import dev.postroom.bench.host.ProcessTree;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * How fast the database is when nothing is in front of it.
 *
 * @param bare the mere insert, and not the accept transaction
 */
public record LimitCase(String variant, int batch, int textBytes, boolean bare) implements Case {
  private static final int INPUT_SECONDS = 2;

  @Override
  public String peer() {
    return (bare ? "bare insert" : "accept SQL") + ", batch of " + batch;
  }

  @Override
  public Figures run(Bed bed) throws Exception {
    Schema.make(bed);
    return measure(bed).detail("pgbench", Pgbench.version());
  }

  /** On a database that has the product's tables, and perhaps messages in them. */
  public Figures measure(Bed bed) throws Exception {
    Database database = bed.database();
    Schema.makeRooms(database);
    Path work = bed.bench().resolve("load/target/limit");
    Pgbench pgbench = new Pgbench(database, work);
    AcceptSql sql = AcceptSql.of(bed.bench());
    Script script = bare ? Script.insert(batch, textBytes) : Script.accept(sql, batch, textBytes);
    pgbench.run(script, bed.options().warmup());
    long before = stored(database);
    // pgbench's own time is nobody's; the meter wants a service all the same.
    Meter meter = new Meter(ProcessTree.own(), bed);
    Meter.Reading from = meter.read();
    Pgbench.Run run = pgbench.run(script, bed.options().seconds());
    Meter.Reading used = meter.read().minus(from);
    long accepted = stored(database) - before;
    if (accepted != run.transactions() * batch) {
      throw new IllegalStateException(
          accepted + " stored by " + run.transactions() + " transactions of " + batch);
    }
    Meter.Reading idle = meter.read();
    Pgbench.Run inputs = pgbench.run(Script.inputs(batch, textBytes), INPUT_SECONDS);
    double inputMicros = meter.read().minus(idle).postgresMicros();
    return new Figures()
        .put("accepted/s", run.perSecond() * batch)
        .put("transactions/s", run.perSecond())
        .put("ms/transaction", run.latencyMillis())
        .put("CPU µs database/accepted", (double) used.postgresMicros() / accepted)
        .put("of it making the keys", inputMicros / inputs.transactions() / batch)
        .put("WAL B/accepted", (double) used.walBytes() / accepted)
        .detail("accepted", accepted);
  }

  private long stored(Database database) throws SQLException {
    String table = bare ? "bare_message" : "message";
    return Long.parseLong(database.value("SELECT count(*) FROM " + table));
  }
}
