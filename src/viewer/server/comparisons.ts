import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../../errors.ts";
import { hashText } from "../../lib/hash.ts";
import { batchContest } from "../../pipeline/conclude.ts";
import { type Contest, contestBetween } from "../../pipeline/lineup.ts";
import { findBatch } from "../../store/batches.ts";
import type { Connection } from "../../store/database.ts";
import { OpenedComparison } from "./opened.ts";

/** More than so many are not kept ready: the one opened first is forgotten. */
const mostOpen = 6;

const prefix = ".view-";
/** Viewers that this process has started. */
let made = 0;

/** Folders of viewers that were killed. */
function leftBehind(folder: string): string[] {
  return readdirSync(folder).filter((name) => {
    const [, pid] = /^\.view-(\d+)-\d+$/.exec(name) ?? [];
    return pid !== undefined && !isAlive(Number(pid));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives, but is not ours.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The comparisons that somebody looks at, in a folder of their own that is gone with them. */
export class Comparisons {
  readonly #db: Connection;
  readonly #folder: string;
  readonly #open = new Map<string, OpenedComparison>();

  constructor(db: Connection) {
    this.#db = db;
    // Beside the database: answers stay in a folder that only its owner can read.
    const beside = dirname(db.name);
    for (const left of leftBehind(beside)) rmSync(join(beside, left), { recursive: true, force: true });
    this.#folder = join(beside, `${prefix}${process.pid}-${made++}`);
    mkdirSync(this.#folder, { mode: 0o700 });
  }

  /** The own comparison of a batch, or one of the sides that are named (`BATCH:TARGET`, the baseline first). */
  open(wanted: { batch: string } | { sides: readonly string[] }): OpenedComparison {
    const contest =
      "batch" in wanted
        ? batchContest(this.#db, findBatch(this.#db, wanted.batch))
        : contestBetween(this.#db, wanted.sides);
    const id = idOf(contest);
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    this.#forgetFirst();
    const cases = contest.batches.reduce((sum, { batchId }) => sum + casesOf(this.#db, batchId), 0);
    const opened = new OpenedComparison(this.#db, { id, contest, folder: this.#folder, cases });
    this.#open.set(id, opened);
    return opened;
  }

  /** Throws USAGE for one that is not open, or no longer. */
  get(id: string): OpenedComparison {
    const opened = this.#open.get(id);
    if (opened !== undefined) return opened;
    throw new AppError("USAGE", "This comparison is not open any more.", { hint: "Load the page again." });
  }

  #forgetFirst(): void {
    const [first] = this.#open.values();
    if (this.#open.size < mostOpen || first === undefined) return;
    this.#open.delete(first.id);
    first.close();
  }

  close(): void {
    for (const opened of this.#open.values()) opened.close();
    this.#open.clear();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The same again gives the same: sides, scorings, and how far the batches are. */
function idOf({ batch, against, batches, settings }: Contest): string {
  const about = [
    batch.name,
    batch.state,
    batch.finishedAt,
    against,
    batches,
    settings.sides.map(({ target }) => target),
  ];
  return hashText(JSON.stringify(about), 16);
}

function casesOf(db: Connection, batchId: number): number {
  return db.prepare<[number], number>('SELECT count(*) FROM "case" WHERE batch_id = ?').pluck().get(batchId) ?? 0;
}
