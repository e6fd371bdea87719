-- A run that the service has taken and is making: it is asked for by its id, by a later process too, and not sent again while
-- the service knows it. null: nothing is known of the attempt but that it was to be sent.
ALTER TABLE sending ADD COLUMN run_id TEXT;
ALTER TABLE sending ADD COLUMN run_url TEXT;
ALTER TABLE sending ADD COLUMN run_created_at TEXT;
ALTER TABLE sending ADD COLUMN sent_at REAL;

-- Milliseconds that the run took, as the service tells them; null: it does not.
ALTER TABLE attempt ADD COLUMN run_ms REAL;
-- 1: the run was asked for by another process than the one that had submitted it.
ALTER TABLE attempt ADD COLUMN reattached INTEGER NOT NULL DEFAULT 0;
