import { endOf, type ShownOutcome } from "../../api/outcomes.ts";
import type { ReadSide, Run } from "./case-side.ts";
import { isFinished } from "./side-outcome.ts";
import { isStructure } from "./structure.ts";
import type { OutputFieldDifference } from "./output-fields.ts";

/** The facts about the runs of a case by which `caseChange` calls it changed. */
interface ChangeOptions {
  /** Distance of the texts of two runs, by their places among all runs of the case, the baseline's first. */
  distance: (i: number, j: number) => number;
  /** Differences of the outputs of two runs. */
  fields: (one: Run, other: Run) => readonly OutputFieldDifference[];
  /** Two runs came out in different ways. */
  outcomesDiffer: (one: ShownOutcome, other: ShownOutcome) => boolean;
  /** True where a run passes by the metric of the flips; null: it says nothing of the run. */
  passes: (run: Run) => boolean | null;
  /** The first runs of the sides, or of the baseline alone, differ in some field. */
  fieldsDiffer: boolean;
}

/** Number of runs above which their labellings are too many to be counted. */
const mostRuns = 8;

/**
 * Finds the chance that a case would be `changed`, were all its runs of one side: the share of the ways to label its runs
 * under which the rule of `caseChange`, of texts and fields alike, says so. Null: it has too many runs.
 */
export function chanceOfChange(base: ReadSide, other: ReadSide, given: ChangeOptions): number | null {
  const runs = [...base.runs, ...other.runs];
  const own = base.runs.length;
  if (own < 2 || runs.length === own || !runs.every(isCounted)) return 0;
  if (runs.length > mostRuns) return null;
  const isPlain = !given.fieldsDiffer && isAlike(runs) && (runs.length - own < 2 || isAlikePassing(runs, given));
  if (isPlain && runs.length === 3) return chanceOfThree(given.distance);
  let [ways, changed] = [0, 0];
  for (const labelling of labellings(runs.length, own)) {
    ways += 1;
    if (isBeyond(labelling, given.distance, runs)) changed += isPlain ? 1 : shareNotOut(labelling, runs, given);
    else if (!isPlain) changed += shareByFields(labelling, runs, given);
  }
  return changed / ways;
}

function isCounted({ outcome }: Run): boolean {
  return isFinished(outcome) && !endOf(outcome).follows;
}

/** Every run brought an answer of one kind. */
function isAlike(runs: readonly Run[]): boolean {
  return runs.every(({ output, outcome }) => output !== null && outcome === runs[0]?.outcome);
}

function isAlikePassing(runs: readonly Run[], { passes }: ChangeOptions): boolean {
  return runs.every((run) => passes(run) === passes(runs[0] ?? run));
}

/** Places of the runs of each side. */
interface Labelling {
  base: readonly number[];
  other: readonly number[];
}

function* labellings(all: number, own: number): Generator<Labelling> {
  const places = Array.from({ length: all }, (_, i) => i);
  for (let bits = 0; bits < 1 << all; bits++) {
    const base = places.filter((i) => (bits >> i) % 2 === 1);
    if (base.length === own) yield { base, other: places.filter((i) => (bits >> i) % 2 === 0) };
  }
}

/** Two answers are closest to each other, and one labelling of three calls these the same side. */
function chanceOfThree(distance: ChangeOptions["distance"]): number {
  const [one, two, three] = [distance(0, 1), distance(0, 2), distance(1, 2)];
  const least = Math.min(one, two, three);
  return Number(one === least) + Number(two === least) + Number(three === least) === 1 ? 1 / 3 : 0;
}

/** The nearest text of the other side is further away than any two of the baseline are from each other. */
function isBeyond({ base, other }: Labelling, distance: ChangeOptions["distance"], runs: readonly Run[]): boolean {
  const [from, to] = [base, other].map((side) => side.filter((i) => runs[i]?.output !== null));
  if (from === undefined || to === undefined || from.length < 2 || to.length === 0) return false;
  let [nearest, farthest] = [1, 0];
  for (const [at, i] of from.entries()) {
    for (const j of to) nearest = Math.min(nearest, distance(i, j));
    for (const j of from.slice(at + 1)) farthest = Math.max(farthest, distance(i, j));
  }
  return nearest > farthest;
}

/** 1 unless the case would be told otherwise: an error that came or went, or flakiness. */
function shareNotOut(labelling: Labelling, runs: readonly Run[], given: ChangeOptions): number {
  return isToldOtherwise(labelling, runs, given) ? 0 : 1;
}

function isToldOtherwise({ base, other }: Labelling, runs: readonly Run[], { passes }: ChangeOptions): boolean {
  const [before, after] = [base, other].map((side) => side.flatMap((i) => runs[i] ?? []));
  if (answeredOf(after) === 0 || answeredOf(before) < 2) return true;
  const [was, is] = [before, after].map((side) => flakiness(side ?? [], passes));
  return was !== null && is !== null && was !== is;
}

function answeredOf(side: readonly Run[] | undefined): number {
  return (side ?? []).filter(({ output }) => output !== null).length;
}

function flakiness(side: readonly Run[], passes: ChangeOptions["passes"]): boolean | null {
  const reported = side.map(passes).filter((pass) => pass !== null);
  const passed = reported.filter(Boolean).length;
  return reported.length < 2 ? null : passed > 0 && passed < reported.length;
}

/** Share of the orders of the runs under which their fields or outcomes are new: which run is the first is drawn too. */
function shareByFields(labelling: Labelling, runs: readonly Run[], given: ChangeOptions): number {
  if (isToldOtherwise(labelling, runs, given)) return 0;
  const [base, other] = [labelling.base, labelling.other].map((side) => side.flatMap((i) => runs[i] ?? []));
  if (base === undefined || other === undefined) return 0;
  if (other.some(({ output }) => output === null) && base.every(({ output }) => output !== null)) return 1;
  let [orders, isNew] = [0, 0];
  for (const first of base) {
    for (const second of base) {
      if (first === second) continue;
      for (const now of other) {
        orders += 1;
        if (isNewIn({ first, second, now, base }, given)) isNew += 1;
      }
    }
  }
  return isNew / orders;
}

function isNewIn(
  { first, second, now, base }: { first: Run; second: Run; now: Run; base: readonly Run[] },
  { fields, outcomesDiffer }: ChangeOptions,
): boolean {
  if (outcomesDiffer(first.outcome, now.outcome) && !outcomesDiffer(first.outcome, second.outcome)) return true;
  if (first.output === null || now.output === null) return false;
  const next = second.output === null ? base.find((run) => run !== first && run.output !== null) : second;
  if (next === undefined) return false;
  const noise = fields(first, next);
  return fields(first, now).some(
    (field) => !noise.some((own) => own.path === field.path && isStructure(own) === isStructure(field)),
  );
}
