-- The schedule of the night in which a batch was submitted, and the home that has what is brought of it; null: no night did.
ALTER TABLE tandem.batch ADD COLUMN schedule integer, ADD COLUMN home uuid;
