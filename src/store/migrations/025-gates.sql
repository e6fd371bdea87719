-- A stored suite may have gates of a kind that a tandem of before does not know, and would take for a margin: it refuses the file instead.
SELECT 1;
