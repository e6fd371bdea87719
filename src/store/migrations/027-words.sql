-- What a comparison says in one word, beside its state: null where an earlier tandem kept it, whose rules had no words.
ALTER TABLE comparison ADD COLUMN word TEXT;
