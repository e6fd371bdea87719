-- Rows are numbered as a spreadsheet shows them: the header is row 1. They were counted from the first one after it; JSON
-- Lines have no header, and a case of an exported pin is of no file.
UPDATE "case" SET row = row + 1
WHERE file <> '' AND NOT (file LIKE '%.jsonl' OR file LIKE '%.jsonl.gz' OR file LIKE '%.ndjson' OR file LIKE '%.ndjson.gz');
