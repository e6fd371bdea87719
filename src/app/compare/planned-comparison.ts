import { targetPrice } from "../../suite/prices.ts";
import { nightMoments, nightTarget, timeLabel } from "../../report/say/night-names.ts";
import type { DecisionSettings } from "../../suite/suite.ts";
import { defaultEndpoint } from "../../api/endpoint-name.ts";
import type { ComparisonSettings, MissingPart } from "../../compare/comparison.ts";
import type { ComparedTarget, Pair } from "../../compare/comparison-plan.ts";
import { AppError } from "../../errors.ts";
import { checkRead } from "../../store/batch-state.ts";
import { type Batch, batchTargets, type BatchTarget, listBatches } from "../../store/batches.ts";
import { againstOf, isExported } from "../../store/compared/comparisons.ts";
import { firstLookRuns, hasSecondLook, secondLookJobs } from "../../store/plan/second-look.ts";
import type { SecondLook } from "../../compare/two-looks.ts";
import type { Connection } from "../../store/connection.ts";
import type { ComparedBatch } from "../../store/compared/joined-case.ts";
import { missingParts } from "../../store/merge/merged-parts.ts";
import { exportedName } from "../../store/pins/pins.ts";
import { casesOfDraw, drawsOf } from "../../store/scores/label-draws.ts";
import { finishedAnswers, latestScoring } from "../../store/scores/scores.ts";
import { unfinishedJobs } from "../../store/journal/unfinished.ts";
import { chosenRows } from "./chosen-cases.ts";
import { decisionLevels } from "../plan/decision-levels.ts";
import { choiceOfBaseline, levelOfNext, lookOf } from "./earlier-looks.ts";
import { openColumnsOf } from "../plan/open-columns.ts";
import { raceRuleOf } from "./race.ts";
import { stopRuleOf } from "./stop-rule.ts";
import { isClustered } from "../plan/gate-fit.ts";
import { judgeCheckOf } from "../labels/agreement.ts";
import { peopleAgreement } from "../labels/people-agreement.ts";
import { judgeExamples } from "../labels/judge-examples.ts";
import { peopleLabels } from "../labels/people-labels.ts";
import { comparedMetrics } from "./compared-metrics.ts";
import { changedJudges } from "./judge-change.ts";
import {
  findReference,
  isSameReference,
  lastingName,
  ownReference,
  type Reference,
  targetsNamed,
} from "./batch-reference.ts";

/** Everything that a comparison is made of: which batches are read, and who is compared with whom by what rules. */
export interface PlannedComparison {
  /** The batch whose suite says how it is decided: the candidates'. */
  batch: Batch;
  /** Reference that the targets are compared with; empty: with each other. */
  against: string;
  /** It is the one that the run of the batch was told to make. */
  isOwn: boolean;
  batches: ComparedBatch[];
  settings: ComparisonSettings;
  /** The second look at a regression; null: there was none, or it was of another comparison. */
  secondLook: SecondLook | null;
}

/** A target of some batches, before it is known what it is called. */
interface SideRequest {
  /** Prefix of its batches' names; empty for the targets of the batch itself. */
  prefix: string;
  /** The same by a name that no other side has. */
  name: string;
  parts: { batch: Batch; target: BatchTarget }[];
}

/** The targets of a batch among each other, as its suite says. */
export function ownComparison(db: Connection, batch: Batch): PlannedComparison {
  const targets = batchTargets(db, batch.id);
  const { baseline = null, candidates = [] } = batch.suite.compare ?? {};
  const base = targets.findIndex(({ name }) => name === baseline);
  const pairs = targets.flatMap(({ name }, candidate) =>
    base === -1 || candidate === base || !candidates.includes(name) ? [] : [{ baseline: base, candidate }],
  );
  const sides = targets.map((target) => ({ prefix: "", name: "", parts: [{ batch, target }] }));
  return plannedOf(db, { batch, against: "", isOwn: againstOf(db, batch.id) === null, sides, pairs });
}

