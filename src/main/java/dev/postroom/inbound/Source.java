package dev.postroom.inbound;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postroom.accept.Submission;
import dev.postroom.access.Participants;
import dev.postroom.access.Principal;
import dev.postroom.sink.webhook.Signature;
import dev.postroom.sink.webhook.SigningSecret;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Pure: one system that delivers events: how it proves itself, and what becomes of its events. */
public final class Source {

  private static final int LONGEST_KEY = 128;

  private final List<SigningSecret> secrets;
  private final byte @Nullable [] token;
  private final Duration tolerance;
  private final Set<String> types;
  private final Mapping mapping;

  Source(
      List<SigningSecret> secrets,
      @Nullable String token,
      Duration tolerance,
      Set<String> types,
      Mapping mapping) {
    this.secrets = secrets;
    this.token = token == null ? null : token.getBytes(UTF_8);
    this.tolerance = tolerance;
    this.types = types;
    this.mapping = mapping;
  }

  /** From where in an event a message comes. */
  record Mapping(
      Template room, Template participant, Template name, Template text, boolean createRooms) {}

  /** Whether it is this source that delivers; by signature or by token, whichever it has. */
  public boolean isProvenBy(Proof proof, Instant now) {
    boolean signed =
        Signature.verify(
                proof.id(),
                proof.timestamp(),
                proof.signature(),
                proof.body(),
                secrets,
                now,
                tolerance)
            == Signature.Verdict.GOOD;
    return signed || hasToken(proof.token());
  }

  private boolean hasToken(@Nullable String shown) {
    return token != null && shown != null && MessageDigest.isEqual(token, shown.getBytes(UTF_8));
  }

  /** Whether events of this type become messages; others are none of its business. */
  public boolean takes(CloudEvent event) {
    return types.contains(event.type());
  }

  /** Whether a room is made where there is none. */
  public boolean createsRooms() {
    return mapping.createRooms;
  }

  /**
   * The command that the event is. A repeat of the event is a repeat of the command.
   *
   * @throws Unfit if the event lacks what this source makes its messages of
   */
  public Submission submission(CloudEvent event) {
    String participant = mapping.participant.fill(event);
    if (!Participants.isValid(participant)) {
      throw new Unfit("participant", "The participant must be " + Participants.RULE + ".");
    }
    String name = mapping.name.fill(event);
    if (!Participants.isValidName(name)) {
      throw new Unfit("name", "The author's name must be " + Participants.NAME_RULE + ".");
    }
    // The right is the source's own, by its settings; see InboundResource.
    Principal principal = new Principal(participant, name, Map.of(), false, null);
    // One delivery is its own origin: nothing is kept in order between two.
    return new Submission(
        new Object(),
        principal,
        mapping.room.fill(event),
        key(event.id()),
        mapping.text.fill(event),
        null);
  }

  /** The id as it is, where it can be a command key; otherwise its hash. */
  static String key(String id) {
    boolean fits = id.length() <= LONGEST_KEY && id.chars().allMatch(c -> c >= 0x20 && c <= 0x7E);
    return fits ? id : "sha256:" + hash(id);
  }

  private static String hash(String id) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
