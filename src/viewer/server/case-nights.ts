import { setImmediate as turn } from "node:timers/promises";
import { ownComparison } from "../../app/compare/planned-comparison.ts";
import { rowOfCase } from "../../app/report/row-of-case.ts";
import { lacksAnswer, sideOutcome } from "../../compare/cases/side-outcome.ts";
import { primaryFirst } from "../../compare/comparison-plan.ts";
import type { ReportRun } from "../../report/shape/row.ts";
import { type Batch, batchTargets, findBatch, listBatches } from "../../store/batches.ts";
import { oneCase } from "../../store/compared/one-case.ts";
import type { Connection } from "../../store/connection.ts";
import { type CaseTry, caseTries } from "../../store/nights/case-tries.ts";
import { firstLookRuns, hasSecondLook, secondLookJobs } from "../../store/plan/second-look.ts";
import { editStamp } from "../../store/scores/edits.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import type { RowNights } from "../../report/shape/row-head.ts";
import type { CaseNight } from "../api.ts";
import { batchState, isAtWork } from "./home/batch-state.ts";

/** Nights that are looked at: as many as a strip has room for. */
const mostNights = 40;

interface AskedNights {
  batch: Batch;
  target: string;
}

/** The nights of the suite of a batch up to it, the oldest first. */
function nightsUpTo(db: Connection, batch: Batch): Pick<Batch, "id" | "name" | "createdAt">[] {
  const known = listBatches(db, batch.suiteName).filter(({ id }) => id <= batch.id);
  const latest = known.toSorted((one, other) => other.id - one.id);
  const nights: Batch[] = [];
  for (const night of latest) {
    if (nights.length === mostNights) break;
    if (!isAtWork(batchState(db, night.id).state)) nights.push(night);
  }
  return nights.toReversed();
}

/** The tries of a target in a night, graded by the primary metric that the night had. */
function triesOf(db: Connection, batchId: number, target: string): ReturnType<typeof caseTries> {
  const scoring = latestScoring(db, batchId);
  const [first] = primaryFirst(scoring?.scorers ?? []);
  const scorer = first === undefined ? -1 : (scoring?.scorers.indexOf(first) ?? -1);
  return caseTries(db, {
    batchId,
    target,
    scoringId: scoring?.id ?? null,
    scorer,
    tries: countedTries(db, batchId, target),
  });
}

/** Nothing counts of a second look that is not finished. */
function countedTries(db: Connection, batchId: number, target: string): number | null {
  if (!isWithinSecondLook(db, batchId)) return null;
  const id = batchTargets(db, batchId).find(({ name }) => name === target)?.id;
  return firstLookRuns(db, batchId).get(id ?? -1) ?? null;
}

function isWithinSecondLook(db: Connection, batchId: number): boolean {
  return hasSecondLook(db, batchId) && secondLookJobs(db, batchId).left > 0;
}

/** A case of one target over the nights of its suite up to a batch, the oldest first. Between two nights others get their turn. */
export async function caseNights(
  db: Connection,
  { batch, key, target }: AskedNights & { key: string },
): Promise<CaseNight[]> {
  const nights: CaseNight[] = [];
  for (const { id, name, createdAt } of nightsUpTo(db, batch)) {
    nights.push({ batch: name, at: createdAt, ...markOf(triesOf(db, id, target).of(key)) });
    await turn();
  }
  return nights;
}

/** The first answer of a target to a case in another batch of the suite; null: there is none. */
export function answerOfNight(
  db: Connection,
  { batch, key, target }: { batch: string; key: string; target: string },
): ReportRun | null {
  const planned = ownComparison(db, findBatch(db, batch));
  const found = oneCase(db, planned.batches, key);
  const place = planned.settings.sides.findIndex((side) => side.target === target);
  return found === null ? null : (rowOfCase(found, planned, 0).sides[place]?.runs[0] ?? null);
}

function markOf(tries: readonly CaseTry[]): Pick<CaseNight, "mark" | "score"> {
  const values = tries.flatMap(({ value }) => value ?? []);
  const score = values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  if (tries.length === 0) return { mark: "none", score: null };
  if (tries.every((each) => lacksAnswer(sideOutcome(each)))) return { mark: "error", score };
  const passes = tries.flatMap(({ pass }) => pass ?? []);
  if (passes.length === 0) return { mark: "answered", score };
  return { mark: passes.every(Boolean) ? "passed" : passes.some(Boolean) ? "mixed" : "failed", score };
}

/** The orders of a list by the nights before: of each case since when it is as it is, and how often it changed. */
export interface NightsOfCases {
  /** Another one whenever something in those nights has changed. */
  stamp: string;
  /** By the place of a case; undefined for one that the night itself did not ask. */
  of: (place: number) => RowNights | undefined;
  /** Sort keys by place, the greatest first: what changed in the latest night first, and what changed most often. */
  since: Float32Array;
  flips: Float32Array;
}

/** Another text whenever something in the nights up to a batch may have changed. */
export function nightsStamp(db: Connection, batch: Batch): string {
  return nightsUpTo(db, batch)
    .map(({ id }) => `${id} ${latestScoring(db, id)?.id ?? ""} ${editStamp(db, id)} ${isWithinSecondLook(db, id)}`)
    .join("; ");
}

/** Reads the cases of a target, by their keys in the order of a comparison, over the nights before. Others get their turn meanwhile. */
export async function nightsOfCases(
  db: Connection,
  { batch, target, keys, stamp }: AskedNights & { keys: readonly string[]; stamp: string },
): Promise<NightsOfCases> {
  const places = new Map(keys.map((key, place) => [key, place]));
  const last: (CaseNight["mark"] | undefined)[] = Array.from(keys, () => undefined);
  const [since, flips] = [new Float32Array(keys.length).fill(-1), new Float32Array(keys.length)];
  const nights = nightsUpTo(db, batch);
  for (const [at, night] of nights.entries()) {
    for (const page of triesOf(db, night.id, target).pages()) {
      for (const tries of byKey(page)) {
        const place = places.get(tries[0]?.key ?? "");
        if (place === undefined) continue;
        const { mark } = markOf(tries);
        const before = last[place];
        last[place] = mark;
        if (before === undefined || before === mark) continue;
        since[place] = at;
        flips[place] = (flips[place] ?? 0) + 1;
      }
      await turn();
    }
  }
  return {
    stamp,
    since,
    flips,
    of(place) {
      if (last[place] === undefined) return undefined;
      const began = nights[since[place] ?? -1];
      return { since: began?.createdAt ?? null, changes: flips[place] ?? 0 };
    },
  };
}

/** The tries of one case stand together. */
function* byKey(tries: readonly CaseTry[]): Generator<CaseTry[]> {
  let own: CaseTry[] = [];
  for (const each of tries) {
    if (own[0] !== undefined && own[0].key !== each.key) {
      yield own;
      own = [];
    }
    own.push(each);
  }
  if (own.length > 0) yield own;
}