/**
 * The targets of a batch, each with the one of the same name in a pin or another batch, or all with the one that is
 * named (`release-12:prod`); none with itself. Throws BATCH_NOT_FOUND when there is nothing to compare.
 */
export function comparisonAgainst(db: Connection, batch: Batch, against: string): PlannedComparison {
  const reference = findReference(db, against);
  return comparisonWith(db, batch, { reference, isOwn: isSameReference(reference, ownReference(db, batch)) });
}

function comparisonWith(
  db: Connection,
  batch: Batch,
  { reference, isOwn }: { reference: Reference; isOwn: boolean },
): PlannedComparison {
  const targets = batchTargets(db, batch.id);
  const sides: SideRequest[] = targets.map((target) => ({ prefix: "", name: "", parts: [{ batch, target }] }));
  const pairs: Pair[] = [];
  const places = new Map<string, number>();
  let isItself = false;
  for (const [candidate, { id, name }] of targets.entries()) {
    const wanted = reference.target ?? name;
    const parts = partsOf(db, reference, wanted);
    if (parts === null) continue;
    if (parts.some(({ target }) => target.id === id)) {
      isItself = true;
      continue;
    }
    const side = { prefix: reference.label, name: reference.name, parts };
    const baseline = places.get(wanted) ?? sides.push(side) - 1;
    places.set(wanted, baseline);
    pairs.push({ baseline, candidate });
  }
  if (pairs.length > 0) return plannedOf(db, { batch, against: lastingName(reference), isOwn, sides, pairs });
  if (isItself) throw withItself(lastingName(reference), batch.name);
  const known = new Set(reference.batches.flatMap((each) => batchTargets(db, each.id).map(({ name }) => name)));
  throw new AppError("BATCH_NOT_FOUND", `${reference.label} has none of the targets of ${batch.name}.`, {
    hint: `Name the one to compare with, ${reference.label}:TARGET, of: ${Array.from(known).join(", ")}.`,
  });
}

function withItself(reference: string, batch: string): AppError {
  const what = reference === batch ? "is on both sides" : `is ${batch}, or holds it`;
  return new AppError("USAGE", `${reference} ${what}: a comparison with itself says nothing.`, {
    hint: "Name another batch or pin; `tandem batches` and `tandem pin` list them.",
  });
}

/** Null when the reference has no target of that name and did not say that it should. */
function partsOf(db: Connection, reference: Reference, name: string): SideRequest["parts"] | null {
  if (reference.target !== null) return targetsNamed(db, reference, name);
  const names = reference.batches.flatMap((batch) => batchTargets(db, batch.id).map((target) => target.name));
  return names.includes(name) ? targetsNamed(db, reference, name) : null;
}

/** Sides as a person names them (`nightly~1:prod`), the baseline first; all others are compared with it. */
export function comparisonBetween(db: Connection, references: readonly string[]): PlannedComparison {
  const found = references.map((text) => findReference(db, text));
  const sides = found.map((reference, i) => sideNamed(db, reference, references[i] ?? ""));
  const last = found.at(-1)?.batches.at(-1);
  if (last === undefined || sides.length < 2) throw new AppError("USAGE", "A comparison needs two sides or more.");
  const names = sides.map(({ name, parts }) => `${name}:${parts[0]?.target.name ?? ""}`);
  const [first, ...others] = sides.map(({ parts }) => parts.map(({ target }) => target.id));
  const same = others.findIndex((ids) => ids.some((id) => first?.includes(id)));
  if (same !== -1) throw withItself(names[same + 1] ?? "", names[0] ?? "");
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new AppError("USAGE", `${twice} is named twice.`);
  const own = sides.map((side) => ({ ...side, prefix: isOf(last, side) ? "" : side.prefix }));
  const pairs = own.slice(1).map((_, i) => ({ baseline: 0, candidate: i + 1 }));
  return plannedOf(db, { batch: last, against: names.join(" "), isOwn: false, sides: own, pairs });
}

