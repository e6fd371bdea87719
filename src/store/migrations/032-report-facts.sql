-- What the reports of a comparison were made of, by which a resume of what is finished reads them instead of comparing again: null where none were written.
ALTER TABLE comparison ADD COLUMN report_facts TEXT;
