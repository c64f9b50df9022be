package dev.postroom.inbound;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithParentName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** The systems that may deliver events, by the name in {@code /api/inbound/{source}}. */
@ConfigMapping(prefix = "postroom.inbound")
public interface InboundConfig {

  /** By name: 1 to 64 of a-z 0-9 and -, beginning with a letter or digit. */
  @WithParentName
  Map<String, SourceConfig> sources();

  /** One system. Templates are literal text with places ({@code {/data/text}}) of the event. */
  interface SourceConfig {

    /** Signing secrets ({@code whsec_…}), any of which may have signed. */
    Optional<List<String>> secrets();

    /** What may stand in {@code Authorization: Bearer …} instead of a signature. */
    Optional<String> token();

    /** How far a signature's timestamp may be from this clock. */
    @WithDefault("5M")
    @DurationMin(seconds = 1, message = "must be at least 1s")
    @DurationMax(days = 3650, message = "must be at most 3650 days")
    Duration tolerance();

    /** Types of event that are taken; others are answered 204 and left alone. */
    @WithDefault("dev.postroom.message.accepted.v1")
    List<String> types();

    /** Template of the room. */
    String room();

    /** Template of the participant; absent {@code inbound:} and the source's name. */
    Optional<String> participant();

    /** Template of the author's name; absent the source's name. */
    Optional<String> name();

    /** Template of the text. */
    @WithDefault("{/data/text}")
    String text();

    /** Whether a room that does not exist is made; otherwise such an event is refused by 422. */
    @WithDefault("true")
    boolean createRooms();
  }
}
