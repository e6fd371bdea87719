import { useEffect } from "preact/hooks";
import type { RowJudgement } from "../../../report/shape/row-head.ts";
import type { Actions, JudgedRow } from "../data/source.ts";
import { shared, type SharedValue } from "./shared.ts";

type JudgedRows = ReadonlyMap<string, JudgedRow>;
type Reading = Pick<Actions, "judged">;

/** Judgements on the rows that were open in a report, which its list that was read before does not know. */
interface JudgedReport {
  rows: SharedValue<JudgedRows>;
  /** Number of the last reading of each row, by which one that was overtaken is known. */
  readings: Map<string, number>;
}

const reports = new WeakMap<Reading, JudgedReport>();
const noReport = newReport();

function newReport(): JudgedReport {
  return { rows: shared<JudgedRows>(new Map()), readings: new Map() };
}

function judgedIn(actions: Reading | null): JudgedReport {
  if (actions === null) return noReport;
  const known = reports.get(actions) ?? newReport();
  reports.set(actions, known);
  return known;
}

/** Reads the judgements on a row again, for every part of the page that shows them, whichever row is open by then. */
export async function readJudged(actions: Reading, rowKey: string): Promise<void> {
  const { rows, readings } = judgedIn(actions);
  const number = (readings.get(rowKey) ?? 0) + 1;
  readings.set(rowKey, number);
  const found = await actions.judged(rowKey);
  if (readings.get(rowKey) === number) rows.set(new Map(rows.now()).set(rowKey, found));
}

/** The judgements on a row that its list shows: as it is now where it was open, else as the list was read. */
export function useJudgement(
  actions: Actions | null,
  rowKey: string,
  read: RowJudgement | null = null,
): RowJudgement | null {
  const known = judgedIn(actions).rows.use().get(rowKey);
  return known === undefined ? read : known.judged;
}

/** Judgements of people on the answers of a row; null: not known yet. */
export function useRowJudged(actions: Actions | null, rowKey: string): JudgedRow | null {
  useEffect(() => {
    // A viewer that does not answer says so itself.
    if (actions !== null) void readJudged(actions, rowKey).catch(() => {});
  }, [actions, rowKey]);
  return judgedIn(actions).rows.use().get(rowKey) ?? null;
}
