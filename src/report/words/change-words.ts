import { flipWords } from "./flip-words.ts";
import type { ReportChange, ReportRow, SideScore } from "../shape/row.ts";
import { passPlaceOf, type ReportFrame } from "../shape/reporter.ts";

/** A row with one of its changes, and the pair that it is of. */
interface ChangedRow {
  row: ReportRow;
  change: ReportChange;
  pair: number;
}

/** `newly fails`, or `changed, worse` where nothing says pass or fail: what became of a row. */
export function changeWords(changed: ChangedRow, frame: ReportFrame): string {
  const { kind, trend } = changed.change;
  const direction = trend === null || isOfErrors(kind) ? "" : `, ${trend}`;
  return turnWords(changed, frame) ?? `${kindWords(kind)}${direction}`;
}

/** The same in a word or two. */
export function changeWord(changed: ChangedRow, frame: ReportFrame): string {
  const { kind, trend } = changed.change;
  return turnWords(changed, frame, true) ?? (isOfErrors(kind) || trend === null ? kindWords(kind) : trend);
}

/** The turn of a row that passed and fails, or the reverse; null where it did not turn, or was not graded. */
function turnWords(
  { row, change, pair }: ChangedRow,
  { metrics, pairs, targets }: ReportFrame,
  isShort = false,
): string | null {
  if (change.trend === null || isOfErrors(change.kind)) return null;
  const place = passPlaceOf(metrics);
  const scoreOf = (name: string | undefined) => row.sides[targets.indexOf(name ?? "")]?.scores[place] ?? null;
  const [before, after] = [scoreOf(pairs[pair]?.baseline), scoreOf(pairs[pair]?.candidate)];
  if (before === null || after === null || before.runs === 0 || after.runs === 0) return null;
  const [was, now] = [before.passes / before.runs, after.passes / after.runs];
  if (was === now) return null;
  const isWorse = now < was;
  if (Math.abs(now - was) === 1) return isWorse ? "newly fails" : "newly passes";
  if (isShort) return isWorse ? "worse" : "better";
  return `${oftenWords(before, ["passed", "failed"])}, now ${oftenWords(after, ["passes", "fails"])}`;
}

/** `passed 1 of 2 times`, or `fails` of one run. */
function oftenWords({ passes, runs }: SideScore, [passed, failed]: readonly [string, string]): string {
  if (runs === 1) return passes === 1 ? passed : failed;
  return `${passed} ${passes} of ${runs} times`;
}

function isOfErrors(kind: ReportChange["kind"]): boolean {
  return kind.startsWith("error");
}

/** Words for a kind of change; what stands for itself is left out. */
const kinds: Partial<Record<ReportChange["kind"], string>> = {
  "error-appeared": flipWords["error-appeared"],
  "error-gone": flipWords["error-gone"],
  "newly-stable": flipWords["newly-stable"],
  "within-noise": "varies as the baseline does",
};

/** A kind of change for a reader, the same in the terminal and in the page. */
export function kindWords(kind: ReportChange["kind"]): string {
  return kinds[kind] ?? kind.replaceAll("-", " ");
}

const briefKinds: Partial<Record<ReportChange["kind"], string>> = {
  "error-appeared": "now an error",
  "error-gone": "now answered",
  "within-noise": "usual variation",
};

/** The same where there is room for two words. */
export function kindWord(kind: ReportChange["kind"]): string {
  return briefKinds[kind] ?? kindWords(kind);
}
