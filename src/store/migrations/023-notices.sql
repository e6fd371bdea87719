-- The night that has it: 'owed': people are to be told of it; 'told': they were, and the night goes on to its end; null: no night has it
ALTER TABLE batch ADD COLUMN night TEXT CHECK (night IN ('owed', 'told'));
UPDATE batch SET night = 'owed' WHERE left_untold = 1 AND told_at IS NULL;
ALTER TABLE batch DROP COLUMN left_untold;
-- When the sending of its notice began; null when its outcome is known. One that a process left when it was killed may have arrived, or not
ALTER TABLE batch ADD COLUMN notice_at INTEGER;
