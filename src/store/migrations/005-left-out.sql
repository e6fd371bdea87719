-- 0: the scorer has nothing to say of this case, such as one that compares with an expected answer of a case that has none;
-- the reason tells why. Such a score is none, and no failure of the scorer either.
ALTER TABLE score ADD COLUMN applies INTEGER NOT NULL DEFAULT 1;
UPDATE score SET applies = 0 WHERE value IS NULL AND reason = 'the case has no expected answer, and the scorer no value';

-- Expected answer by which a scoring graded a case, where a suite that was named has another than the case had when it was
-- planned.
CREATE TABLE graded_by (
  scoring_id INTEGER NOT NULL REFERENCES scoring (id) ON DELETE CASCADE,
  case_id INTEGER NOT NULL,
  expected TEXT,                       -- null: none is expected any more
  PRIMARY KEY (scoring_id, case_id)
) STRICT, WITHOUT ROWID;

-- A row without a stored answer is missing: nothing was asked. Only a turn after a failed one is skipped.
UPDATE job SET outcome = 'missing' WHERE outcome = 'skipped' AND error = 'the row has no stored answer';
