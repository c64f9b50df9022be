-- Where in the cluster these rows live: the database's OID and this table's. A dump restored into the
-- same cluster has the old cluster's name and timeline in its rows, but lives elsewhere (R4).
ALTER TABLE lineage ADD COLUMN home text;

-- What is here now is the history that it says it is: an upgrade begins no new one.
UPDATE lineage
   SET home = (SELECT oid FROM pg_database WHERE datname = current_database())::text
              || '/' || 'lineage'::regclass::oid::text;
