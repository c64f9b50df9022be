-- Serves: closed rooms by their name, as the calls about lanes and dead letters look them up.
CREATE INDEX room_closed ON room (id) WHERE closed_at IS NOT NULL;
