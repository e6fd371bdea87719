import type { ShownOutcome } from "../../api/outcomes.ts";
import { isAnswerKind } from "../../api/answer-kind.ts";
import { haveSameOutputs } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import { caseChange } from "./case-change.ts";
import { countedAt, isLostByGap, turnOf } from "./case-turn.ts";
import { flakinessOf, triedRuns } from "./flakiness.ts";
import type { ReadSide, Run, Side } from "./case-side.ts";
import { isFinished, outcomesDiffer } from "./side-outcome.ts";
import { type ComparisonPlan, passPlace, primaryPlace } from "../comparison-plan.ts";
import { chanceOfChange } from "./chance-of-change.ts";
import { passOf } from "./side-value.ts";
import { type OutputFieldDifference, outputFieldDifferences } from "./output-fields.ts";
import { type CaseVariant, expectedDiffers, type Pairing, pairingOf } from "./pairing.ts";
import { compareTexts, distancesOf, type TextComparison } from "./text-comparison.ts";
import type { CaseFlip } from "./case-kinds.ts";
import type { Difference } from "./difference.ts";

/** A case as it is stored, with what other batches have under its key. */
export interface PairedResult extends CaseResult, CaseVariant {
  /** False: how its outputs are built is not looked at, because there are enough others. */
  sampled?: boolean;
}

/** One case: what each side made of it, and how the candidates differ from what they are compared with. */
export interface CaseComparison {
  key: string;
  /** As a spreadsheet shows it; null where the case is of no file. */
  row: number | null;
  expected: string | null;
  tags: Record<string, string>;
  columns: Record<string, string>;
  sides: Side[];
  /** All runs of each side. */
  runs: readonly (readonly Run[])[];
  /** Differences in the order of the pairs. */
  differences: Difference[];
}

/** Compares all runs of a case. A case that has another input on one side is never compared. */
export function compareRead(
  result: PairedResult,
  read: readonly ReadSide[],
  comparisonPlan: ComparisonPlan,
): CaseComparison {
  const differences = comparisonPlan.pairs.flatMap(({ baseline, candidate }) => {
    const [from, to] = [read[baseline], read[candidate]];
    if (from === undefined || to === undefined) return [];
    const pairing = pairingOf(result, from.compared, to.compared);
    const isOther = result.expectations !== undefined && expectedDiffers(result, from.compared, to.compared);
    return [differenceOf(from, to, { pairing, expectedDiffers: isOther, comparisonPlan })];
  });
  return {
    key: result.key,
    row: result.row,
    expected: result.expected,
    tags: result.tags,
    columns: result.columns,
    sides: read.map(({ side }) => side),
    runs: read.map(({ runs }) => runs),
    differences,
  };
}

function differenceOf(
  base: ReadSide,
  other: ReadSide,
  given: { pairing: Pairing; expectedDiffers: boolean; comparisonPlan: ComparisonPlan },
): Difference {
  const { pairing, comparisonPlan } = given;
  const { ignore } = comparisonPlan;
  const { side: from } = base;
  const { side: to } = other;
  const finished = isFinished(from.outcome) && isFinished(to.outcome);
  const [first, second, ...later] = base.runs;
  const next = second?.output === null ? later.find(({ output }) => output !== null) : second;
  const known = membersAreKnown(base, other);
  const texts = compareTexts(base, other);
  const members = known
    ? membersOf(first?.output, other.runs[0]?.output, { isVolatile: volatileIn(base, other), ignore })
    : null;
  const noiseMembers = known
    ? membersOf(first?.output, next?.output, { isVolatile: volatileIn(base, base), ignore })
    : null;
  const { isTelling, differ } = comparedBy(base, other);
  const difference: Difference = {
    candidate: to.target,
    pairing,
    answerDiffers: texts.answerDiffers,
    distance: texts.distance,
    noise: texts.noise,
    excess: texts.excess,
    textBeyondNoise: texts.textBeyondNoise,
    changedByChance: 0,
    labelled: texts.labelled,
    members,
    noiseMembers,
    telling:
      isTelling === null
        ? { members: members ?? [], noise: noiseMembers }
        : { members: (members ?? []).filter(isTelling), noise: noiseMembers?.filter(isTelling) ?? null },
    expectedDiffers: given.expectedDiffers,
    outcomeDiffers: finished ? someOutcomeDiffers(base.runs, other.runs, differ) : null,
    firstOutcomeDiffers: finished ? differ(from.outcome, to.outcome) : null,
    noiseOutcomeDiffers: noiseOutcome(first?.outcome, second?.outcome, differ),
    gapMs: gapOf(base.runs, other.runs),
    change: "not-compared",
    turn: null,
    flips: [],
  };
  // A copy with one member more would cost as much as all the rest of a case in which nothing differs.
  difference.change = caseChange(difference, base, other, flakinessOf(from, to, comparisonPlan));
  difference.flips = flipsOf(base, other, difference, comparisonPlan);
  const place = primaryPlace(comparisonPlan.metrics);
  const compared = comparisonPlan.metrics[place];
  if (pairing === "paired" && compared !== undefined)
    difference.turn = turnOf(countedAt({ compared, place }, { baseline: base, candidate: other }, difference));
  if (difference.change !== "not-compared")
    difference.changedByChance = chanceOf(difference, { base, other, texts, comparisonPlan });
  return difference;
}

