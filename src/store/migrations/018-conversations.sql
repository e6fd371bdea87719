-- The turns of a conversation, for the page that shows what came before one; most cases are alone and are not in it.
CREATE INDEX case_by_cluster ON "case" (batch_id, cluster, turn) WHERE cluster <> key;
