import { flipWords } from "./flip-words.ts";
import type { ReportChange, ReportRow, ReportSide } from "../shape/row.ts";
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

/** The turn of a row that passed and fails, or the reverse, by the primary metric; null where it did not turn, or was not graded. */
function turnWords({ row, change, pair }: ChangedRow, frame: ReportFrame): string | null {
  const { metrics, pairs, targets } = frame;
  const { trend, flips = [] } = change;
  const place = passPlaceOf(metrics);
  // Passing and failing are told where they are what better and worse are said by.
  if (trend === null || isOfErrors(change.kind) || metrics[place]?.primary !== true) return null;
  if (flips.includes("pass-to-fail")) return "newly fails";
  if (flips.includes("fail-to-pass")) return "newly passes";
  const triesOf = (name: string | undefined) => triesIn(row.sides[targets.indexOf(name ?? "")], place);
  const [before, after] = [triesOf(pairs[pair]?.baseline), triesOf(pairs[pair]?.candidate)];
  if (before === null || after === null || before.passes / before.tries === after.passes / after.tries) return null;
  return `${oftenWords(before, ["passed", "failed"])}, now ${oftenWords(after, ["passes", "fails"])}`;
}

/** The tries of a side that count, and those that pass: one without an answer does not. */
interface Tries {
  passes: number;
  tries: number;
}

function triesIn(side: ReportSide | undefined, place: number): Tries | null {
  const score = side?.scores[place] ?? null;
  if (side === undefined || score === null || score.runs === 0) return null;
  const missing = side.runs.filter(({ failed, scores }) => failed && (scores[place] ?? null) === null).length;
  return { passes: score.passes, tries: score.runs + missing };
}

/** `passed 1 of 2 times`, or `fails` of one run. */
function oftenWords({ passes, tries }: Tries, [passed, failed]: readonly [string, string]): string {
  if (tries === 1) return passes === 1 ? passed : failed;
  return `${passed} ${passes} of ${tries} times`;
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
