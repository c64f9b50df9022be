package dev.postroom;

import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds the code against the tables in the root package's document and the rules of the house. */
class ImportTableTest {
  private static final String ROOT = "dev.postroom";
  private static final Path MAIN = Path.of("src/main/java");
  private static final int LONGEST_FILE = 300;
  private static final Pattern EMPTY_NAME =
      Pattern.compile(".*(Utils?|Manager|Impl|Helper|Common|Base)");
  private static final Pattern PURE =
      Pattern.compile("^(/\\*\\*| \\*).*\\b[Pp]ure[:.]", Pattern.MULTILINE);

  private static ImportTable table;
  private static JavaClasses code;

  @BeforeAll
  static void read() throws IOException {
    table = ImportTable.read(MAIN.resolve("dev/postroom/package-info.java"));
    code = new ClassFileImporter().importPath(Path.of("target/classes"));
  }

  @Test
  @DisplayName("every package has its row, and every row its package")
  void tableIsComplete() throws IOException {
    try (Stream<Path> entries = Files.list(MAIN.resolve("dev/postroom"))) {
      Set<String> packages =
          entries
              .filter(Files::isDirectory)
              .map(entry -> entry.getFileName().toString())
              .collect(toCollection(TreeSet::new));
      assertEquals(packages, new TreeSet<>(table.imports().keySet()));
    }
  }

  @TestFactory
  @DisplayName("a package imports only what its row allows")
  Stream<DynamicTest> rowsAllow() {
    return table.imports().entrySet().stream()
        .map(row -> DynamicTest.dynamicTest(row.getKey(), () -> checkRow(row.getKey())));
  }

  private static void checkRow(String row) {
    Set<String> allowed = new TreeSet<>(table.imports().get(row));
    allowed.add(row);
    noClasses()
        .that()
        .resideInAPackage(ROOT + "." + row + "..")
        .should()
        .dependOnClassesThat(
            described(
                "belong to a package of ours that is blank in the row of " + row,
                type -> isOurs(type) && !allowed.contains(packageOf(type))))
        .allowEmptyShould(true)
        .check(code);
  }

  @TestFactory
  @DisplayName("a library with a place stays in it")
  Stream<DynamicTest> librariesStay() {
    return table.places().entrySet().stream()
        .map(
            place ->
                DynamicTest.dynamicTest(
                    place.getKey(), () -> checkPlace(place.getKey(), place.getValue())));
  }

  private static void checkPlace(String library, Set<String> places) {
    noClasses()
        .that(described("are not in " + places, type -> !isIn(places, type)))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library + "..")
        .check(code);
  }

  @TestFactory
  @DisplayName("every class that the table names as a place exists")
  Stream<DynamicTest> placesExist() {
    return table.places().values().stream()
        .flatMap(Set::stream)
        .distinct()
        .map(
            place ->
                DynamicTest.dynamicTest(
                    place,
                    () ->
                        assertFalse(
                            code.stream().noneMatch(type -> isIn(Set.of(place), type)), place)));
  }

  @Test
  @DisplayName("no cycles between packages")
  void noCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(code);
  }

  @Test
  @DisplayName("pure classes know neither Quarkus nor Vert.x nor Mutiny")
  void pureStaysPure() {
    Set<String> pure = pureClasses();
    noClasses()
        .that(described("are marked pure", type -> pure.contains(outermost(type).getName())))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.quarkus..", "io.vertx..", "io.smallrye.mutiny..")
        .check(code);
  }

  private static Set<String> pureClasses() {
    return sources(MAIN)
        .filter(file -> PURE.matcher(text(file)).find())
        .map(file -> MAIN.relativize(file).toString().replace(".java", "").replace('/', '.'))
        .collect(toCollection(TreeSet::new));
  }

  @Test
  @DisplayName("names say what a class is for")
  void namesSay() {
    noClasses()
        .should(
            be(
                described(
                    "named by an empty word",
                    type -> EMPTY_NAME.matcher(type.getSimpleName()).matches())))
        .check(code);
  }

  @Test
  @DisplayName("no file of more than 300 lines")
  void filesStayShort() {
    List<String> tooLong =
        Stream.concat(sources(MAIN), sources(Path.of("src/test/java")))
            .filter(file -> text(file).lines().count() > LONGEST_FILE)
            .map(Path::toString)
            .toList();
    assertEquals(List.of(), tooLong, "split by the concept that is missing a name");
  }

  @Test
  @DisplayName("every package says what it is, and null is marked in it")
  void packagesAreDescribed() {
    List<String> bare =
        table.imports().keySet().stream()
            .filter(name -> !isDescribed(MAIN.resolve("dev/postroom/" + name)))
            .toList();
    assertEquals(List.of(), bare);
  }

  private static boolean isDescribed(Path directory) {
    Path file = directory.resolve("package-info.java");
    return Files.exists(file)
        && Stream.of(
                "<p>Concurrency:", "<p>Life cycle:", "<p>Invariants:", "<p>Imports:", "@NullMarked")
            .allMatch(text(file)::contains);
  }

  private static boolean isOurs(JavaClass type) {
    return type.getPackageName().startsWith(ROOT);
  }

  /** The first name below the root, or empty in the root itself. */
  private static String packageOf(JavaClass type) {
    String rest = type.getPackageName().substring(ROOT.length());
    return rest.isEmpty() ? "" : rest.substring(1).split("\\.", 2)[0];
  }

  private static boolean isIn(Set<String> places, JavaClass type) {
    return places.contains(packageOf(type))
        || places.contains(packageOf(type) + "." + outermost(type).getSimpleName());
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(ImportTableTest::outermost).orElse(type);
  }

  private static DescribedPredicate<JavaClass> described(
      String description, Predicate<JavaClass> predicate) {
    return DescribedPredicate.describe(description, predicate);
  }

  private static Stream<Path> sources(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
