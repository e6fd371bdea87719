import { type ComparedMetric, type Pair, rangeOf } from "../../compare/comparison-plan.ts";
import { AppError } from "../../errors.ts";
import { hashText } from "../../lib/hash.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { clusterRank } from "../../plan/rank.ts";
import { allocateLabels } from "../../stats/judged/allocation.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import {
  type DrawDesign,
  casesOfDraw,
  drawsOf,
  extendDraw,
  isOfParts,
  type StoredDraw,
  type StoredDrawnCase,
  writeDraw,
} from "../../store/scores/label-draws.ts";
import { ownComparison, type PlannedComparison } from "./planned-comparison.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import { judgeExamples } from "../labels/judge-examples.ts";
import { type FrameCase, readFrame, type Stratum, strataOf } from "./draw-frame.ts";

/** Cases that a person wants to label. */
export interface DrawRequest {
  /** Cases with a label in the end; null: of a first draw `defaultLabels`. */
  labels: number | null;
  /** Cases more than were drawn before; null: it is no further wave. */
  next: number | null;
  design: DrawDesign;
  seed: string;
  /** Name of the judge; null: that of the draw that is extended, else the only one. */
  scorer: string | null;
  /** Name of the candidate; null: the only one. */
  candidate: string | null;
  at: number;
}

/** A draw as it is told. */
export interface MadeDraw {
  scorer: string;
  baseline: string;
  candidate: string;
  design: DrawDesign;
  seed: string;
  /** Cases that could be drawn, that are drawn, and those of them that this call added. */
  cases: number;
  drawn: number;
  added: number;
  wave: number;
  /** Cases beside them that the judge was written with: they are not drawn. Left out: there are none. */
  examples?: number;
  strata: { name: string; cases: number; drawn: number; chance: number }[];
}

const defaultLabels = 50;

/** More waves would look too often. */
const mostWaves = 3;

/** Draws cases of a batch at random for people to label, and keeps which, with the chance of each. */
export function drawCases(db: Connection, batch: Batch, request: DrawRequest): MadeDraw {
  const planned = ownComparison(db, batch);
  const { pair, names } = pairOf(planned, request);
  const before = drawsOf(db, batch.id).find(
    (each) => each.candidate === names.candidate && each.baseline === names.baseline,
  );
  const compared = judgeOf(planned, { asked: request.scorer, before });
  const { cases, human } = readFrame(db, planned, { pair, compared, isExample: examplesOf(db, batch, compared) });
  if (cases.length === 0) {
    throw new AppError(
      "USAGE",
      `${batch.name} has no case that both ${names.baseline} and ${names.candidate} answered.`,
    );
  }
  if (cases.every(({ isExample }) => isExample)) throw allExamples(batch, compared);
  if (before !== undefined && isOfParts(before)) throw ofParts(batch, before);
  const design = before?.design ?? request.design;
  const range = rangeOf(compared) ?? 1;
  const of = compared.of === "pass" ? ("pass" as const) : ("value" as const);
  const strata = design === "simple" ? [{ name: "all", cases, sd: range }] : strataOf(cases, { of, range });
  const frame = frameMark(strata);
  if (before !== undefined && before.frame !== frame) throw changed(batch, before);
  const given = { strata, names, scorer: compared.metric.name, frame, human };
  if (request.next !== null) return drawNext(db, batch, { ...given, before, next: request.next });
  return drawFirst(db, batch, { ...given, before, request });
}

interface Drawing {
  strata: readonly Stratum[];
  names: { baseline: string; candidate: string };
  scorer: string;
  frame: string;
  /** Differences that people see in the cases with labels, by case. */
  human: ReadonlyMap<number, number>;
  before: StoredDraw | undefined;
}

/** The first cases, or more of them where a larger number is asked for: those that were drawn stay drawn. */
function drawFirst(db: Connection, batch: Batch, given: Drawing & { request: DrawRequest }): MadeDraw {
  const { strata, names, scorer, frame, before, request } = given;
  const own = before === undefined ? [] : casesOfDraw(db, before.id);
  const wanted = request.labels ?? (before === undefined ? defaultLabels : own.length);
  const total = strata.reduce((sum, stratum) => sum + drawable(stratum).length, 0);
  const labels = Math.min(wanted, total);
  if (before !== undefined && before.seed !== request.seed && request.seed !== "") throw otherSeed(before);
  if (wanted < own.length) throw fewer(own.length, wanted);
  const isExtended = own.some(({ wave }) => wave > 1);
  if (isExtended && labels > own.length)
    throw new AppError("USAGE", "This draw was extended by --next already.", { hint: "Extend it by --next again." });
  const seed = before?.seed ?? (request.seed === "" ? "1" : request.seed);
  // After a further wave the shares of the first one would add cases here and there.
  const sizes = strata.map((stratum) => ({ size: drawable(stratum).length, sd: stratum.sd }));
  const counts = isExtended ? [] : allocateLabels(labels, sizes, smallestShare);
  const cases = taken(strata, counts, { seed, own, wave: 1 });
  if (before !== undefined) extendDraw(db, before.id, cases);
  else {
    const named = strata.map(({ name, cases: all }) => ({ name, size: all.length }));
    const draw = { scorer, ...names, design: request.design, seed, frame, strata: named, at: request.at };
    writeDraw(db, batch.id, { ...draw, cases });
  }
  const design = before?.design ?? request.design;
  return madeDraw({ strata, names, scorer, design, seed, cases, before: own.length, wave: 1 });
}

