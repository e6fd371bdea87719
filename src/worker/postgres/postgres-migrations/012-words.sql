-- The verdict of a night in one word; null where nothing was decided, and where a worker of an earlier tandem ran it.
ALTER TABLE tandem.night ADD COLUMN IF NOT EXISTS word text;
