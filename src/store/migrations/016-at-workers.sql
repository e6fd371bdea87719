-- A batch that workers send: which of theirs it is. Their address is a secret, and is nowhere here.
CREATE TABLE at_workers (
  batch_id INTEGER PRIMARY KEY REFERENCES batch (id) ON DELETE CASCADE,
  remote TEXT NOT NULL,                -- its id there
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,                  -- its name there
  planned INTEGER NOT NULL,            -- jobs of the plan when it went there: these are known there by their place
  since INTEGER NOT NULL,
  rested_at INTEGER                    -- when all that they had sent was here and they sent nothing more; null: they may be sending
) STRICT;