/** Labels of a stratum at least, so that none is left out. */
const smallestShare = 3;

/** A further wave: as the labels of before say that people's differences vary, never by what single cases came to. */
function drawNext(db: Connection, batch: Batch, given: Drawing & { next: number }): MadeDraw {
  const { strata, names, scorer, human, before, next } = given;
  if (before === undefined) {
    throw new AppError("USAGE", `Nothing was drawn of ${batch.name} yet: --next adds to a draw.`, {
      hint: `Draw first: tandem label draw ${batch.name} --labels ${defaultLabels}`,
    });
  }
  const own = casesOfDraw(db, before.id);
  const wave = own.reduce((most, each) => Math.max(most, each.wave), 0) + 1;
  if (wave > mostWaves) {
    throw new AppError(
      "USAGE",
      `${names.candidate} was drawn ${mostWaves} times: a gate that is looked at again and again finds something by chance.`,
      {
        hint: "Label what is drawn, and go by that.",
      },
    );
  }
  const variation = strata.map((stratum) => {
    const { sd } = stratum;
    const values = drawable(stratum).flatMap(({ caseId }) => human.get(caseId) ?? []);
    const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const found = Math.sqrt((squares + 4 * sd ** 2) / (values.length + 3));
    return { size: drawable(stratum).length, sd: Math.max(sd / 2, found) };
  });
  const lost = strata.flatMap(({ cases }) => cases).filter(({ isExample }) => isExample);
  const ids = new Set(lost.map(({ caseId }) => caseId));
  const counting = own.filter(({ caseId }) => !ids.has(caseId)).length;
  const counts = allocateLabels(counting + next, variation, smallestShare);
  const cases = taken(strata, counts, { seed: before.seed, own, wave });
  extendDraw(db, before.id, cases);
  const { design, seed } = before;
  return madeDraw({ strata, names, scorer, design, seed, cases, before: own.length, wave });
}

/** The first cases of each stratum in its seeded order, at least as many as it has; the new ones come after those of before. */
function taken(
  strata: readonly Stratum[],
  counts: readonly number[],
  given: { seed: string; own: readonly StoredDrawnCase[]; wave: number },
): StoredDrawnCase[] {
  const { seed, own, wave } = given;
  const known = new Map(own.map((each) => [each.caseId, each]));
  const ranked = (key: string): number => clusterRank(`label/${seed}`, key);
  const found = strata.flatMap((all, stratum) => {
    const cases = drawable(all);
    const before = cases.filter(({ caseId }) => known.has(caseId)).length;
    const count = Math.max(before, counts[stratum] ?? 0);
    const drawn = cases.toSorted((one, other) => ranked(one.key) - ranked(other.key)).slice(0, count);
    // A case that was drawn before the judge was written with it stays in the draw, where it counts for nothing.
    const kept = all.cases.filter(({ caseId, isExample }) => isExample && known.has(caseId));
    return [
      ...drawn.map(({ caseId, key }) => ({ caseId, key, stratum, chance: count / cases.length })),
      ...kept.map(({ caseId, key }) => ({ caseId, key, stratum, chance: known.get(caseId)?.chance ?? 1 })),
    ];
  });
  let place = own.length;
  return found
    .toSorted((one, other) => ranked(one.key) - ranked(other.key))
    .map(({ caseId, stratum, chance }) => {
      const earlier = known.get(caseId);
      const drawn = { caseId, stratum, chance };
      return { ...drawn, wave: earlier?.wave ?? wave, place: earlier?.place ?? place++ };
    })
    .toSorted((one, other) => one.place - other.place);
}

/** The cases of a stratum that can be drawn: what people say of those that the judge was written with tells nothing of it. */
const drawable = ({ cases }: Stratum): FrameCase[] => cases.filter(({ isExample }) => !isExample);

/** Tells which cases the judge was written with; null: none. */
function examplesOf(db: Connection, batch: Batch, { metric }: ComparedMetric) {
  const spec = latestScoring(db, batch.id)?.scorers.find((each) => each.metric.name === metric.name)?.spec;
  return spec === undefined ? null : judgeExamples(batch.suite, spec);
}

