import { dirname } from "node:path";
import { folderFlag } from "../../../lib/paths/results-folder.ts";
import { chosenIn, claimsBeside } from "../../../app/history/night-row.ts";
import { editsCounted, isBeforeEdits, readKeptNight } from "../../../app/history/saved-night.ts";
import { editedWords } from "../../../report/say/nights.ts";
import { batchOverviews, latestSummary, targetsOfBatches } from "../../../store/batch-overview.ts";
import { knownPath } from "../../../store/read-only-folder.ts";
import { batchTargets } from "../../../store/batches.ts";
import type { Connection } from "../../../store/connection.ts";
import { listPins } from "../../../store/pins/pins.ts";
import { dataVersion } from "../../../store/nights/suite-marks.ts";
import { sparedJobs } from "../../../store/plan/spared.ts";
import { unfinishedJobs } from "../../../store/journal/unfinished.ts";
import type { BatchEntry, BatchList, PinEntry } from "../../api.ts";
import { isAtWork, stateInList } from "./batch-state.ts";

/** Shortest time over which a pace is told, and the time after which it is measured anew. */
const leastMs = 4000;
const windowMs = 60_000;

interface Look {
  at: number;
  left: number;
}

/** Tells how fast batches come along, by the times at which somebody looked. */
class Paces {
  readonly #looks = new Map<number, Look[]>();

