import { outcomesWhere, type ShownOutcome } from "../../api/outcomes.ts";
import { ungradedShare } from "../cases/side-value.ts";
import type { PartsCause, OtherJudge, ValidityCause } from "../cause.ts";
import type { CandidateSummary } from "./candidate-summary.ts";
import type { MetricSummary } from "./metric-summary.ts";
import type { TargetSummary } from "../tallies/target-tally.ts";

/** Tells if a comparison is valid at all. */
export type Validity =
  | { state: "valid" }
  | {
      state: "invalid";
      reasons: ValidityCause[];
      /** The one reason is that the sides were graded by different judges: no answer is missing. The batches that are to be graded again. */
      byJudge?: string[];
    };

/** The facts that decide if a comparison is valid. */
interface Judged {
  cases: number;
  /** Share of the cases that may lack an answer, a partner or a score. */
  maxErrorShare: number;
  /** The candidates' batches hold a selection of the dataset: what they lack was left out on purpose. */
  selected: boolean;
  targets: readonly TargetSummary[];
  candidates: readonly CandidateSummary[];
  /** Gates that nothing is known of. */
  undecided: readonly ValidityCause[];
  /** Judges that have changed between the grades of two sides. */
  otherJudges: readonly OtherJudge[];
  /** Parts that a side lacks. */
  missing: readonly PartsCause[];
  /** Names of the batches of each side, for those that are to be graded again. */
  batchesOf?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Checks the conditions that hold before anything is said about a difference: something was compared, every target ran
 * and answered.
 */
export function validityOf(given: Judged): Validity {
  const faults = given.targets.flatMap(targetFaults(given));
  const reasons: ValidityCause[] = given.cases === 0 ? [{ kind: "no-rows" as const }] : [...given.missing, ...faults];
  if (given.cases > 0) reasons.push(...given.undecided, ...given.candidates.flatMap(candidateFaults(given)));
  const { otherJudges } = given;
  if (reasons.length + otherJudges.length === 0) return { state: "valid" };
  const byJudge = reasons.length === 0 ? { byJudge: [...new Set(otherJudges.flatMap(({ batches }) => batches))] } : {};
  return { state: "invalid", reasons: [...reasons, ...otherJudges], ...byJudge };
}

/** The rules where nothing is compared: every target ran to its end and answered. */
export function validityOfTargets(
  targets: readonly TargetSummary[],
  { maxErrorShare, missing }: Pick<Judged, "maxErrorShare" | "missing">,
): Validity {
  const reasons = [...missing, ...targets.flatMap(targetFaults({ maxErrorShare }))];
  return reasons.length === 0 ? { state: "valid" } : { state: "invalid", reasons };
}

function targetFaults({ maxErrorShare }: Pick<Judged, "maxErrorShare">) {
  return (summary: TargetSummary): ValidityCause[] => {
    const { target, stopped, jobs, unfinished } = summary;
    const share = errorShare(summary) ?? 0;
    const canResume = !isFailedForGood(summary, maxErrorShare);
    return [
      ...(stopped === null ? [] : [{ kind: "stopped" as const, target, why: stopped }]),
      ...(unfinished === 0 ? [] : [{ kind: "unfinished" as const, target, unfinished, jobs, canResume }]),
      ...(share > maxErrorShare ? [unanswered(summary, share, maxErrorShare)] : []),
    ];
  };
}

/** Who gave no answer how often, how often it may, and the most frequent error. */
function unanswered(summary: TargetSummary, share: number, allowed: number): ValidityCause {
  const { target, runsTried: of, runsWithoutAnswer: runs, runsSkipped: skipped, errorGroups } = summary;
  const [first] = errorGroups;
  // The reason of a stop holds the error.
  const error =
    first === undefined || summary.stopped !== null
      ? null
      : {
          outcome: first.outcome,
          message: first.message,
          runs: first.jobs,
          ofService: ofService.has(first.outcome),
        };
  return { kind: "unanswered", target, runs, of, isOfRows: isOfRows(summary), share, allowed, skipped, error };
}

/** Outcomes of a service that fails for everyone, not only for us. */
const ofService: ReadonlySet<ShownOutcome> = new Set(outcomesWhere((facts) => facts.ofService));

/** Share of the runs without an answer. Turns after a failed one say nothing of errors. */
export function errorShare({ runsTried, runsWithoutAnswer }: TargetSummary): number | null {
  return runsTried === 0 ? null : runsWithoutAnswer / runsTried;
}

/** So many runs failed that the rest could not make it valid: what is open is not counted as failed. */
export function isFailedForGood(
  summary: Pick<TargetSummary, "runsTried" | "runsWithoutAnswer" | "unfinished">,
  maxErrorShare: number,
): boolean {
  const { runsTried, runsWithoutAnswer, unfinished } = summary;
  return runsTried > 0 && (runsWithoutAnswer - unfinished) / runsTried > maxErrorShare;
}

/** Each row has one run. */
export const isOfRows = ({
  cases,
  runsTried,
  runsSkipped,
}: Pick<TargetSummary, "cases" | "runsTried" | "runsSkipped">): boolean => runsTried + runsSkipped === cases;

function candidateFaults(given: Judged) {
  const { maxErrorShare } = given;
  return (summary: CandidateSummary): ValidityCause[] => {
    const { candidate, baseline, compared, pairing, metrics } = summary;
    const { paired, inputDiffers, onlyBaseline } = pairing;
    if (paired === 0) return [{ kind: "no-common-row", candidate, baseline }];
    if (compared === 0) return [{ kind: "no-common-answer", candidate }];
    const faults: ValidityCause[] = [];
    const otherInput = inputDiffers.cases / (paired + inputDiffers.cases);
    if (otherInput > maxErrorShare) {
      faults.push({ kind: "other-input", candidate, baseline, rows: inputDiffers.cases, share: otherInput });
    }
    const regraded = summary.expectedDiffers / paired;
    if (regraded > maxErrorShare && metrics.some(({ gated, otherExpected }) => gated && otherExpected > 0)) {
      const batches = given.batchesOf?.get(baseline) ?? [];
      const rows = summary.expectedDiffers;
      faults.push({ kind: "other-expected", candidate, baseline, rows, of: paired, share: regraded, batches });
    }
    const missing = onlyBaseline.cases / (paired + onlyBaseline.cases);
    if (missing > maxErrorShare && !given.selected) {
      faults.push({ kind: "rows-missing", candidate, baseline, rows: onlyBaseline.cases, share: missing });
    }
    return [...faults, ...metrics.flatMap((metric) => unscoredFaults(metric, summary, maxErrorShare))];
  };
}

/** Faults of the metrics that something is decided by: the others are only shown. */
function unscoredFaults(
  metric: MetricSummary,
  { candidate, baseline }: CandidateSummary,
  most: number,
): ValidityCause[] {
  const { gated, unscored, runs } = metric;
  if (!gated) return [];
  return (["baseline", "candidate"] as const).flatMap((side) => {
    const share = ungradedShare({ runs: runs[side], unscored: unscored[side] });
    if (share <= most) return [];
    const target = side === "baseline" ? baseline : candidate;
    return [{ kind: "ungraded", target, metric: metric.metric, answers: unscored[side], share }];
  });
}