function isOf(batch: Batch, { parts }: SideRequest): boolean {
  return parts.length === 1 && parts[0]?.batch.id === batch.id;
}

function sideNamed(db: Connection, reference: Reference, text: string): SideRequest {
  const names = new Set(reference.batches.flatMap((batch) => batchTargets(db, batch.id).map(({ name }) => name)));
  const [only] = names;
  if (reference.target === null && (names.size !== 1 || only === undefined)) {
    throw new AppError("USAGE", `${text} names no target.`, {
      hint: `Write ${text}:TARGET with one of: ${Array.from(names).join(", ")}.`,
    });
  }
  const { label, name } = reference;
  return { prefix: label, name, parts: targetsNamed(db, reference, reference.target ?? only ?? "") };
}

interface Arranged {
  batch: Batch;
  against: string;
  isOwn: boolean;
  sides: SideRequest[];
  pairs: Pair[];
}

function plannedOf(db: Connection, { batch, against, isOwn, sides, pairs }: Arranged): PlannedComparison {
  const secondLook = isOwn ? secondLookOf(db, batch) : null;
  const batches = [batch, ...sides.flatMap(({ parts }) => parts.map((part) => part.batch))];
  const distinct = batches.filter(({ id }, i) => batches.findIndex((other) => other.id === id) === i);
  for (const each of distinct) checkRead(db, each);
  const scorings = new Map(distinct.map(({ id }) => [id, latestScoring(db, id)]));
  const compared = sides.map((side) => {
    const target = comparedTarget(db, isAlone(side, sides) ? side : { ...side, prefix: side.name }, batch);
    // A second look begins when the first is complete: a stop is one of the second.
    return secondLook !== null && side.prefix === "" ? { ...target, stopped: null } : target;
  });
  const exported = new Map(
    distinct.flatMap((each) => {
      const name = exportedName(db, each);
      return name === null ? [] : [[each.id, name] as const];
    }),
  );
  const partlyGraded = new Map(
    distinct.flatMap(({ id }) => {
      const scoring = scorings.get(id) ?? null;
      if (scoring === null || scoring.complete || unfinishedJobs(db, id).size > 0) return [];
      return [[id, finishedAnswers(db, id) - scoring.answers] as const];
    }),
  );
  const named = sides.map(({ parts }, place) => ({ parts, target: compared[place]?.target ?? "" }));
  const metrics = comparedMetrics(batch.suite.decision, {
    batch,
    sides: named,
    scorings,
    partlyGraded,
    exported,
    checkOf: (metric) => judgeCheckOf(db, { metric, batches: distinct, scorings }),
  });
  const isJudged = metrics.metrics.some(({ judge }) => judge !== undefined);
  const agreement = isJudged ? peopleAgreement(db, distinct) : null;
  const labelled = metrics.metrics.map((each) => {
    // Beside a rate of passes the mean value of the same judge is not what people labelled.
    const isSecond = each.of === "value" && each.metric.passes && each.gates.length === 0;
    const people = each.judge === undefined || isSecond ? undefined : peopleLabels(db, distinct, each);
    if (people === undefined) return each;
    const spec = scorings.get(batch.id)?.scorers.find(({ metric }) => metric.name === each.metric.name)?.spec;
    const isExample = spec === undefined ? null : judgeExamples(batch.suite, spec);
    return {
      ...each,
      people,
      ...(isExample !== null && { isExample }),
      ...(agreement !== null && agreement.labellers.length > 1 && { agreement }),
    };
  });
  const { decision } = batch.suite;
  const { nights, ignore } = decision;
  // Only what the run itself was told to compare is looked at a second time.
  const look = isOwn && against === "" ? lookOf(db, batch) : null;
  const next = levelOfNext(db, batch, look);
  const chosenBaseline = isOwn && against === "" ? choiceOfBaseline(db, batch) : null;
  // Cases that belong together do so on both sides, whichever suite says it.
  const clustered = distinct.find(({ suite }) => isClustered(suite));
  const compares = distinct.map((each) => {
    // A second look answers the question of its own comparison: in another one those cases would be chosen ones.
    const isWhole = each === batch && secondLook !== null && secondLook.unfinished === null;
    const scoringId = scorings.get(each.id)?.id ?? null;
    const runs = isWhole || !hasSecondLook(db, each.id) ? {} : { runs: firstLookRuns(db, each.id) };
    return { batchId: each.id, scoringId, clustered: isClustered(each.suite), ...runs };
  });
  const settings: ComparisonSettings = {
    sides: compared,
    pairs: against === "" ? pairsWithDraws(db, batch, { pairs, sides: compared }) : pairs,
    ...metrics,
    metrics: labelled,
    otherJudges: changedJudges(db, { sides, pairs, metrics: labelled, scorings }),
    missingParts: missingIn(db, distinct, batch),
    ignore,
    alpha: decisionLevels(decision).alpha,
    nights,
    maxErrorShare: batch.suite.maxErrorShare,
    seed: batch.seed,
    clustered: clustered !== undefined,
    clusterColumn: clustered === undefined ? null : clusterColumn(clustered),
    ...(batch.suite.mapping.independent === true && { isIndependent: true }),
    openColumns: openColumnsOf(batch.suite),
    fixedBaseline: pairs.some(({ baseline }) => sides[baseline]?.prefix !== ""),
    selected: batch.selection !== null,
    stop: null,
    chosen: null,
    isSameBot: against === "" && batch.suite.compare?.same === true,
    ...(against === "" && choiceSettings(decision)),
    ...(chosenBaseline !== null && { chosenBaseline }),
    ...(look !== null && { look }),
    ...(next !== undefined && { nextAlpha: next }),
  };
  const own = { settings, batches: compares };
  const raced = isOwn && against === "" ? raceRuleOf(db, batch, own) : null;
  const stop = raced?.stop ?? stopRuleOf(db, batch, own);
  const ruled = stop === null ? [] : [batch.id];
  const chosen = chosenRows(
    db,
    distinct.filter(({ id }) => !ruled.includes(id)),
  );
  const race = raced === null ? {} : { race: raced.race };
  return { batch, against, isOwn, batches: compares, settings: { ...settings, stop, chosen, ...race }, secondLook };
}

