package dev.postroom.protocol;

import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The frames as the code has them, for the tests that hold documents against it. */
final class FrameShapes {

  /**
   * @param type {@code string}, {@code integer}, {@code boolean}, {@code instant}, {@code list} or
   *     {@code object}
   */
  record Field(String type, boolean optional) {}

  private FrameShapes() {}

  /** The word in {@code type} to the frame's fields, for all frames of a direction. */
  static Map<String, Map<String, Field>> of(Class<?> direction) {
    Map<String, Map<String, Field>> frames = new TreeMap<>();
    for (Class<?> frame : direction.getPermittedSubclasses()) {
      String name = frame.getSimpleName();
      frames.put(Character.toLowerCase(name.charAt(0)) + name.substring(1), fields(frame));
    }
    return frames;
  }

  /** The fields on the wire: as the record has them, but for what is known to differ. */
  static Map<String, Field> fields(Class<?> type) {
    Map<String, Field> fields = new LinkedHashMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getType() == EncodedBody.class) {
        fields.putAll(fields(MessageBody.class));
      } else {
        fields.put(component.getName(), field(component));
      }
    }
    if (type == ServerFrame.Error.class) {
      fields.put("temporary", new Field("boolean", false));
    }
    return fields;
  }

  private static Field field(RecordComponent component) {
    Class<?> type = component.getType();
    String word;
    if (type == String.class || type.isEnum()) {
      word = "string";
    } else if (type == long.class
        || type == int.class
        || type == Long.class
        || type == Integer.class) {
      word = "integer";
    } else if (type == boolean.class) {
      word = "boolean";
    } else if (type == Instant.class) {
      word = "instant";
    } else {
      word = type == List.class ? "list" : "object";
    }
    return new Field(word, component.getAnnotatedType().isAnnotationPresent(Nullable.class));
  }
}
