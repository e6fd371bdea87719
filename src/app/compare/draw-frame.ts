import { isCompared } from "../../compare/cases/pairing.ts";
import { type ReadSide, readSide } from "../../compare/cases/case-side.ts";
import { signOf } from "../../compare/cases/case-turn.ts";
import type { ComparedMetric, LabelDraw, Pair } from "../../compare/comparison-plan.ts";
import { pairingOf } from "../../compare/cases/pairing.ts";
import { peopleTally } from "../../compare/tallies/people-tally.ts";
import { quantile } from "../../stats/quantile.ts";
import type { Connection } from "../../store/connection.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";
import type { PlannedComparison } from "./planned-comparison.ts";

/** A case that can be drawn: both sides answered it, or one should have. */
export interface FrameCase {
  caseId: number;
  key: string;
  /** Candidate minus baseline by the judge, positive is better; null where it graded one side or none. */
  difference: number | null;
  /** The judge's values of both sides together. */
  total: number;
  /** The judge was written with it: it is not drawn. */
  isExample: boolean;
}

/** Reads the cases of a pair that can be drawn, and the differences that people see in those with labels, by case. */
export function readFrame(
  db: Connection,
  { batches, settings }: PlannedComparison,
  given: { pair: Pair; compared: ComparedMetric; isExample: ((found: CaseResult) => boolean) | null },
): { cases: FrameCase[]; human: ReadonlyMap<number, number> } {
  const { pair, compared } = given;
  const place = settings.metrics.indexOf(compared);
  const [from, to] = [settings.sides[pair.baseline], settings.sides[pair.candidate]];
  const cases: FrameCase[] = [];
  const labels = peopleTally(given.isExample === null ? compared : { ...compared, isExample: given.isExample }, noDraw);
  if (from === undefined || to === undefined) return { cases, human: new Map() };
  const sign = signOf(compared);
  for (const result of pairedResults(db, batches, { reasons: false, wants: isCompared(settings) })) {
    if (pairingOf(result, from, to) !== "paired") continue;
    const [baseline, candidate] = [readSide(result, from, settings.metrics), readSide(result, to, settings.metrics)];
    const [before, now] = [valueOf(baseline, place), valueOf(candidate, place)];
    const isGraded = before !== null && now !== null;
    if (!isGraded && ![baseline, candidate].every(isAnswered)) continue;
    const difference = isGraded ? sign * (now - before) : null;
    const isExample = given.isExample?.(result) ?? false;
    cases.push({ caseId: result.caseId, key: result.key, difference, total: (before ?? 0) + (now ?? 0), isExample });
    labels?.add({ place: result.caseId, result, isGraded, baseline, candidate });
  }
  const human = new Map((labels?.numbers().labelled ?? []).map((each) => [each.place, each.human] as const));
  return { cases, human };
}

const noDraw: LabelDraw = { cases: new Map(), of: 0 };

const valueOf = ({ side }: ReadSide, place: number): number | null => {
  const score = side.scores[place];
  return score === undefined || score.isBeside ? null : score.mean;
};

const isAnswered = ({ runs }: ReadSide): boolean => runs.some(({ answer }) => answer !== null);

/** Cases of which the judge says alike, in their seeded order. */
export interface Stratum {
  name: string;
  cases: FrameCase[];
  /** Variation that is supposed of people's differences in it, before there are labels. */
  sd: number;
}

/** Variation that is supposed where the judge sees no difference, and where it sees one, of a range of 1. */
const supposed = { alike: 0.35, different: 0.65 };

/** Strata smaller than this are joined with a neighbour. */
const smallest = 4;

/** Puts cases together by what the judge says of both sides: of passes and fails by the pair of verdicts, of scores by who is better and how high both are. */
export function strataOf(
  cases: readonly FrameCase[],
  { of, range }: { of: "pass" | "value"; range: number },
): Stratum[] {
  const groups = Map.groupBy(cases, (each) => nameOf(each, of));
  const named = Array.from(groups, ([name, own]) => ({ name, cases: own }));
  const split = of === "pass" ? named : named.flatMap(halves);
  const strata = split
    .map(({ name, cases: own }) => {
      const isAlike = own.every(({ difference }) => difference === 0);
      return { name, cases: own, sd: range * (isAlike ? supposed.alike : supposed.different) };
    })
    .toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name) || (one.name < other.name ? -1 : 1));
  return joined(strata);
}

const order = ["both pass", "only the candidate passes", "only the baseline passes", "both fail", "not graded"];

function nameOf({ difference, total }: FrameCase, of: "pass" | "value"): string {
  if (difference === null) return "not graded";
  if (difference > 0) return of === "pass" ? "only the candidate passes" : "candidate better";
  if (difference < 0) return of === "pass" ? "only the baseline passes" : "baseline better";
  if (of === "pass") return total > 1 ? "both pass" : "both fail";
  return "alike";
}

/** The lower and the higher half of some cases, by the values of both sides together. */
function halves({ name, cases }: { name: string; cases: FrameCase[] }) {
  const middle = quantile(Float64Array.from(cases, ({ total }) => total).toSorted(), 0.5) ?? 0;
  const [low, high] = [cases.filter(({ total }) => total <= middle), cases.filter(({ total }) => total > middle)];
  if (low.length === 0 || high.length === 0) return [{ name, cases }];
  return [
    { name: `${name}, lower`, cases: low },
    { name: `${name}, higher`, cases: high },
  ];
}

/** Joins each stratum that is too small with the one whose mean difference is nearest. */
function joined(strata: readonly Stratum[]): Stratum[] {
  const left = strata.slice();
  for (;;) {
    const at = left.findIndex(({ cases }) => cases.length < smallest);
    const small = left[at];
    if (small === undefined || left.length < 2) return left;
    left.splice(at, 1);
    const apart = (other: Stratum): number => Math.abs(meanOf(other) - meanOf(small));
    const nearest = left.reduce((best, other) => (apart(other) < apart(best) ? other : best));
    const cases = [...nearest.cases, ...small.cases];
    left[left.indexOf(nearest)] = { ...nearest, name: `${nearest.name}, ${small.name}`, cases };
  }
}

function meanOf({ cases }: Stratum): number {
  return cases.reduce((sum, { difference }) => sum + (difference ?? 0), 0) / Math.max(1, cases.length);
}
