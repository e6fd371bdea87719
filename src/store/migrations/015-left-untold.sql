-- 1: the process that did its night was gone before it had told its verdict, so that a later night tells it
ALTER TABLE batch ADD COLUMN left_untold INTEGER;
