import type { ComparedMetric, Pair } from "../../compare/comparison-plan.ts";
import { AppError } from "../../errors.ts";
import { hashText } from "../../lib/hash.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { clusterRank } from "../../plan/rank.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import {
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
import { isCompared, pairingOf } from "../../compare/cases/pairing.ts";
import { type ReadSide, readSide } from "../../compare/cases/case-side.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";

/** Cases that a person wants to label. */
export interface DrawRequest {
  /** Cases that are drawn in the end; null: of a first draw `defaultLabels`, else those of before. */
  labels: number | null;
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
  seed: string;
  /** Cases that could be drawn, that are drawn, and those of them that this call added. */
  cases: number;
  drawn: number;
  added: number;
  /** Cases beside them that the judge was written with: they are not drawn. */
  examples?: number;
}

const defaultLabels = 50;

/** Draws cases of a batch at random for people to label, or more of them: those that were drawn stay drawn. */
export function drawCases(db: Connection, batch: Batch, request: DrawRequest): MadeDraw {
  const planned = ownComparison(db, batch);
  const { pair, names } = pairOf(planned, request);
  const before = drawsOf(db, batch.id).find(
    (each) => each.candidate === names.candidate && each.baseline === names.baseline,
  );
  const compared = judgeOf(planned, { asked: request.scorer, before });
  const cases = readFrame(db, planned, { pair, compared, isExample: examplesOf(db, batch, compared) });
  if (cases.length === 0) {
    throw usage(`${batch.name} has no row that both ${names.baseline} and ${names.candidate} answered.`);
  }
  const drawable = cases.filter(({ isExample }) => !isExample);
  if (drawable.length === 0)
    throw usage(
      `The judge ${compared.metric.name} was written with every row of ${batch.name}: none is left to draw.`,
      "Take rows that it has not seen; or name fewer as `examples` of the judge.",
    );
  const frame = frameMark(cases);
  if (before !== undefined) checkBefore(batch, before, { frame, seed: request.seed });
  const own = before === undefined ? [] : casesOfDraw(db, before.id);
  const wanted = request.labels ?? (before === undefined ? defaultLabels : own.length);
  if (wanted < own.length)
    throw usage(
      `${own.length} rows are drawn already, and --labels asks for ${wanted}.`,
      "A draw does not get smaller; a larger --labels adds rows.",
    );
  const seed = before?.seed ?? (request.seed === "" ? "1" : request.seed);
  const drawn = taken(cases, { wanted, seed, own });
  const scorer = compared.metric.name;
  if (before !== undefined) extendDraw(db, before.id, drawn);
  else writeDraw(db, batch.id, { scorer, ...names, seed, frame, size: cases.length, at: request.at, cases: drawn });
  const examples = cases.length - drawable.length;
  return {
    scorer,
    ...names,
    seed,
    cases: drawable.length,
    ...(examples > 0 && { examples }),
    drawn: drawn.length,
    added: drawn.length - own.length,
  };
}

/** The first cases in their seeded order, each with the same chance; the new ones come after those of before. */
function taken(
  cases: readonly FrameCase[],
  { wanted, seed, own }: { wanted: number; seed: string; own: readonly StoredDrawnCase[] },
): StoredDrawnCase[] {
  const known = new Map(own.map((each) => [each.caseId, each]));
  const ranked = cases.toSorted((one, other) => rankOf(seed, one) - rankOf(seed, other));
  const drawable = ranked.filter(({ isExample }) => !isExample);
  // A case that was drawn before the judge was written with it stays in the draw, where it counts for nothing.
  const kept = ranked.filter(({ caseId, isExample }) => isExample && known.has(caseId));
  const drawn = drawable.slice(0, Math.max(0, wanted - kept.length));
  const chance = drawn.length / drawable.length;
  let place = own.length;
  const all = [
    ...drawn.map(({ caseId }) => ({ caseId, chance })),
    ...kept.map(({ caseId }) => ({ caseId, chance: known.get(caseId)?.chance ?? 1 })),
  ];
  return all
    .map((each) => ({ ...each, part: 0, place: known.get(each.caseId)?.place ?? place++ }))
    .toSorted((one, other) => one.place - other.place);
}

const rankOf = (seed: string, { key }: FrameCase): number => clusterRank(`label/${seed}`, key);

/** Tells which cases the judge was written with. */
function examplesOf(db: Connection, batch: Batch, { metric }: ComparedMetric) {
  const spec = latestScoring(db, batch.id)?.scorers.find((each) => each.metric.name === metric.name)?.spec;
  return spec === undefined ? null : judgeExamples(batch.suite, spec);
}

/** A hash over the cases that can be drawn: it tells whether they have changed. */
function frameMark(cases: readonly FrameCase[]): string {
  return hashText(JSON.stringify(cases.map(({ caseId }) => caseId).toSorted((a, b) => a - b)), 16);
}

/** The judge that is meant: of a draw that is extended, the one that it was made for. */
function judgeOf(
  { batch, settings }: PlannedComparison,
  { asked, before }: { asked: string | null; before: StoredDraw | undefined },
): ComparedMetric {
  const judges = settings.metrics.filter(({ judge, of }) => judge !== undefined && (of === "pass" || of === "value"));
  const names = [...new Set(judges.map(({ metric }) => metric.name))];
  if (asked !== null && before !== undefined && asked !== before.scorer)
    throw usage(
      `The rows for ${before.candidate} are drawn already, for the judge ${before.scorer}.`,
      `Leave out --metric: the labels count for every judge, and more rows are drawn for ${before.scorer} as well.`,
    );
  const name = asked ?? before?.scorer ?? (names.length === 1 ? (names[0] ?? null) : null);
  const compared = judges.find(({ metric }) => metric.name === name);
  if (compared !== undefined) return compared;
  if (names.length === 0) {
    throw usage(
      `${batch.name} was graded by no judge: a draw corrects a judge.`,
      "To label any answers: tandem label export, or the keys g and b in tandem view.",
    );
  }
  const list = names.join(", ");
  if (name === null) {
    throw usage(
      `${batch.name} has several judges: say which one the rows are drawn for.`,
      `--metric, one of: ${list}. The labels count for all of them.`,
    );
  }
  throw usage(`${batch.name} has no judge ${name}.`, didYouMean(name, names) ?? `It has: ${list}.`);
}

/** The pair of targets that is meant. */
function pairOf(
  { batch, settings }: PlannedComparison,
  { candidate }: DrawRequest,
): { pair: Pair; names: { baseline: string; candidate: string } } {
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
    throw usage(
      message,
      known.length === 0 ? "Set compare in the suite." : `--candidate, one of: ${known.join(", ")}.`,
    );
  }
  return { pair, names: { baseline: nameOf(pair.baseline), candidate: nameOf(pair.candidate) } };
}

