import type { ReportFlip, ReportGate, ReportSummary } from "../shape/model.ts";
import type { ReportChange, ReportRow, ReportSide } from "../shape/row.ts";
import { passPlaceOf, type ReportFrame } from "../shape/reporter.ts";
import type { RowGroup } from "../shape/row-group.ts";

/** Words for the change of the cases of a flip. */
export const flipWords: Record<ReportFlip["kind"], string> = {
  "pass-to-fail": "newly failing",
  "fail-to-pass": "newly passing",
  "newly-flaky": "newly flaky",
  "newly-stable": "no longer flaky",
  "error-appeared": "answered, now an error",
  "error-gone": "an error, now answered",
};

/** The reason why fewer cases newly fail than got worse: one side was asked more than once, and not always right; null: neither was. */
export function flipBasis({
  targets,
  cases,
  flips,
}: Pick<ReportSummary, "targets" | "cases" | "flips">): string | null {
  const isRepeated = targets.some(({ jobs }) => jobs > cases);
  const isTold = flips.some(
    ({ kind, cases: found }) => (kind === "pass-to-fail" || kind === "fail-to-pass") && found > 0,
  );
  return isRepeated && isTold ? "rows whose tries differ are not counted" : null;
}

/** True when the cases of a gate that got worse are those that newly fail, and those that got better newly pass. */
export function isFlipped(
  { slice, worse, better }: Pick<ReportGate, "slice" | "worse" | "better">,
  flips: readonly Pick<ReportFlip, "kind" | "cases">[],
): boolean {
  const count = (wanted: ReportFlip["kind"]): number => flips.find(({ kind }) => kind === wanted)?.cases ?? 0;
  const isAll = (turn: ReportFlip["kind"], error: ReportFlip["kind"], cases: number): boolean =>
    count(turn) <= cases && cases <= count(turn) + count(error);
  return (
    slice === null && isAll("pass-to-fail", "error-appeared", worse) && isAll("fail-to-pass", "error-gone", better)
  );
}

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
  return kind === "error-appeared" || kind === "error-gone";
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

const turns: ReadonlyMap<string, string> = new Map([
  ...Object.entries(flipWords),
  ["within-noise", "varies as the baseline does"],
]);

/** A group of rows for a reader: `prod, run-failed: no model #`, where # stands for any number or id. */
export function groupWords(group: RowGroup): string {
  const [kind = "", first = "", second = "", third = ""] = group;
  switch (kind) {
    case "error":
      return `${first}, ${second}: ${third}`;
    case "outcome":
      return `${first}: ${second.replaceAll(/[-_]/g, " ")}`;
    case "ungraded":
      return `${first}: no grade of ${second}`;
    case "change":
    case "flip":
      return turns.get(first) ?? first.replaceAll("-", " ");
    case "field":
      return `${first} differs`;
    case "said":
      return `newly failing, ${first} says: ${second}`;
    case "nobody":
      return `pass with none by ${first}`;
    case "paired":
      return `compared by ${first}`;
    case "metric":
      return `${first} ${second}`;
    default:
      return [kind, first].join(" ");
  }
}
