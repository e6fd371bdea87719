import { rowColumns } from "../lib/row-columns.ts";
import type { Connection } from "./connection.ts";
import { selectValue } from "./sqlite.ts";

/**
 * The input of a case as SQL over the table "case", as a request is made of it: with the columns of its row where a target of
 * the batch has a template in its body.
 */
export function sentInput(db: Connection, batchId: number): string {
  const isFilled = selectValue<number>(
    db,
    "SELECT 1 FROM target WHERE batch_id = ? AND (instr(body, '{{') > 0 OR instr(body, '{%') > 0) LIMIT 1",
    [batchId],
  );
  return isFilled === undefined ? '"case".input' : `json_set("case".input, '$."${rowColumns}"', json("case".columns))`;
}
