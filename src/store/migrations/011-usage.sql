-- Tokens that were read and written for an answer, as the reply tells; null: it does not.
ALTER TABLE attempt ADD COLUMN tokens_in INTEGER;
ALTER TABLE attempt ADD COLUMN tokens_out INTEGER;
