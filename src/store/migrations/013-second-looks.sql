-- A batch whose comparison called a regression, and whose cases were asked once more to confirm it: the jobs of the second
-- look are those with a repeat beyond the repeats of their target.
CREATE TABLE second_look (
  batch_id INTEGER PRIMARY KEY REFERENCES batch (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  planned INTEGER NOT NULL,            -- jobs of the first look
  jobs INTEGER NOT NULL                -- jobs of the second
) STRICT;