  /** Time until nothing is left, at the pace of the last minute; null: it is not known yet. */
  leftMs(batch: number, left: number): number | null {
    const now = performance.now();
    const looks = (this.#looks.get(batch) ?? []).filter(({ at }) => now - at < windowMs);
    looks.push({ at: now, left });
    this.#looks.set(batch, looks);
    const [first] = looks;
    if (first === undefined || now - first.at < leastMs || first.left <= left) return null;
    return (left * (now - first.at)) / (first.left - left);
  }

  forget(batch: number): void {
    this.#looks.delete(batch);
  }
}

/** Share of the time that counting the jobs of a batch takes at most. */
const countShare = 0.05;
/** A list waits no longer than this for batches that were never counted: the next one goes on. */
const mostCountingMs = 50;

/** A process that dies, and a batch that ended a moment ago, change nothing in the database. */
const staleMs = 10_000;

/** Jobs of a batch as they were counted. */
interface Counted {
  state: string;
  left: number;
  spared: number;
  /** From when on it may be counted again. */
  next: number;
}

/** The names that stand beside a verdict. */
type Beside = Pick<BatchEntry, "beside" | "chosen">;

const nothingBeside: Beside = { beside: [], chosen: [] };

/** The names that a comparison has beside its verdict, and the number of edited scores that it counts. */
interface KeptBeside {
  beside: Beside;
  edits: number;
}

const nothingKept: KeptBeside = { beside: nothingBeside, edits: 0 };

const notCounted: Counted = { state: "", left: 0, spared: 0, next: 0 };

/** The list of batches, asked for by every page every few seconds: what has ended is not counted again. */
export class BatchEntries {
  readonly #db: Connection;
  readonly #counted = new Map<number, Counted>();
  readonly #beside = new Map<number, { comparedAt: number; found: KeptBeside }>();
  readonly #paces = new Paces();
  /** False: some were not counted for want of time. */
  #isWhole = true;
  #last: { seen: number; at: number; list: BatchList } | null = null;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** While nobody has written, and nothing is at work, the list is as it was. */
  list(): BatchList {
    const [seen, now] = [dataVersion(this.#db), performance.now()];
    const last = this.#last;
    if (last !== null && last.seen === seen && now - last.at < staleMs) return last.list;
    const list = this.#read();
    const isStill = this.#isWhole && list.batches.every(({ live }) => !live);
    this.#last = isStill ? { seen, at: now, list } : null;
    return list;
  }

  #read(): BatchList {
    this.#isWhole = true;
    const pins = pinEntries(this.#db);
    const targets = targetsOfBatches(this.#db);
    const end = performance.now() + mostCountingMs;
    const folder = folderFlag(dirname(knownPath(this.#db.name)));
    const batches = batchOverviews(this.#db).map((overview): BatchEntry => {
      const { mayStop, finishedAt: _finishedAt, isLocked: _isLocked, stopped, comparedAt, ...about } = overview;
      const { editedScores, editedAt, ...row } = about;
      const { id } = row;
      const { state, reason } = stateInList(this.#db, overview);
      const isInvalid = state === "stopped" && row.verdict === "invalid";
      const { left, spared } = this.#jobsOf(id, { state, mayStop: mayStop === 1, end });
      const kept = state === "finished" ? this.#besideOf(row, { comparedAt, end }) : nothingKept;
      const isOld = comparedAt !== null && isBeforeEdits(kept.edits, { editedScores, editedAt, comparedAt });
      return {
        ...row,
        state,
        // One that was cut off is not finished, whatever its data would say; one whose target was stopped is invalid.
        verdict: isInvalid && stopped === null ? null : row.verdict,
        word: isInvalid && stopped === null ? null : row.word,
        ...kept.beside,
        ...(isOld && { edited: editedWords(row.name, folder) }),
        reason: isInvalid && stopped !== null ? `${stopped} stopped before its end` : reason,
        live: isAtWork(state),
        finished: row.jobs - left - spared,
        spared,
        leftMs: this.#leftMs(id, state, left),
        targets: targets.get(id) ?? [],
        pins: pins.filter(({ batches: pinned }) => pinned.includes(row.name)).map(({ name }) => name),
      };
    });
    return { batches, pins };
  }

  #jobsOf(id: number, { state, mayStop, end }: { state: string; mayStop: boolean; end: number }): Counted {
    const isSent = state === "finished" || state === "grading";
    if (isSent && !mayStop) return notCounted;
    const known = this.#counted.get(id);
    const start = performance.now();
    if (known !== undefined && known.state === state && start < known.next) return known;
    if (start > end) {
      this.#isWhole = false;
      return known ?? notCounted;
    }
    const left = isSent ? 0 : Array.from(unfinishedJobs(this.#db, id).values()).reduce((sum, count) => sum + count, 0);
    const spared = mayStop ? sparedJobs(this.#db, id) : 0;
    const took = performance.now() - start;
    // A batch that stands still is counted once in a while, should somebody resume it elsewhere.
    const next = start + (isAtWork(state) ? took / countShare : Math.max(60_000, took / countShare));
    const counted = { state, left, spared, next };
    this.#counted.set(id, counted);
    return counted;
  }

  /** Read once for each comparison: a summary is long, and says the same until it is made again. */
  #besideOf(
    { id, word }: Pick<BatchEntry, "id" | "word">,
    { comparedAt, end }: { comparedAt: number | null; end: number },
  ): KeptBeside {
    if (word === null || comparedAt === null) return nothingKept;
    const known = this.#beside.get(id);
    if (known?.comparedAt === comparedAt) return known.found;
    if (performance.now() > end) {
      this.#isWhole = false;
      return known?.found ?? nothingKept;
    }
    const found = keptBeside(latestSummary(this.#db, id));
    this.#beside.set(id, { comparedAt, found });
    return found;
  }

  #leftMs(id: number, state: string, left: number): number | null {
    if (state === "running") return this.#paces.leftMs(id, left);
    this.#paces.forget(id);
    return null;
  }
}

/** One that a stranger wrote is told as such where its night is opened: the list goes on without it. */
function keptBeside(summary: string | undefined): KeptBeside {
  if (summary === undefined) return nothingKept;
  try {
    const kept = readKeptNight(summary);
    return { beside: { beside: claimsBeside(kept), chosen: chosenIn(kept) }, edits: editsCounted(kept) };
  } catch {
    return nothingKept;
  }
}

/** Pins too of batches that were not run here: what a colleague exported can be compared with. */
function pinEntries(db: Connection): PinEntry[] {
  return listPins(db).map(({ name, batches }) => ({
    name,
    batches: batches.map((batch) => batch.name),
    targets: Array.from(new Set(batches.flatMap(({ id }) => batchTargets(db, id).map((target) => target.name)))),
  }));
}
