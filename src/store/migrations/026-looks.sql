-- JSON object: name of a target to a mark of the bot that was asked, so that a second look at one comparison is known again; null: a run that is no look (a night, a calibration, a batch of before)
ALTER TABLE batch ADD COLUMN bots TEXT;
