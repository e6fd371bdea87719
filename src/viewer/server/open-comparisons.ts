import { join } from "node:path";
import type { Connection } from "../../store/connection.ts";
import { dataVersion } from "../../store/nights/suite-marks.ts";
import { keptAs } from "../../app/compare/planned-comparison.ts";
import { storedVerdict } from "../../store/compared/comparisons.ts";
import { countKeys } from "../../store/compared/paired-results.ts";
import { OpenedComparison } from "./open-comparison.ts";
import type { IndexFolder } from "../../app/report/index-folder.ts";
import { comparisonId, comparisonOfWanted, type Wanted } from "./wanted-comparison.ts";

/**
 * Number of comparisons kept open: beyond it the one that was looked at first is closed, and opens again from its
 * index.
 */
const mostOpen = 8;

function isOnItsWay({ state }: OpenedComparison): boolean {
  return state.kind === "waiting" || state.kind === "at";
}

/** The comparisons that somebody looks at. One after the other is made ready: the machine has other work. */
export class Comparisons {
  readonly #db: Connection;
  readonly #folder: IndexFolder;
  readonly #open = new Map<string, OpenedComparison>();
  #queue: Promise<void> = Promise.resolve();
  #last: { asked: string; seen: number; opened: OpenedComparison } | null = null;
  #closed = false;

  constructor(db: Connection, folder: IndexFolder) {
    this.#db = db;
    this.#folder = folder;
  }

  /**
   * Opens the wanted comparison, ready or on its way. Throws USAGE, BATCH_NOT_FOUND, and the error that stopped it from
   * being made ready.
   */
  open(wanted: Wanted): OpenedComparison {
    const [asked, seen] = [JSON.stringify(wanted), dataVersion(this.#db)];
    const last = this.#last;
    // A page that waits asks many times, and to plan a large comparison takes time from the thread that makes it ready.
    if (last !== null && last.asked === asked && last.seen === seen) {
      const { opened } = last;
      if (isOnItsWay(opened) && this.#open.get(opened.id) === opened) return opened;
    }
    const opened = this.#opened(wanted);
    this.#last = { asked, seen, opened };
    return opened;
  }

  #opened(wanted: Wanted): OpenedComparison {
    const planned = comparisonOfWanted(this.#db, wanted);
    const id = comparisonId(this.#db, planned);
    const known = this.#open.get(id) ?? this.#add(id, planned, wanted);
    // The one that was looked at last is the last.
    this.#open.delete(id);
    this.#open.set(id, known);
    if (known.state.kind === "failed") {
      this.#open.delete(id);
      throw known.state.error;
    }
    this.#folder.touch(known.folder);
    return known;
  }

  #add(id: string, planned: OpenedComparison["planned"], wanted: Wanted): OpenedComparison {
    const cases = countKeys(this.#db, planned.batches);
    const folder = join(this.#folder.path, id);
    const verdict = storedVerdict(this.#db, planned.batch.id, keptAs(planned));
    const opened = new OpenedComparison(this.#db, { id, planned, wanted, folder, cases, verdict });
    this.#open.set(id, opened);
    this.#closeFirst();
    if (opened.state.kind === "waiting") this.#next(() => this.#prepare(opened));
    else this.#next(() => this.#prepareTexts(opened));
    return opened;
  }

  #next(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work);
  }

  async #prepare(opened: OpenedComparison): Promise<void> {
    if (this.#closed || this.#open.get(opened.id) !== opened) return;
    this.#folder.tidy(new Set(Array.from(this.#open.values(), ({ folder }) => folder)));
    await opened.prepare();
    // Others that somebody waits for are made ready before.
    this.#next(() => this.#prepareTexts(opened));
  }

  async #prepareTexts(opened: OpenedComparison): Promise<void> {
    if (this.#closed || this.#open.get(opened.id) !== opened || opened.state.kind !== "ready") return;
    // Whoever searches is told what went wrong.
    await opened.prepareTexts().catch(() => {});
  }

  /** Undefined for one that is not open, or no longer. */
  get(id: string): OpenedComparison | undefined {
    return this.#open.get(id);
  }

  #closeFirst(): void {
    const [first] = this.#open.values();
    if (this.#open.size <= mostOpen || first === undefined) return;
    this.#open.delete(first.id);
    first.close();
  }

  close(): void {
    this.#closed = true;
    for (const opened of this.#open.values()) opened.close();
    this.#open.clear();
  }
}
