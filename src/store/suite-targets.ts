import type { Connection } from "./connection.ts";
import { selectValue } from "./sqlite.ts";
import { readSuite } from "./stored-suite.ts";

/**
 * The targets of a suite, its baseline first, then in the order of its file: as its latest batch has them that was not
 * narrowed down to some of them. A suite that is not known has none.
 */
export function suiteTargets(db: Connection, suiteName: string): string[] {
  const stored = selectValue<string>(
    db,
    `SELECT suite FROM batch WHERE suite_name = ? AND origin IS NULL
     ORDER BY coalesce(json_array_length(selection, '$.targets'), 0) = 0 DESC, id DESC LIMIT 1`,
    [suiteName],
  );
  if (stored === undefined) return [];
  const { targets, compare } = readSuite(stored);
  const names = targets.map(({ name }) => name);
  const baseline = compare?.baseline;
  return baseline === undefined || !names.includes(baseline)
    ? names
    : [baseline, ...names.filter((name) => name !== baseline)];
}
