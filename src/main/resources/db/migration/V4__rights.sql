-- Counts the members that were taken out of the room. Raised in the transaction that takes one out,
-- so whoever reads a message accepted after it reads at least this number with it (R5).
ALTER TABLE room ADD COLUMN rights bigint NOT NULL DEFAULT 0;