const usage = (message: string, hint?: string): AppError =>
  new AppError("USAGE", message, hint === undefined ? {} : { hint });

/** Throws USAGE for what an earlier draw does not allow: rows are added to it, and nothing else of it changes. */
function checkBefore(
  { name }: Batch,
  { candidate, frame, seed, ...before }: StoredDraw,
  now: { frame: string; seed: string },
): void {
  if (isOfParts({ candidate, frame, seed, ...before }))
    throw usage(
      `The rows of ${name} for ${candidate} were drawn in the parts that it was merged of.`,
      "Draw more rows of each part, label them there, and merge the parts again.",
    );
  if (frame !== now.frame)
    throw usage(
      `The rows of ${name} that can be drawn for ${candidate} have changed since they were drawn.`,
      "Label what is drawn; or take another run, and draw of that one.",
    );
  if (seed !== now.seed && now.seed !== "")
    throw usage(
      `The rows for ${candidate} are drawn already, with the seed ${seed}.`,
      "A second draw would be a choice among draws. Leave out --seed; a larger --labels adds rows.",
    );
}

/** A case that can be drawn: both sides answered it, or the judge graded both. */
interface FrameCase {
  caseId: number;
  key: string;
  /** The judge was written with it: it is not drawn. */
  isExample: boolean;
}

/** Reads the cases of a pair that can be drawn. */
function readFrame(
  db: Connection,
  { batches, settings }: PlannedComparison,
  given: { pair: Pair; compared: ComparedMetric; isExample: ((found: CaseResult) => boolean) | null },
): FrameCase[] {
  const place = settings.metrics.indexOf(given.compared);
  const [from, to] = [settings.sides[given.pair.baseline], settings.sides[given.pair.candidate]];
  const cases: FrameCase[] = [];
  if (from === undefined || to === undefined) return cases;
  for (const result of pairedResults(db, batches, { reasons: false, wants: isCompared(settings) })) {
    if (pairingOf(result, from, to) !== "paired") continue;
    const sides = [readSide(result, from, settings.metrics), readSide(result, to, settings.metrics)];
    if (!sides.every((side) => isGraded(side, place)) && !sides.every(isAnswered)) continue;
    cases.push({ caseId: result.caseId, key: result.key, isExample: given.isExample?.(result) ?? false });
  }
  return cases;
}

function isGraded({ side }: ReadSide, place: number): boolean {
  const score = side.scores[place];
  return score !== undefined && !score.isBeside && score.mean !== null;
}

const isAnswered = ({ runs }: ReadSide): boolean => runs.some(({ answer }) => answer !== null);
