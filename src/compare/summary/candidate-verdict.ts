import { holm } from "../../stats/multiplicity.ts";
import { isRejected } from "../../stats/paired/method.ts";
import { isMargin, type MeasureOf } from "../comparison-plan.ts";
import { topWord, type VerdictClaim, type VerdictWord } from "../verdict-word.ts";
import type { CandidateSummary } from "./candidate-summary.ts";
import type { GateResult } from "./gate-shapes.ts";
import { askedGates, worstWord } from "./gates.ts";
import type { MetricSummary } from "./metric-summary.ts";
import type { WorseMetric } from "./worse.ts";

/** The verdict of one candidate. */
export interface CandidateVerdict {
  candidate: string;
  baseline: string;
  /** Null: no gate decides. */
  word: VerdictWord | null;
  claim: VerdictClaim;
  /** Its primary metric is surely better; null: that is not known. */
  gain: SureGain | null;
}

/** A primary metric that is surely better: the test of the data two-sided, Holm over the candidates, and its interval above 0. */
interface SureGain {
  metric: string;
  of: MeasureOf;
  /** Lower end of the two-sided 95 % interval of the difference, above 0: it decides, and is shown. */
  lower: number;
  /** Two-sided, adjusted over the candidates. */
  p: number;
}

/** Two-sided level at which a candidate is called better: equal bots are called so in half of it at most. */
const betterLevel = 0.05;

/** The parts of a candidate's summary by which it is called better. */
interface Judged extends Pick<CandidateSummary, "candidate" | "baseline"> {
  metrics: readonly JudgedMetric[];
}

type JudgedMetric = Pick<MetricSummary, "metric" | "of" | "primary" | "gated" | "comparison" | "atCeiling">;

/** The words of all candidates, in their order. */
export function candidateVerdicts(
  candidates: readonly Judged[],
  gates: readonly GateResult[],
  worse: readonly WorseMetric[],
): CandidateVerdict[] {
  const gains = sureGains(candidates);
  return candidates.map(({ candidate, baseline, metrics }, place) => {
    const own = gates.filter((gate) => gate.candidate === candidate && gate.baseline === baseline);
    const gain = gains[place] ?? null;
    const losses = worse.filter((each) => each.candidate === candidate);
    const passed = worstWord(own);
    const isLost = losses.some((each) => weighs(each, metrics)) || own.some((gate) => isSurelyLost(gate));
    const word = passed === "pass" && gain !== null && !isLost ? "better" : passed;
    return { candidate, baseline, word, claim: claimOf(word, own, gain), gain };
  });
}

/** The word of all of them together: a candidate of which only values of tags with too few cases are asked is not waited for. */
export function wordOfAll(verdicts: readonly CandidateVerdict[], gates: readonly GateResult[]): VerdictWord | null {
  const asked = new Set(askedGates(gates).map(({ candidate }) => candidate));
  return topWord(verdicts.flatMap(({ candidate, word }) => (word !== null && asked.has(candidate) ? [word] : [])));
}

function sureGains(candidates: readonly Judged[]): (SureGain | null)[] {
  const primaries = candidates.map(({ metrics }) => primaryOf(metrics));
  const adjusted = holm(
    primaries.map((metric) => (metric?.atCeiling === true ? null : (metric?.comparison?.p ?? null))),
  );
  return primaries.map((metric, place) => {
    const [p, lower] = [adjusted[place] ?? null, metric?.comparison?.interval?.low ?? null];
    if (metric === undefined || p === null || lower === null || lower <= 0 || !isRejected(p, betterLevel)) return null;
    return { metric: metric.metric, of: metric.of, lower, p };
  });
}

const primaryOf = (metrics: readonly JudgedMetric[]): JudgedMetric | undefined =>
  metrics.find(({ primary }) => primary) ?? metrics[0];

/** True for a loss beside which nobody is called better: of a metric with a gate, or in a value of a tag of the primary one. */
function weighs({ metric, of, slice: segment }: WorseMetric, metrics: readonly JudgedMetric[]): boolean {
  const about = metrics.find((each) => each.metric === metric && each.of === of);
  return segment === null ? about?.gated === true : about !== undefined && about === primaryOf(metrics);
}

const isSurelyLost = (gate: GateResult): boolean => isMargin(gate) && gate.sureLoss !== null;

/** Rows that are counted claim nothing beyond themselves. */
function claimOf(word: VerdictWord | null, own: readonly GateResult[], gain: SureGain | null): VerdictClaim {
  const claiming = own.filter((gate) => isMargin(gate));
  if (word === "better") return "better";
  if (word === "regression") return claiming.some(({ state }) => state === "regression") ? "worse" : "none";
  if (word === "worse") return "worse";
  if (word !== "pass" || claiming.length === 0) return "none";
  if (claiming.some(isSurelyLost)) return "worse";
  return gain === null ? "same" : "none";
}
