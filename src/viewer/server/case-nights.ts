import { setImmediate as turn } from "node:timers/promises";
import { ownComparison } from "../../app/compare/planned-comparison.ts";
import { rowOfCase } from "../../app/report/row-of-case.ts";
import type { ReportRun, ReportSide } from "../../report/shape/row.ts";
import { type Batch, findBatch, listBatches } from "../../store/batches.ts";
import { oneCase } from "../../store/compared/one-case.ts";
import type { Connection } from "../../store/connection.ts";
import type { CaseNight } from "../api.ts";
import { batchState, isAtWork } from "./home/batch-state.ts";

/** Nights that are looked at: as many as a strip has room for. */
const mostNights = 40;

/** A case of one target over the nights of its suite up to a batch, the oldest first. Between two nights others get their turn. */
export async function caseNights(
  db: Connection,
  { batch, key, target }: { batch: Batch; key: string; target: string },
): Promise<CaseNight[]> {
  const before = listBatches(db, batch.suiteName).filter(
    ({ id }) => id <= batch.id && !isAtWork(batchState(db, id).state),
  );
  const nights: CaseNight[] = [];
  for (const { name, createdAt } of before.toSorted((one, other) => one.id - other.id).slice(-mostNights)) {
    const side = sideOf(db, { batch: name, key, target });
    nights.push({ batch: name, at: createdAt, ...markOf(side) });
    await turn();
  }
  return nights;
}

/** The first answer of a target to a case in another batch of the suite; null: there is none. */
export function answerOfNight(db: Connection, asked: { batch: string; key: string; target: string }): ReportRun | null {
  return sideOf(db, asked)?.runs[0] ?? null;
}

function sideOf(
  db: Connection,
  { batch, key, target }: { batch: string; key: string; target: string },
): ReportSide | null {
  const planned = ownComparison(db, findBatch(db, batch));
  const found = oneCase(db, planned.batches, key);
  const place = planned.settings.sides.findIndex((side) => side.target === target);
  return found === null ? null : (rowOfCase(found, planned, 0).sides[place] ?? null);
}

function markOf(side: ReportSide | null): Pick<CaseNight, "mark" | "score"> {
  const score = side?.scores[0]?.value ?? null;
  if (side === null || side.runs.length === 0) return { mark: "none", score: null };
  if (side.runs.every(({ failed }) => failed)) return { mark: "error", score };
  const passes = side.runs.flatMap(({ scores }) => scores[0]?.pass ?? []);
  if (passes.length === 0) return { mark: "answered", score };
  return { mark: passes.every(Boolean) ? "passed" : passes.some(Boolean) ? "mixed" : "failed", score };
}
