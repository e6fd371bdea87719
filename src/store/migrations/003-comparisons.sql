-- A name for a batch, or for several that are pooled: what later batches are compared with.
CREATE TABLE pin (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE pin_batch (
  pin_id INTEGER NOT NULL REFERENCES pin (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,              -- 0, 1, ...: their runs of a case are counted in this order
  batch_id INTEGER NOT NULL REFERENCES batch (id),
  PRIMARY KEY (pin_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX pin_by_batch ON pin_batch (batch_id);

-- What a batch came to, each time that it was compared; the latest of the same sides counts.
CREATE TABLE comparison (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  against TEXT NOT NULL,               -- what its targets are compared with; empty: with each other, as its suite says
  seed TEXT NOT NULL,                  -- of every random draw
  verdict TEXT,                        -- regression, pass, inconclusive, invalid; null: nothing was decided
  summary TEXT NOT NULL,               -- JSON: the whole summary, bounded in size
  version TEXT NOT NULL,               -- of tandem
  created_at INTEGER NOT NULL,
  UNIQUE (batch_id, against)
) STRICT;

-- What the run was told to be compared with (`run --against`); null: its targets with each other.
ALTER TABLE batch ADD COLUMN against TEXT;
-- `pin`: it was read from an exported pin; only answers and scores are kept. null: it was run here.
ALTER TABLE batch ADD COLUMN origin TEXT;
