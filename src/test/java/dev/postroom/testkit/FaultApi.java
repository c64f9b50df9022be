package dev.postroom.testkit;

import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import java.util.HashMap;
import java.util.Map;

/** The fault mode of the service under test. */
public final class FaultApi {
  private FaultApi() {}

  /** Turns it on with this seed and one proportion. */
  public static void set(String fault, double proportion) {
    set(Map.of("seed", 7, fault, proportion));
  }

  public static void set(Map<String, ?> setting) {
    body(setting).put("/dev/faults").then().statusCode(200);
  }

  public static void end() {
    RestAssured.delete("/dev/faults").then().statusCode(200);
  }

  /** How often this has struck. */
  public static int happened(String fault) {
    return RestAssured.get("/dev/faults").path("happened." + fault);
  }

  /**
   * @return how many sockets it befalls
   */
  public static int drill(String drill, String participant) {
    return drill(drill, participant, Map.of());
  }

  public static int drill(String drill, String participant, Map<String, ?> more) {
    return tried(drill, participant, more).statusCode(200).extract().path("sockets");
  }

  public static ValidatableResponse tried(String drill, String participant, Map<String, ?> more) {
    Map<String, Object> order = new HashMap<>(more);
    order.put("drill", drill);
    order.put("participant", participant);
    return body(order).post("/dev/faults/drills").then();
  }

  private static io.restassured.specification.RequestSpecification body(Map<String, ?> body) {
    return RestAssured.given().contentType(ContentType.JSON).body(body);
  }
}
