-- 1: a gateway answered in the place of the service (502, 503, 504, or 500 with a page)
ALTER TABLE attempt ADD COLUMN gateway INTEGER NOT NULL DEFAULT 0;
CREATE INDEX attempt_of_gateway ON attempt (job_id) WHERE gateway = 1;
-- Times in which a service was away while a batch ran.
CREATE TABLE outage (
  batch_id INTEGER NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  deployment TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  status INTEGER NOT NULL,             -- the latest with which a gateway answered
  since INTEGER NOT NULL,              -- the first answer of a gateway
  until INTEGER,                       -- the first answer of the service after that; null: none came to the process that waited
  PRIMARY KEY (batch_id, deployment, endpoint, since)
) STRICT;
