import { frameGroups, groupName } from "../../../report/model/row-groups.ts";
import type { ReportFrame } from "../../../report/shape/reporter.ts";
import type { ReportRow } from "../../../report/shape/row.ts";
import type { RowGroup } from "../../../report/shape/row-group.ts";

/** The groups that a row is in: those of its answers, then those of each pair that is compared. */
export type RowGroups = readonly (readonly RowGroup[])[];

/** A group by the name that an index has for it; `pair`: of what it is compared with, null where that does not matter. */
export function indexedName(group: RowGroup, pair: number | null): string {
  return pair === null ? groupName(group) : `${pair} ${groupName(group)}`;
}

/** Finds the groups of each row of a comparison. */
export function rowGroupsIn(frame: ReportFrame): (row: ReportRow) => RowGroups {
  const { ofAnswers, ofChange } = frameGroups(frame);
  return (row) => [ofAnswers(row), ...frame.pairs.map((_, pair) => ofChange(row, pair))];
}
