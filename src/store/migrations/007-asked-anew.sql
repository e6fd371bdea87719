-- Attempts of a job up to this number were made for an earlier configuration of its target: they use up no retry of the one
-- that it has now. null: the target was never corrected.
ALTER TABLE job ADD COLUMN corrected_after INTEGER;
