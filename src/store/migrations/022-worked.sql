-- Milliseconds in which processes read its dataset and sent its jobs, on a clock that nobody sets; its dates say when it was
ALTER TABLE batch ADD COLUMN worked_ms INTEGER NOT NULL DEFAULT 0;
UPDATE batch SET worked_ms = max(0, coalesce(finished_at, lock_at, created_at) - created_at);
