-- 1: it takes the place of the score that it is about, in comparisons and reports; the score itself stays. 0: it is kept beside it.
ALTER TABLE label ADD COLUMN edits INTEGER NOT NULL DEFAULT 0;
CREATE INDEX label_that_edits ON label (job_id) WHERE edits = 1;
