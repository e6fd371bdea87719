import { outcomesWhere, type ShownOutcome } from "../../api/outcomes.ts";
import { showStart } from "../../lib/show.ts";
import type { CandidateSummary } from "./candidate-summary.ts";
import type { MetricSummary } from "./metric-summary.ts";
import type { TargetSummary } from "../tallies/target-tally.ts";

/** Tells if a comparison is valid at all. */
export type Validity =
  | { state: "valid" }
  | {
      state: "invalid";
      reasons: string[];
      /** The one reason is that the sides were graded by different judges: no answer is missing. The batches that are to be graded again. Left out: it is not. */
      byJudge?: string[];
    };

/** A judge that has changed between the grades of two sides. */
export interface OtherJudge {
  /** As a sentence. */
  text: string;
  /** Names of the batches that were graded before. */
  batches: string[];
}

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
  undecided: readonly string[];
  /** Judges that have changed between the grades of two sides. */
  otherJudges: readonly OtherJudge[];
  /** Parts that a side lacks. */
  missing: readonly string[];
  /** Names of the batches of each side, for those that are to be graded again; left out: not known. */
  batchesOf?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Checks the conditions that hold before anything is said about a difference: something was compared, every target ran
 * and answered.
 */
export function validityOf(given: Judged): Validity {
  const faults = given.targets.flatMap(targetFaults(given));
  const reasons = given.cases === 0 ? ["The batch has no rows."] : [...given.missing, ...faults];
  if (given.cases > 0) reasons.push(...given.undecided, ...given.candidates.flatMap(candidateFaults(given)));
  const { otherJudges } = given;
  if (reasons.length + otherJudges.length === 0) return { state: "valid" };
  const byJudge = reasons.length === 0 ? { byJudge: [...new Set(otherJudges.flatMap(({ batches }) => batches))] } : {};
  return { state: "invalid", reasons: [...reasons, ...otherJudges.map(({ text }) => text)], ...byJudge };
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
  return (summary: TargetSummary): string[] => {
    const { target, stopped, jobs, unfinished } = summary;
    const share = errorShare(summary) ?? 0;
    const faults = stopped === null ? [] : [stoppedWords(summary, stopped, share > maxErrorShare)];
    if (unfinished > 0) {
      const goOn = isFailedForGood(summary, maxErrorShare) ? "" : ": resume with `tandem resume`";
      faults.push(`${target}: ${unfinished} of ${jobs} jobs ${unfinished === 1 ? "is" : "are"} not finished${goOn}.`);
    }
    return share > maxErrorShare ? [...faults, unansweredWords(summary, share, maxErrorShare)] : faults;
  };
}

/** The reason why a target was stopped, without the error that the sentence on its missing answers tells. */
function stoppedWords({ target, errorGroups }: TargetSummary, stopped: string, isErrorTold: boolean): string {
  const error = `: ${errorGroups[0]?.message ?? ""}`;
  const isTwice = isErrorTold && error !== ": " && stopped.endsWith(error);
  return `${target}: stopped before its end: ${isTwice ? `${stopped.slice(0, -error.length)}.` : stopped}`;
}

/** Who gave no answer how often, how often it may, and the most frequent reason. */
function unansweredWords(summary: TargetSummary, share: number, allowed: number): string {
  const { target, runsTried, runsWithoutAnswer, runsSkipped, errorGroups } = summary;
  const often = `${runsWithoutAnswer} of ${runsTried} ${runNoun(summary)}`;
  const may = `${percent(share)}, at most ${percent(allowed)} may be without one${skippedWords(runsSkipped)}`;
  const reason = frequentErrorWords(summary);
  if (reason === null) return `${target} gave no answer in ${often} (${may}).`;
  const [first] = errorGroups;
  const repeats = first !== undefined && ofService.has(first.outcome);
  const users = repeats ? " If this repeats, users get no answer either." : "";
  return `${target} gave no answer in ${often} (${may}). ${reason}${users}`;
}

/** `The reason: http-error: "no model".`: the sentence that quotes the most frequent error of a target; null: it has none. */
function frequentErrorWords({ runsWithoutAnswer, errorGroups }: TargetSummary): string | null {
  const [first] = errorGroups;
  if (first === undefined) return null;
  const which =
    first.jobs < runsWithoutAnswer ? `The most frequent reason (${first.jobs} of ${runsWithoutAnswer})` : "The reason";
  return `${which}: ${first.outcome}: ${messageWords(first.message)}.`;
}

