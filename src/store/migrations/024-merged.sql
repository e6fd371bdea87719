-- Cases that the selection leaves before it is cut into parts (--shard); null: it was not cut, or was planned before this was counted
ALTER TABLE batch ADD COLUMN whole_cases INTEGER;
-- Batches that were put together of parts: the same parts again are the same night.
CREATE TABLE merged (
  batch_id INTEGER PRIMARY KEY REFERENCES batch (id) ON DELETE CASCADE,
  parts TEXT NOT NULL,                 -- JSON list: each batch that it was put together of, and a hash of what that held then
  contents TEXT NOT NULL,              -- a hash of what it held itself then
  partial INTEGER NOT NULL             -- 1: a part that is missing is missing on purpose (--partial)
) STRICT;