/** The parts that batches of a comparison lack; those of another batch than the one that is told of are named with it. */
function missingIn(db: Connection, batches: readonly Batch[], own: Batch): MissingPart[] {
  return batches.flatMap((batch): MissingPart[] => {
    const missing = missingParts(db, batch);
    if (missing === null) return [];
    const { parts, of, cases: rows, isAllowed } = missing;
    return [{ kind: "parts-missing", batch: batch.id === own.id ? null : batch.name, parts, of, rows, isAllowed }];
  });
}

/** The pairs of a batch's own comparison, with the cases that were drawn of each for people to label. */
function pairsWithDraws(
  db: Connection,
  batch: Batch,
  { pairs, sides }: { pairs: readonly Pair[]; sides: readonly ComparedTarget[] },
): Pair[] {
  const draws = pairs.length === 0 ? [] : drawsOf(db, batch.id);
  return pairs.map((pair) => {
    const [baseline, candidate] = [sides[pair.baseline]?.target, sides[pair.candidate]?.target];
    const draw = draws.find((each) => each.baseline === baseline && each.candidate === candidate);
    if (draw === undefined) return pair;
    const cases = casesOfDraw(db, draw.id).map(
      ({ caseId, part, chance }) => [caseId, { part, probability: chance }] as const,
    );
    return { ...pair, drawn: { cases: new Map(cases), of: draw.size } };
  });
}

