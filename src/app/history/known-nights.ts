import { AppError } from "../../errors.ts";
import { twoLooks } from "../../compare/two-looks.ts";
import { isCompared } from "../../compare/cases/pairing.ts";
import { stateNow } from "../../store/batch-state.ts";
import { type Batch, batchOfId } from "../../store/batches.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";
import type { Connection } from "../../store/connection.ts";
import { holderOf } from "../../store/lock.ts";
import {
  comparisonReader,
  nightConfigurations,
  type StoredNight,
  storedNights,
} from "../../store/nights/stored-nights.ts";
import { judgeEras } from "../compare/judge-change.ts";
import { comparisonOfBatch, ownComparison, type PlannedComparison } from "../compare/planned-comparison.ts";
import { editsCounted, isBeforeEdits, type KeptNight, keptSummary, readKeptNight } from "./saved-night.ts";
import { isBroken } from "./issues.ts";
import { configurationText, type NightFacts } from "./night-changes.ts";

/** A batch of a suite as it is stored. */
export interface KnownNight {
  facts: NightFacts;
  state: string;
  reason: string | null;
  /**
   * Null: it did not finish, or was not compared. Where only its confirmation did not, the first look stands; one that ended
   * as a target was stopped is invalid.
   */
  kept: KeptNight | null;
  /** Scores of it were edited after its comparison was made: what is kept does not count them. */
  isBeforeEdits: boolean;
}

/**
 * Comparisons that were read before, by what tells each from all others: a suite that is read again and again reads only
 * what is new.
 */
export type NightMemory = Map<string, KeptNight>;

/** The batches of a suite up to one of them (its id; null: all), the oldest first, each with its comparison. */
export function knownNights(
  db: Connection,
  suite: string,
  { upTo = null, memory = new Map() }: { upTo?: number | null; memory?: NightMemory } = {},
): KnownNight[] {
  const targets = new Map<number, Map<string, string>>();
  for (const each of nightConfigurations(db, suite)) {
    const own = targets.get(each.batchId) ?? new Map<string, string>();
    targets.set(each.batchId, own.set(each.target, configurationText(each)));
  }
  const keptOf = keptReader(db, memory);
  const judgesOf = judgeEras(db, suite);
  return storedNights(db, suite, upTo).map((night) => {
    const { comparison, comparedAt, editedScores, editedAt, state, reason, ...facts } = night;
    const own = beforeItsEnd.has(state) ? null : keptOf(night);
    const kept = state === "finished" || notConfirmed(own) !== null || (own !== null && isBroken(own)) ? own : null;
    const judges = judgesOf(facts.id);
    const more = { targets: targets.get(facts.id) ?? new Map<string, string>(), ...(judges.size > 0 && { judges }) };
    const about = { facts: { ...facts, ...more }, state, reason };
    const edits = { editedScores, editedAt, comparedAt };
    const known = {
      ...about,
      kept,
      isBeforeEdits: comparison !== null && kept !== null && isBeforeEdits(editsCounted(kept), edits),
    };
    return { ...known, ...(kept === null && asItStands(db, known)) };
  });
}

/** The comparison that is kept with a night, from memory where it was read before; one that is made again is another. */
function keptReader(
  db: Connection,
  memory: NightMemory,
): (night: Pick<StoredNight, "id" | "comparison" | "comparedAt">) => KeptNight | null {
  const read = comparisonReader(db);
  return ({ id, comparison, comparedAt }) => {
    if (comparison === null) return null;
    const key = `${id} ${comparison} ${comparedAt ?? ""}`;
    const before = memory.get(key);
    if (before !== undefined) return before;
    const summary = read(comparison);
    if (summary === null) return null;
    const kept = readKeptNight(summary);
    memory.set(key, kept);
    return kept;
  };
}

/** A comparison that is kept with one of these is of before it was resumed. */
const beforeItsEnd = new Set(["reading", "planned", "running"]);

/** The reason why a regression could not be asked once more, so that the first look stands. */
export function notConfirmed(kept: KeptNight | null): string | null {
  return kept?.told.unconfirmed ?? null;
}

/** The state of a batch that has no comparison yet: its row may tell less than what goes on. */
function asItStands(
  db: Connection,
  { facts: { id, createdAt }, state, kept }: KnownNight,
): Pick<KnownNight, "state" | "kept"> {
  if (state !== "finished") return { state: stateNow(db, { id, state, reason: null, createdAt }).state, kept };
  return holderOf(db, id) === null ? { state, kept: comparedNow(db, id) } : { state: "grading", kept };
}

/** A comparison that is not kept, such as that of a run that was killed when it had finished, is made again. */
function comparedNow(db: Connection, id: number): KeptNight | null {
  const { batches, settings, secondLook } = plannedAgain(db, batchOfId(db, id));
  const stream = twoLooks(settings, secondLook);
  const reading = { reasons: false, bodies: settings.pairs.length > 0, wants: isCompared(settings) };
  for (const result of pairedResults(db, batches, reading)) stream.add(result);
  return readKeptNight(keptSummary(stream.summary()));
}

/** The other side of a comparison may be gone meanwhile: its own targets are there. */
function plannedAgain(db: Connection, batch: Batch): PlannedComparison {
  try {
    return comparisonOfBatch(db, batch);
  } catch (error) {
    if (error instanceof AppError && error.code === "BATCH_NOT_FOUND") return ownComparison(db, batch);
    throw error;
  }
}