function membersOf(
  baseline: JsonObject | null | undefined,
  candidate: JsonObject | null | undefined,
  paths: Parameters<typeof outputFieldDifferences>[2],
): OutputFieldDifference[] | null {
  if (baseline === null || baseline === undefined || candidate === null || candidate === undefined) return null;
  return outputFieldDifferences(baseline, candidate, paths);
}

/** True where both sides have outputs, and outputs with the same members. */
function membersAreKnown({ compared: one }: ReadSide, { compared: other }: ReadSide): boolean {
  return !one.answersOnly && !other.answersOnly && haveSameOutputs(one.endpoint, other.endpoint);
}

/** Volatile on either side is volatile between them. */
function volatileIn({ compared: one }: ReadSide, { compared: other }: ReadSide): (path: string) => boolean {
  const { isVolatile } = endpointOf(one.endpoint);
  if (one.endpoint === other.endpoint) return isVolatile;
  return (path) => isVolatile(path) || endpointOf(other.endpoint).isVolatile(path);
}

/** The differences by which a case is changed: those of the answer where a target names it, else all. */
interface ComparedBy {
  /** Null: every member counts. */
  isTelling: ((difference: OutputFieldDifference) => boolean) | null;
  differ: typeof outcomesDiffer;
}

function comparedBy({ compared: one }: ReadSide, { compared: other }: ReadSide): ComparedBy {
  const named = [one, other].flatMap(({ endpoint }) => endpointOf(endpoint).isOfAnswer ?? []);
  if (named.length === 0) return { isTelling: null, differ: outcomesDiffer };
  return {
    isTelling: ({ path, baseline, candidate }) =>
      named.every((isOfAnswer) => isOfAnswer(path)) && !(saysNothing.has(baseline) && saysNothing.has(candidate)),
    // Two answers differ by their texts.
    differ: (from, to) => outcomesDiffer(from, to) && !(isAnswerKind(from) && isAnswerKind(to)),
  };
}

/** A member that is there and holds nothing says as little as one that is not. */
const saysNothing: ReadonlySet<string> = new Set(["absent", "null", "empty"]);

/** Runs that are not finished or were not asked for have no outcome to compare. */
function someOutcomeDiffers(
  baseline: readonly Run[],
  candidate: readonly Run[],
  differ: ComparedBy["differ"],
): boolean {
  return baseline.some(
    ({ outcome: before }) =>
      isFinished(before) && candidate.some(({ outcome: now }) => isFinished(now) && differ(before, now)),
  );
}

function noiseOutcome(
  first: ShownOutcome | undefined,
  second: ShownOutcome | undefined,
  differ: ComparedBy["differ"],
): boolean | null {
  if (first === undefined || second === undefined || !isFinished(first) || !isFinished(second)) return null;
  return differ(first, second);
}