/** The best of the targets of a batch, or the cheapest, where the suite asks for it. */
function choiceSettings({ choose, margin, expected }: DecisionSettings): Pick<ComparisonSettings, "choice"> {
  if (choose === undefined) return {};
  const accepted = choose === "cheapest" ? (margin ?? null) : null;
  return { choice: { expected: expected ?? null, margin: accepted } };
}

/** No other side is called the same. */
function isAlone({ prefix, parts }: SideRequest, sides: readonly SideRequest[]): boolean {
  const [own] = parts;
  const alike = sides.filter((side) => side.prefix === prefix && side.parts[0]?.target.name === own?.target.name);
  return prefix === "" || alike.length === 1;
}

/** The column by which cases belong together; null when they are turns of a conversation, or each its own. */
function clusterColumn({ suite: { mapping } }: Batch): string | null {
  return mapping.turn === null && mapping.turns === undefined ? mapping.cluster : null;
}

function comparedTarget(db: Connection, { prefix, parts }: SideRequest, own: Batch): ComparedTarget {
  const [part] = parts;
  const name = part?.target.name ?? "";
  // An exported pin is known by its own name.
  const isOfBatch =
    part !== undefined && parts.length === 1 && prefix === part.batch.name && !isExported(db, part.batch.id);
  return {
    target: prefix === "" ? name : `${prefix}:${name}`,
    ...(isOfBatch && { label: labelOfNight(db, name, { batch: part.batch, own }) }),
    targetIds: parts.map(({ target }) => target.id),
    batchIds: parts.map(({ batch }) => batch.id),
    batches: parts.map(({ batch }) => batch.name),
    endpoint: parts[0]?.target.endpoint ?? defaultEndpoint,
    stopped: parts.find(({ target }) => target.stopped !== null)?.target.stopped ?? null,
    repeats: parts.reduce((sum, { target }) => sum + target.repeats, 0),
    price: parts[0] === undefined ? null : targetPrice(parts[0].batch.suite, parts[0].target),
    // Stored answers have nothing but the text.
    answersOnly: parts.some(({ batch, target }) => target.deployment === "" || isExported(db, batch.id)),
  };
}

/** A target of another batch by its night, which has its time where the suite has several batches on that day. */
function labelOfNight(db: Connection, target: string, { batch, own }: { batch: Batch; own: Batch }): string {
  const { suiteName, name, createdAt } = batch;
  const all = listBatches(db, suiteName);
  const moments = nightMoments(all.map((each) => each.createdAt));
  const moment = moments[all.findIndex((each) => each.name === name)];
  const time = moment === undefined ? timeLabel(createdAt) : moment.time;
  const suite = suiteName === own.suiteName ? null : suiteName;
  return nightTarget(target, suite, { at: createdAt, time }, { at: own.createdAt });
}

/** The name under which a comparison is kept with its batch. */
export const keptAs = ({ against, isOwn }: Pick<PlannedComparison, "against" | "isOwn">): string =>
  isOwn ? "" : against;

/** The comparison of a batch: its targets with each other, or with the reference that its run was told. */
export function comparisonOfBatch(db: Connection, batch: Batch): PlannedComparison {
  const reference = ownReference(db, batch);
  return reference === null ? ownComparison(db, batch) : comparisonWith(db, batch, { reference, isOwn: true });
}

/** The second look of a batch, and why it does not count where it was cut short. */
function secondLookOf(db: Connection, { id, state, reason }: Batch): SecondLook | null {
  if (!hasSecondLook(db, id)) return null;
  const { jobs, left } = secondLookJobs(db, id);
  const isStopped = state === "stopped";
  const unfinished = left === 0 ? null : ({ kind: "runs-not-made", left, of: jobs, why: reason, isStopped } as const);
  return { planned: firstLookRuns(db, id), unfinished };
}
