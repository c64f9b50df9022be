package dev.postroom.bench.host;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;

/**
 * What a service says of itself in Prometheus' text form, at one moment.
 *
 * @param values by name, summed over labels
 */
public record Metrics(Map<String, Double> values) {

  /** Reads {@code /q/metrics} on loopback. */
  public static Metrics of(int port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/q/metrics")).build();
    String text = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    Map<String, Double> values = new HashMap<>();
    text.lines()
        .filter(line -> !line.startsWith("#") && !line.isBlank())
        .forEach(line -> values.merge(name(line), amount(line), Double::sum));
    return new Metrics(values);
  }

  private static String name(String line) {
    int labels = line.indexOf('{');
    return line.substring(0, labels < 0 ? line.indexOf(' ') : labels);
  }

  private static double amount(String line) {
    return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
  }

  /** 0 if there is none. */
  public double value(String metric) {
    return values.getOrDefault(metric, 0.0);
  }

  /** The mean of what a summary counted since the earlier moment. */
  public double meanSince(Metrics earlier, String summary) {
    String sum = summary + "_sum";
    String count = summary + "_count";
    return (value(sum) - earlier.value(sum)) / (value(count) - earlier.value(count));
  }
}
