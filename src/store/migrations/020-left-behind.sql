-- What a removed batch left behind would be taken for a part of the next, which has its id again.
DELETE FROM change WHERE batch_id NOT IN (SELECT id FROM batch);
DELETE FROM at_workers WHERE batch_id NOT IN (SELECT id FROM batch);