/** Outcomes of a service that fails whoever asks, not only us. */
const ofService: ReadonlySet<ShownOutcome> = new Set(outcomesWhere((facts) => facts.ofService));

/** Characters of a reason: the service says what is wrong at its end as often as at its beginning. */
const longestReason = 160;

/** A message in quotes; its longest words, such as addresses, are cut: it stands in a sentence that wraps. */
function messageWords(message: string): string {
  const words = message
    .trim()
    .split(/\s+/)
    .map((word) => Array.from(word));
  return showStart(
    words
      .map((word) => (word.length > longestWord ? `${word.slice(0, longestWord).join("")}…` : word.join("")))
      .join(" "),
    longestReason,
  );
}

const longestWord = 24;

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

/** `rows` where each has one run. */
export function runNoun({
  cases,
  runsTried,
  runsSkipped,
}: Pick<TargetSummary, "cases" | "runsTried" | "runsSkipped">): "rows" | "runs" {
  return runsTried + runsSkipped === cases ? "rows" : "runs";
}

function skippedWords(turns: number): string {
  if (turns === 0) return "";
  return turns === 1
    ? "; 1 turn that was skipped after a failed one is not counted"
    : `; ${turns} turns that were skipped after a failed one are not counted`;
}

function candidateFaults(given: Judged) {
  const { maxErrorShare } = given;
  return (summary: CandidateSummary): string[] => {
    const { candidate, baseline, compared, pairing, metrics } = summary;
    const { paired, inputDiffers, onlyBaseline } = pairing;
    if (paired === 0) return [`${candidate}: no row is in both it and ${baseline} with the same input.`];
    if (compared === 0) return [`${candidate}: no row has an answer of both bots.`];
    const faults: string[] = [];
    const otherInput = inputDiffers.cases / (paired + inputDiffers.cases);
    if (otherInput > maxErrorShare) {
      faults.push(
        `${candidate}: ${inputDiffers.cases} rows have another input than in ${baseline} (${percent(otherInput)}).`,
      );
    }
    const regraded = summary.expectedDiffers / paired;
    if (regraded > maxErrorShare && metrics.some(({ gated, otherExpected }) => gated && otherExpected > 0)) {
      faults.push(otherExpectedWords(summary, { share: regraded, batches: given.batchesOf?.get(baseline) ?? [] }));
    }
    const missing = onlyBaseline.cases / (paired + onlyBaseline.cases);
    if (missing > maxErrorShare && !given.selected) {
      faults.push(`${candidate}: ${onlyBaseline.cases} rows of ${baseline} are missing (${percent(missing)}).`);
    }
    return [...faults, ...metrics.flatMap((metric) => unscoredFaults(metric, summary, maxErrorShare))];
  };
}

/** One text for both sides makes them comparable again: nothing has to be sent for it. */
function otherExpectedWords(
  { candidate, baseline, expectedDiffers, pairing }: CandidateSummary,
  { share, batches }: { share: number; batches: readonly string[] },
): string {
  const commands = (batches.length === 0 ? ["BATCH"] : batches).map((name) => `\`tandem score ${name} --suite FILE\``);
  const graded = `${expectedDiffers} of ${pairing.paired} rows were graded by another expected answer in ${baseline}`;
  return `${candidate}: ${graded} (${percent(share)}): grade both by one with ${commands.join(", ")}.`;
}

/** Faults of the metrics that something is decided by: the others are only shown. */
function unscoredFaults(metric: MetricSummary, { candidate, baseline }: CandidateSummary, most: number): string[] {
  const { gated, unscored, runs } = metric;
  if (!gated) return [];
  return (["baseline", "candidate"] as const).flatMap((side) => {
    const share = unscored[side] / Math.max(1, unscored[side] + runs[side]);
    if (share <= most) return [];
    const name = side === "baseline" ? baseline : candidate;
    return [`${name}: ${unscored[side]} answers have no score of ${metric.metric} (${percent(share)}).`];
  });
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
