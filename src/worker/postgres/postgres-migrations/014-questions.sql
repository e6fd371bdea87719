-- Answers to questions for runs that a service has taken count for the state of the service as those to requests do.
ALTER TABLE tandem.service
  -- When an answer to such a question was entered last, to some seconds: while some are asked, no request looks for the service.
  ADD COLUMN asked_at bigint NOT NULL DEFAULT 0;
-- The gateway answered only questions for its run, which is no try of the job.
ALTER TABLE tandem.fallen ADD COLUMN asked boolean NOT NULL DEFAULT false;
CREATE INDEX sending_at_service ON tandem.sending (service) WHERE run_id IS NOT NULL;
-- It has a parameter more.
DROP FUNCTION IF EXISTS tandem.note_answers(integer, integer, bigint, bigint[], bigint[], integer, bigint[]);
