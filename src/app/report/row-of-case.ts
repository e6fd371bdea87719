import { compareRead } from "../../compare/cases/case-comparison.ts";
import { readSide } from "../../compare/cases/case-side.ts";
import { reportRow } from "../../report/model/model-row.ts";
import type { ReportRow } from "../../report/shape/row.ts";
import type { CaseOfBatches } from "../../store/compared/joined-case.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";

/** A case with all that is shown of it; `place` is its place in the comparison, from 0. */
export function rowOfCase(found: CaseOfBatches, { settings }: PlannedComparison, place: number): ReportRow {
  const sides = settings.sides.map((side) => readSide(found, side, settings.metrics));
  return reportRow(found, compareRead(found, sides, settings), settings, place + 1);
}
