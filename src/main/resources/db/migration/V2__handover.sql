-- Until now nobody read these rows.
DROP TABLE outbox;

-- That events of a room are still to be handed over: one row for what one transaction accepted in
-- one room, written in that transaction (A4). A doorbell: the relay takes it away in the very
-- transaction in which it writes the same into the lanes. No index but the key, which hands out
-- rising numbers, so that looking for new rows does not pass the dead ones (ADR 0005).
CREATE TABLE outbox (
    no        bigint GENERATED ALWAYS AS IDENTITY,
    room_no   bigint NOT NULL,
    first_seq bigint NOT NULL,
    last_seq  bigint NOT NULL,
    CONSTRAINT outbox_number PRIMARY KEY (no),
    CONSTRAINT outbox_range CHECK (first_seq BETWEEN 1 AND last_seq)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

-- Every change of a sink takes a number, so that a node sees at one glance that something changed.
CREATE SEQUENCE sink_change;

CREATE TABLE sink (
    no         integer GENERATED ALWAYS AS IDENTITY,
    id         text COLLATE "C" NOT NULL,
    type       text NOT NULL,
    name       text NOT NULL,
    -- Room patterns as given, and the same for LIKE.
    rooms      text[] NOT NULL,
    likes      text[] NOT NULL,
    target     text NOT NULL,
    format     text NOT NULL,
    poison     text NOT NULL,
    state      text NOT NULL DEFAULT 'active',
    -- Why it is disabled.
    reason     text,
    changed    bigint      NOT NULL DEFAULT nextval('sink_change'),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- The row stays until the lanes are gone.
    deleted_at timestamptz,
    CONSTRAINT sink_number PRIMARY KEY (no),
    CONSTRAINT sink_id UNIQUE (id),
    CONSTRAINT sink_poison CHECK (poison IN ('block', 'skip_with_gap')),
    CONSTRAINT sink_format CHECK (format IN ('structured', 'binary')),
    CONSTRAINT sink_state CHECK (state IN ('active', 'paused', 'disabled'))
);

-- Sealed with the configured key; never in plain.
CREATE TABLE sink_secret (
    no         bigint GENERATED ALWAYS AS IDENTITY,
    sink_no    integer NOT NULL REFERENCES sink (no) ON DELETE CASCADE,
    sealed     bytea   NOT NULL,
    -- Null: the newest. An older one signs along until then.
    expires_at timestamptz,
    CONSTRAINT sink_secret_number PRIMARY KEY (no)
);

-- One room's events on their way to one sink. Event n is pending while next_seq <= n <= known_seq:
-- this row is the truth about what was delivered, and the only thing that delivery writes.
--
-- due_at says when a node may take the lane, and is the lease once one has: a node that dies lets
-- go of its lanes by doing nothing. Null: there is nothing to do, or nothing may be done.
CREATE TABLE lane (
    room_no       bigint  NOT NULL,
    sink_no       integer NOT NULL,
    next_seq      bigint  NOT NULL,
    known_seq     bigint  NOT NULL,
    -- Dead letters that are to be sent once more.
    late          integer NOT NULL DEFAULT 0,
    state         text    NOT NULL,
    due_at        timestamptz,
    -- Grows whenever the lane changes hands; a node with an old one may not write a failure.
    token         bigint  NOT NULL DEFAULT 0,
    -- Failures at the head in a row: all of them, and those that were the event's.
    tries         integer NOT NULL DEFAULT 0,
    event_faults  integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    last_error    text,
    -- Serves: ringing, marking, the list of a sink's lanes.
    CONSTRAINT lane_key PRIMARY KEY (sink_no, room_no),
    CONSTRAINT lane_state CHECK (state IN ('idle', 'ready', 'leased', 'backoff', 'parked')),
    CONSTRAINT lane_due CHECK ((due_at IS NULL) = (state IN ('idle', 'parked'))),
    CONSTRAINT lane_next CHECK (next_seq >= 1 AND known_seq >= 0 AND late >= 0)
) WITH (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_cost_delay = 0
);

-- Serves: claiming. Parked lanes are not in it, however many there are.
CREATE INDEX lane_to_claim ON lane (sink_no, due_at) WHERE due_at IS NOT NULL;

-- Serves: the list of parked lanes, and taking them up again.
CREATE INDEX lane_parked ON lane (sink_no, room_no) WHERE state = 'parked';

-- An event that a sink with the policy skip_with_gap would not take. Points at the message.
CREATE TABLE dead_letter (
    sink_no         integer NOT NULL,
    room_no         bigint  NOT NULL,
    seq             bigint  NOT NULL,
    reason          text    NOT NULL,
    state           text    NOT NULL DEFAULT 'dead',
    first_failed_at timestamptz NOT NULL,
    dead_since      timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT dead_letter_key PRIMARY KEY (sink_no, room_no, seq),
    CONSTRAINT dead_letter_state CHECK (state IN ('dead', 'redriving'))
);
