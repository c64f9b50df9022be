-- Which history of the cluster this is. A new row is added when numbers can no longer be trusted:
-- a promoted replica, a restored backup. The newest row's mark is part of every room's epoch (R4).
CREATE TABLE lineage (
    no                integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    mark              integer     NOT NULL,
    system_identifier text        NOT NULL,
    timeline          text        NOT NULL,
    reason            text        NOT NULL,
    began_at          timestamptz NOT NULL DEFAULT now()
);

-- fillfactor: every accept updates head in place (HOT); therefore no index on head.
CREATE TABLE room (
    no         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id         text COLLATE "C" NOT NULL,
    nonce      integer     NOT NULL,
    head       bigint      NOT NULL DEFAULT 0,
    kept_from  bigint      NOT NULL DEFAULT 1,
    keys_from  bigint      NOT NULL DEFAULT 1,
    title      text,
    created_at timestamptz NOT NULL DEFAULT now(),
    closed_at  timestamptz,
    CONSTRAINT room_id_shape CHECK (id ~ '^[A-Za-z0-9._:-]{1,128}$'),
    CONSTRAINT room_head_range CHECK (head >= 0 AND head < 9007199254740992),
    CONSTRAINT room_title_length CHECK (length(title) <= 200)
) WITH (fillfactor = 50);

-- Serves: accept, join, every look by name. One open room per name; closed ones keep their rows
-- until their messages are gone.
CREATE UNIQUE INDEX room_open ON room (id) WHERE closed_at IS NULL;

CREATE TABLE member (
    room_no     bigint NOT NULL REFERENCES room (no) ON DELETE CASCADE,
    participant text COLLATE "C" NOT NULL,
    role        text NOT NULL,
    added_at    timestamptz NOT NULL DEFAULT now(),
    -- Serves: the right of one participant in one room.
    PRIMARY KEY (room_no, participant),
    CONSTRAINT member_role CHECK (role IN ('owner', 'writer', 'reader')),
    CONSTRAINT member_participant_length CHECK (length(participant) BETWEEN 1 AND 128)
);

-- Serves: "list my rooms".
CREATE INDEX member_of_participant ON member (participant);

-- No foreign key to room: numbers are handed out under the room's row lock, so the row is there.
CREATE TABLE message (
    room_no           bigint   NOT NULL,
    seq               bigint   NOT NULL,
    message_id        uuid     NOT NULL,
    participant       text COLLATE "C" NOT NULL,
    client_message_id text COLLATE "C" NOT NULL,
    author_name       text     NOT NULL,
    lineage           integer  NOT NULL,
    hash_rule         smallint NOT NULL,
    content_hash      bytea    NOT NULL,
    -- Null once purged: the key and its result outlive the text.
    text              text,
    accepted_at       timestamptz NOT NULL,
    -- Serves: pages of a room.
    CONSTRAINT message_number PRIMARY KEY (room_no, seq),
    -- A1. The decision: one command key, one message.
    CONSTRAINT message_command_key UNIQUE (room_no, participant, client_message_id),
    CONSTRAINT message_seq_positive CHECK (seq >= 1),
    CONSTRAINT message_client_id_length CHECK (length(client_message_id) BETWEEN 1 AND 128)
);

-- That an event is still to be handed over. Written in the message's own transaction (A4).
CREATE TABLE outbox (
    room_no bigint NOT NULL,
    seq     bigint NOT NULL,
    CONSTRAINT outbox_number PRIMARY KEY (room_no, seq)
);

-- The signing secret of the development issuer. Empty wherever a verification key is configured.
CREATE TABLE development_issuer (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    secret  text NOT NULL
);