/** Compares each two runs once: the ways to label them come by the same few again and again. */
function oncePerPair<Found>(compare: (one: Run, two: Run) => Found): (one: Run, two: Run) => Found {
  const known = new Map<Run, Map<Run, Found>>();
  return (one, two) => {
    const ofOne = known.get(one) ?? new Map<Run, Found>();
    known.set(one, ofOne);
    const found = ofOne.get(two) ?? compare(one, two);
    ofOne.set(two, found);
    return found;
  };
}

interface ChanceOptions {
  base: ReadSide;
  other: ReadSide;
  texts: TextComparison;
  comparisonPlan: ComparisonPlan;
}

/** The chance of the same event as the change of this case; where nothing differs that is known without a look at other runs. */
function chanceOf({ telling }: Difference, given: ChanceOptions): number | null {
  const { base, other, texts, comparisonPlan } = given;
  if (base.runs.length < 2) return 0;
  const isVolatile = volatileIn(base, other);
  const { isTelling, differ } = comparedBy(base, other);
  const { metrics, ignore } = comparisonPlan;
  const metric = metrics[passPlace(comparisonPlan)];
  const isKnown = membersAreKnown(base, other);
  const fields = oncePerPair((one, two) =>
    isKnown ? (membersOf(one.output, two.output, { isVolatile, ignore }) ?? []).filter(isTelling ?? Boolean) : [],
  );
  const seen = telling.members.length + (telling.noise ?? []).length > 0;
  const [first, ...others] = [...base.runs, ...other.runs];
  // All of three runs are seen already, two of them of the baseline.
  const isMore = others.length > 2 && others.some((run) => first !== undefined && fields(first, run).length > 0);
  return chanceOfChange(base, other, {
    distance: texts.between ?? distancesOf(base, other),
    fields,
    outcomesDiffer: differ,
    passes: (run) => (metric === undefined ? null : passOf(run.job, metric)),
    fieldsDiffer: seen || isMore,
  });
}

/** Between the two runs that were sent nearest to each other. */
function gapOf(baseline: readonly Run[], candidate: readonly Run[]): number | null {
  let least: number | null = null;
  for (const { job: from } of baseline) {
    for (const { job: to } of candidate) {
      if (from.sentAt === null || to.sentAt === null) continue;
      const gap = Math.abs(to.sentAt - from.sentAt);
      if (least === null || gap < least) least = gap;
    }
  }
  return least;
}

/** The flips of a case, by the primary metric if it passes or fails answers; none where its sides are no pair. */
function flipsOf(
  baseline: ReadSide,
  candidate: ReadSide,
  { change, pairing, expectedDiffers: isOther }: Pick<Difference, "pairing" | "expectedDiffers" | "change">,
  comparisonPlan: Pick<ComparisonPlan, "metrics">,
): CaseFlip[] {
  if (pairing !== "paired") return [];
  if (change === "error-appeared" || change === "error-gone") return [change];
  const flips: CaseFlip[] = [];
  const [from, to] = [baseline.side, candidate.side];
  const place = passPlace(comparisonPlan);
  // Graded by two expected texts: what changed is not the bot alone.
  if (isOther && comparisonPlan.metrics[place]?.byExpected === true) return [];
  const [before, after] = [passesAll(from, place), passesAll(to, place)];
  const compared = comparisonPlan.metrics[place];
  const isGap =
    after === null &&
    compared !== undefined &&
    isLostByGap(countedAt({ compared, place }, { baseline, candidate }, { expectedDiffers: isOther }));
  if ((before === true && after === false) || isGap) flips.push("pass-to-fail");
  if (before === false && after === true) flips.push("fail-to-pass");
  const flakiness = flakinessOf(from, to, comparisonPlan);
  if (flakiness !== null) flips.push(flakiness);
  return flips;
}

/** True when every run passes, false when none does; null between, and without a graded run. */
function passesAll(side: Side, place: number): boolean | null {
  const value = side.scores[place];
  if (value === undefined || value.passes === null || value.runs === 0) return null;
  if (value.passes === 0) return false;
  return value.passes === triedRuns(side, place) ? true : null;
}
