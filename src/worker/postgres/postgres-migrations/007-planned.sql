-- Jobs of the plan that are known by their places, on every machine; null: the file of the batch is not there to its end.
ALTER TABLE tandem.batch ADD COLUMN planned integer;
