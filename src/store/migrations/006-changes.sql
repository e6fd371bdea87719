-- Changes of a batch after it was planned, such as a target that was put right and asked anew.
CREATE TABLE change (
  id INTEGER PRIMARY KEY,
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  text TEXT NOT NULL                   -- a sentence for people
) STRICT;
CREATE INDEX change_by_batch ON change (batch_id);
