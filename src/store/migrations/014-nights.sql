-- The process that does a night of a suite, so that a second one started by mistake leaves or waits.
CREATE TABLE night_lock (
  suite_name TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  host TEXT NOT NULL,
  started TEXT NOT NULL,               -- what tells that process from a later one with the same pid
  since INTEGER NOT NULL,
  at INTEGER NOT NULL                  -- its last sign of life
) STRICT;

-- When its verdict had been told to everybody who was to know; null: not yet
ALTER TABLE batch ADD COLUMN told_at INTEGER;
UPDATE batch SET told_at = coalesce(finished_at, created_at);