function madeDraw(given: {
  strata: readonly Stratum[];
  names: Drawing["names"];
  scorer: string;
  design: DrawDesign;
  seed: string;
  cases: readonly StoredDrawnCase[];
  before: number;
  wave: number;
}): MadeDraw {
  const { strata, names, scorer, design, seed, cases, before, wave } = given;
  const all = strata.flatMap((each) => each.cases);
  const examples = all.filter(({ isExample }) => isExample).length;
  return {
    scorer,
    ...names,
    design,
    seed,
    cases: all.length - examples,
    ...(examples > 0 && { examples }),
    drawn: cases.length,
    added: cases.length - before,
    wave,
    strata: strata.map((stratum, at) => {
      const can = drawable(stratum);
      const ids = new Set(can.map(({ caseId }) => caseId));
      const drawn = cases.filter(({ caseId, stratum: of }) => of === at && ids.has(caseId)).length;
      return { name: stratum.name, cases: can.length, drawn, chance: can.length === 0 ? 0 : drawn / can.length };
    }),
  };
}

/** A hash over the cases that can be drawn: it tells whether they, or the judge's grades, have changed. */
function frameMark(strata: readonly Stratum[]): string {
  return hashText(
    JSON.stringify(
      strata.map(({ name, cases }) => [name, cases.map(({ caseId }) => caseId).toSorted((a, b) => a - b)]),
    ),
    16,
  );
}

/** The judge that is meant: of a draw that is extended, the one by which its strata were made. */
function judgeOf(
  { batch, settings }: PlannedComparison,
  { asked, before }: { asked: string | null; before: StoredDraw | undefined },
): ComparedMetric {
  const judges = settings.metrics.filter(({ judge, of }) => judge !== undefined && (of === "pass" || of === "value"));
  const names = [...new Set(judges.map(({ metric }) => metric.name))];
  if (asked !== null && before !== undefined && asked !== before.scorer) throw otherJudge(before);
  const name = asked ?? before?.scorer ?? (names.length === 1 ? (names[0] ?? null) : null);
  const compared = judges.find(({ metric }) => metric.name === name);
  if (compared !== undefined) return compared;
  if (names.length === 0) throw new AppError("USAGE", `${batch.name} was graded by no judge: labels correct judges.`);
  const list = names.join(", ");
  if (name === null) {
    throw new AppError("USAGE", `${batch.name} has several judges: say which one the cases are drawn for.`, {
      hint: `--metric, one of: ${list}. The labels count for all of them.`,
    });
  }
  throw new AppError("USAGE", `${batch.name} has no judge ${name}.`, {
    hint: didYouMean(name, names) ?? `It has: ${list}.`,
  });
}

/** The pair of targets that is meant. */
function pairOf(
  { batch, settings }: PlannedComparison,
  { candidate }: DrawRequest,
): { pair: Pair; names: Drawing["names"] } {
  const { pairs, sides } = settings;
  const nameOf = (place: number): string => sides[place]?.target ?? "";
  const known = pairs.map((each) => nameOf(each.candidate));
  const pair = candidate === null ? (pairs.length === 1 ? pairs[0] : undefined) : pairs[known.indexOf(candidate)];
  if (pair === undefined) {
    const message =
      known.length === 0
        ? `${batch.name} compares no two targets.`
        : candidate === null
          ? `${batch.name} has several candidates: say whose answers are to be labelled beside the baseline's.`
          : `${batch.name} has no candidate ${candidate}.`;
    throw new AppError("USAGE", message, {
      hint: known.length === 0 ? "Set compare in the suite." : `--candidate, one of: ${known.join(", ")}.`,
    });
  }
  return { pair, names: { baseline: nameOf(pair.baseline), candidate: nameOf(pair.candidate) } };
}

function changed({ name }: Batch, { candidate }: StoredDraw): AppError {
  return new AppError(
    "USAGE",
    `The cases of ${name} that can be drawn for ${candidate}, or what the judge says of them, have changed since they were drawn.`,
    { hint: "Label what is drawn; or take another run, and draw of that one." },
  );
}

function otherJudge({ scorer, candidate }: StoredDraw): AppError {
  return new AppError("USAGE", `The cases for ${candidate} are drawn already, by the judge ${scorer}.`, {
    hint: `Leave out --metric: the labels count for every judge, and more cases are drawn by ${scorer} as well.`,
  });
}

function allExamples({ name }: Batch, { metric }: ComparedMetric): AppError {
  return new AppError(
    "USAGE",
    `The judge ${metric.name} was written with every case of ${name}: none is left to draw.`,
    {
      hint: "Take rows that it has not seen; or name fewer as `examples` of the judge.",
    },
  );
}

function ofParts({ name }: Batch, { candidate }: StoredDraw): AppError {
  return new AppError("USAGE", `The cases of ${name} for ${candidate} were drawn in the parts that it was merged of.`, {
    hint: "Draw more cases of each part, label them there, and merge the parts again.",
  });
}

function otherSeed({ seed, candidate }: StoredDraw): AppError {
  return new AppError("USAGE", `The cases for ${candidate} are drawn already, with the seed ${seed}.`, {
    hint: "A second draw would be a choice among draws. Leave out --seed; a larger --labels, or --next, adds cases.",
  });
}

function fewer(drawn: number, wanted: number): AppError {
  return new AppError("USAGE", `${drawn} cases are drawn already, and --labels asks for ${wanted}.`, {
    hint: "A draw does not get smaller; a larger --labels, or --next, adds cases.",
  });
}
