import { hashText } from "../../lib/hash.ts";
import type { Connection } from "../connection.ts";
import { casesOfDraw, drawsOf, mergedFrame, type StoredDraw, writeDraw } from "../scores/label-draws.ts";
import { selectRow, sqlite } from "../sqlite.ts";
import type { BatchPart } from "./batch-part.ts";

/** A pair of targets of which every part drew cases, with the draw of each. */
interface DrawnPair {
  draws: { part: number; from: Connection; draw: StoredDraw }[];
}

/** A draw of parts that does not become one of the whole. */
export interface LeftDraw {
  baseline: string;
  candidate: string;
  /** Names of the parts that drew no cases for the pair; empty: parts share a case, so that it could be drawn twice. */
  lacking: string[];
}

/**
 * Copies the cases that people were to label, of each pair of targets that every part drew of, each with the
 * chance that it had in its part. A pair of which a part has none is left out, since it would be no draw of the whole;
 * so it is of parts that share a case. Returns those that are left out.
 */
export function copyDraws(db: Connection, batchId: number, parts: readonly BatchPart[]): LeftDraw[] {
  const all = pairsOf(parts);
  const left = (of: readonly DrawnPair[]): LeftDraw[] =>
    of.flatMap(({ draws }) => {
      const has = new Set(draws.map(({ part }) => part));
      const lacking = parts.flatMap(({ name }, part) => (has.has(part) ? [] : [name]));
      return draws.slice(0, 1).map(({ draw: { baseline, candidate } }) => ({ baseline, candidate, lacking }));
    });
  const pairs = all.filter(({ draws }) => draws.length === parts.length);
  if (pairs.length > 0 && sharesCases(db)) return left(all);
  const caseOf = sqlite(db)
    .prepare<[number, number], number>("SELECT id FROM temp.part_case WHERE part = ? AND old = ?")
    .pluck();
  for (const { draws } of pairs) {
    const [first] = draws;
    if (first === undefined) continue;
    const { scorer, baseline, candidate, seed } = first.draw;
    const cases = draws.flatMap(({ part, from, draw }) =>
      casesOfDraw(from, draw.id).flatMap((each) => {
        const caseId = caseOf.get(part, each.caseId);
        return caseId === undefined ? [] : [{ ...each, caseId, part }];
      }),
    );
    const size = draws.reduce((sum, { draw }) => sum + draw.size, 0);
    // Those that are labelled first in each part are labelled first.
    const ordered = cases.toSorted((one, other) => one.place - other.place).map((each, place) => ({ ...each, place }));
    const frame = mergedFrame(hashText(draws.map(({ draw }) => draw.frame).join(" "), 16));
    const at = Math.max(...draws.map(({ draw }) => draw.at));
    writeDraw(db, batchId, { scorer, baseline, candidate, seed, frame, size, at, cases: ordered });
  }
  return left(all.filter((pair) => !pairs.includes(pair)));
}

/** The latest draw of each part, by pair and judge. */
function pairsOf(parts: readonly BatchPart[]): DrawnPair[] {
  const pairs = new Map<string, DrawnPair>();
  for (const [part, { db, batch }] of parts.entries()) {
    for (const draw of drawsOf(db, batch.id)) {
      const id = JSON.stringify([draw.scorer, draw.baseline, draw.candidate]);
      const pair = pairs.get(id) ?? { draws: [] };
      if (!pair.draws.some((each) => each.part === part)) pair.draws.push({ part, from: db, draw });
      pairs.set(id, pair);
    }
  }
  return [...pairs.values()];
}

function sharesCases(db: Connection): boolean {
  const shared = selectRow(
    db,
    "SELECT 1 FROM temp.part_job WHERE done GROUP BY key HAVING count(DISTINCT part) > 1 LIMIT 1",
  );
  return shared !== undefined;
}
