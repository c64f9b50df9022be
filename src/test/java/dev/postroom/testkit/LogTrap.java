package dev.postroom.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Hears what is logged in this JVM from its opening to its closing. Safe for any thread. */
public final class LogTrap extends Handler implements AutoCloseable {
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  private LogTrap() {}

  public static LogTrap open() {
    LogTrap trap = new LogTrap();
    Logger.getLogger("").addHandler(trap);
    return trap;
  }

  /** Warnings and worse of that logger, with what was filled in. */
  public List<String> warnings(Class<?> logger) {
    return records.stream()
        .filter(record -> logger.getName().equals(record.getLoggerName()))
        .filter(record -> record.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogTrap::line)
        .toList();
  }

  /** What would wake an operator: errors, and stack traces of any level. */
  public List<String> alarms() {
    return records.stream()
        .filter(
            record ->
                record.getThrown() != null
                    || record.getLevel().intValue() >= Level.SEVERE.intValue())
        .map(LogTrap::line)
        .toList();
  }

  private static String line(LogRecord record) {
    return record.getLoggerName()
        + ": "
        + record.getMessage()
        + " "
        + Arrays.toString(record.getParameters())
        + (record.getThrown() == null ? "" : " " + record.getThrown());
  }

  @Override
  public void publish(LogRecord record) {
    records.add(record);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    Logger.getLogger("").removeHandler(this);
  }
}
