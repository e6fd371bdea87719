import { holm } from "../../stats/multiplicity.ts";
import { isRejected } from "../../stats/difference.ts";
import { isMargin, type MeasureOf } from "../comparison-plan.ts";
import { betterLevel, placeLevel, topWord, type VerdictClaim, type VerdictWord } from "../verdict-word.ts";
import type { CandidateSummary } from "./candidate-summary.ts";
import type { SliceName } from "../slice-name.ts";
import type { GateFacts, OpenGain } from "../verdict/facts.ts";
import { askedGates, worstWord } from "../verdict/decide.ts";
import type { LostTag } from "./lost-tags.ts";
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
  /** The place that alone makes it worse: without it, it would be a pass, better, or open. */
  byPlace?: DeadPlace;
}

/** A slice that is so surely worse that its candidate is. */
interface DeadPlace extends SliceName {
  /** Place of its metric among those of the candidate. */
  place: number;
  cases: number;
  /** Cases that got worse. */
  worse: number;
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

/** The parts of a candidate's summary by which it is called better. */
interface Judged extends Pick<CandidateSummary, "candidate" | "baseline"> {
  metrics: readonly JudgedMetric[];
}

type JudgedMetric = Pick<MetricSummary, "metric" | "of" | "primary" | "gated" | "comparison" | "atCeiling">;

/** The words of all candidates, in their order. */
export function candidateVerdicts(
  candidates: readonly Judged[],
  gates: readonly GateFacts[],
  worse: readonly WorseMetric[],
  lostTags: readonly LostTag[],
): CandidateVerdict[] {
  const gains = sureGains(candidates, gates);
  return candidates.map(({ candidate, baseline, metrics }, place) => {
    const own = gates.filter((gate) => gate.candidate === candidate && gate.baseline === baseline);
    const gain = gains[place] ?? null;
    const losses = worse.filter((each) => each.candidate === candidate);
    const passed = worstWord(own);
    const isLost = losses.some((each) => weighs(each, metrics)) || own.some((gate) => isSurelyLost(gate));
    const byPlace = mayYield(passed) ? deadPlace(losses, own, lostTags) : null;
    if (byPlace !== null) return { candidate, baseline, word: "worse", claim: "worse", gain, byPlace };
    const word = passed === "pass" && gain !== null && !isLost ? "better" : passed;
    return { candidate, baseline, word, claim: claimOf(word, own, gain), gain };
  });
}

/** True for a word that a dead place takes away: losing more elsewhere, which opens a pass, takes no WORSE away. */
const mayYield = (word: VerdictWord | null): boolean =>
  word === "pass" || word === "too-few-cases" || word === "cannot-tell";

/** The surest of the places, or values of a tag that lost everything, about which no gate asks by itself; null: none is sure enough. */
function deadPlace(
  losses: readonly WorseMetric[],
  own: readonly GateFacts[],
  lostTags: readonly LostTag[],
): DeadPlace | null {
  const places = losses.flatMap(({ slice, metric, place, pLost: p = 1 }) => {
    if (slice === null) return [];
    const { tag, value, and, cases, worse } = slice;
    return [{ tag, value, and, metric, place, cases, worse, p }];
  });
  // Rows that go wrong together by a column which nobody declared are no place that is sure: they may be few groups of a sample.
  const together = new Set(own.flatMap((gate) => (isMargin(gate) ? (gate.dependence?.column ?? []) : [])));
  const lost = lostTags
    .filter(
      ({ candidate, metric, tag }) =>
        own.some((gate) => gate.candidate === candidate) &&
        !together.has(tag) &&
        !own.some((gate) => gate.metric === metric && gate.slice?.tag === tag),
    )
    .map(({ tag, value, metric, place, lost: cases, p }) => {
      return { tag, value, and: null, metric, place, cases, worse: cases, p };
    });
  const unable = new Set(own.flatMap(({ guard, metric }) => (guard === "unable" ? [metric] : [])));
  const [surest] = [...places, ...lost]
    .filter(({ p, metric }) => p <= placeLevel && !unable.has(metric))
    .toSorted((one, other) => one.p - other.p);
  if (surest === undefined) return null;
  const { p: _p, metric: _metric, ...found } = surest;
  return found;
}

/** The word of all of them together: a candidate of which only values of tags with too few cases are asked is not waited for. */
export function wordOfAll(verdicts: readonly CandidateVerdict[], gates: readonly GateFacts[]): VerdictWord | null {
  const asked = new Set(askedGates(gates).map(({ candidate }) => candidate));
  return topWord(verdicts.flatMap(({ candidate, word }) => (word !== null && asked.has(candidate) ? [word] : [])));
}

function sureGains(candidates: readonly Judged[], gates: readonly GateFacts[]): (SureGain | null)[] {
  const primaries = candidates.map(({ metrics }) => primaryOf(metrics));
  // A gain that a column takes away by itself is brought back by no correction.
  const open = candidates.map(({ candidate }, place) => openGainOf(gates, { candidate, about: primaries[place] }));
  const adjusted = holm(
    primaries.map((metric, place) => {
      if (metric?.atCeiling === true) return null;
      const own = open[place];
      return own === undefined ? (metric?.comparison?.p ?? null) : own.p;
    }),
  );
  return primaries.map((metric, place) => {
    if (open[place] !== undefined) return null;
    const [p, lower] = [adjusted[place] ?? null, metric?.comparison?.interval?.low ?? null];
    if (metric === undefined || p === null || lower === null || lower <= 0 || !isRejected(p, betterLevel)) return null;
    return { metric: metric.metric, of: metric.of, lower, p };
  });
}

/** The column by which the gain of a candidate's primary metric is open; undefined: there is none. */
function openGainOf(
  gates: readonly GateFacts[],
  { candidate, about }: { candidate: string; about: Pick<MetricSummary, "metric" | "of"> | undefined },
): OpenGain | undefined {
  for (const gate of gates) {
    const isOwn = gate.candidate === candidate && gate.metric === about?.metric && gate.of === about.of;
    if (isOwn && isMargin(gate) && gate.slice === null && gate.openGain !== undefined) return gate.openGain;
  }
  return undefined;
}

const primaryOf = (metrics: readonly JudgedMetric[]): JudgedMetric | undefined =>
  metrics.find(({ primary }) => primary) ?? metrics[0];

/** True for a loss that rules out BETTER: of a gated metric, or of the primary one in a value of a tag. */
function weighs({ metric, of, slice }: WorseMetric, metrics: readonly JudgedMetric[]): boolean {
  const about = metrics.find((each) => each.metric === metric && each.of === of);
  return slice === null ? about?.gated === true : about !== undefined && about === primaryOf(metrics);
}

const isSurelyLost = (gate: GateFacts): boolean => isMargin(gate) && gate.sureLoss !== null;

/** Rows that are counted claim nothing beyond themselves. */
function claimOf(word: VerdictWord | null, own: readonly GateFacts[], gain: SureGain | null): VerdictClaim {
  const claiming = own.filter((gate) => isMargin(gate));
  if (word === "better") return "better";
  if (word === "regression") return claiming.some(({ state }) => state === "regression") ? "worse" : "none";
  if (word === "worse") return "worse";
  if (word !== "pass" || claiming.length === 0) return "none";
  if (claiming.some(isSurelyLost)) return "worse";
  return gain === null ? "same" : "none";
}
