-- 1: a way to tell people of its verdict was configured, and worked; 0: there was none, so that nobody heard of it
ALTER TABLE batch ADD COLUMN notified INTEGER NOT NULL DEFAULT 0;
UPDATE batch SET notified = 1 WHERE told_at IS NOT NULL;
