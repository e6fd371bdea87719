import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { comparisonStream } from "../../compare/comparison.ts";
import { isCompared } from "../../compare/cases/pairing.ts";
import { AppError } from "../../errors.ts";
import { startTurn } from "../../lib/clock.ts";
import { removeLeftovers, tempSuffix } from "../../lib/leftovers.ts";
import { reportRow } from "../../report/model/model-row.ts";
import { labelsAsked, queriedColumns, type RowCondition, searchesTexts } from "../../report/query/row-conditions.ts";
import type { Query } from "../../report/query/query-text.ts";
import { hasTexts } from "../../report/row-index/index-files.ts";
import { RowIndexWriter } from "../../report/row-index/index-writer.ts";
import type { SaidOfRows } from "../../report/row-index/query-sql.ts";
import { RowIndex } from "../../report/row-index/row-index.ts";
import type { RowsBehind } from "../../report/tables/table.ts";
import type { Connection } from "../../store/connection.ts";
import { oneCaseReader } from "../../store/compared/one-case.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";
import { batchColumns } from "../../store/results/results.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import { labelledCases } from "../../store/scores/labels.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import { reportFrame } from "./report-frame.ts";
import { writeTexts } from "./write-texts.ts";

/** The rows behind the lines of a table that is streamed, found by an index of their comparison, which is made for the first query that asks about them. */
export class QueriedRows implements RowsBehind {
  readonly frame: RowsBehind["frame"];
  readonly #db: Connection;
  readonly #planned: PlannedComparison;
  /** Private, and gone when the table is written. */
  readonly #folder = join(tmpdir(), `tandem-where-${tempSuffix()}`);
  readonly #indexFolder = join(this.#folder, "index");
  #made: Promise<IndexOfCases> | null = null;
  #now: CaseResult | null = null;

  constructor(db: Connection, planned: PlannedComparison) {
    const { batch, settings } = planned;
    this.#db = db;
    this.#planned = planned;
    const columns = queriedColumns(batchColumns(db, batch.id));
    this.frame = { ...reportFrame(settings), tags: batch.suite.mapping.tags, columns };
  }

  /** Notes each result as it passes: the lines that follow are of it. */
  *seen<Result extends CaseResult>(results: Iterable<Result>): Generator<Result> {
    for (const result of results) {
      this.#now = result;
      yield result;
    }
  }

  async find(query: Query<RowCondition>, pair: number): Promise<() => boolean> {
    this.#made ??= this.#makeIndex();
    const { index, placeOf } = await this.#made;
    if (searchesTexts(query) && !hasTexts(this.#indexFolder))
      await writeTexts(this.#db, this.#planned, this.#indexFolder);
    const asked = { pair, sort: "dataset", text: JSON.stringify(query) };
    const found = await index.list(asked, { query, said: this.#said(query), keys: null, signal: null });
    const isFound = new Uint8Array(index.cases.length);
    for (const place of found.places) isFound[place] = 1;
    return () => this.#now !== null && isFound[placeOf(this.#now)] === 1;
  }

  #said(query: Query<RowCondition>): SaidOfRows {
    const ids = this.#planned.batches.map(({ batchId }) => batchId);
    const cases = new Map(
      labelsAsked(query).map(
        (choice) => [choice, labelledCases(this.#db, ids, choice === "no" ? "yes" : choice)] as const,
      ),
    );
    return { stamp: "", has: (caseId, choice) => cases.get(choice)?.has(caseId) === (choice !== "no") };
  }

  async #makeIndex(): Promise<IndexOfCases> {
    const { batches, settings } = this.#planned;
    removeLeftovers(tmpdir());
    makeFolder(this.#folder);
    const writer = new RowIndexWriter(this.#indexFolder, reportFrame(settings), this.frame.columns);
    const compared = comparisonStream(settings);
    const turn = startTurn();
    let place = 0;
    for (const result of pairedResults(this.#db, batches, { reasons: false, wants: isCompared(settings) })) {
      writer.add(result.caseId, reportRow(result, compared.add(result), settings, ++place));
      if (turn.isOver()) await turn.next();
    }
    writer.end(null);
    const index = new RowIndex(this.#indexFolder);
    const places = new Map(Array.from(index.cases, (caseId, at) => [caseId, at]));
    const read = oneCaseReader(this.#db, batches);
    return {
      index,
      // A result of one batch alone may be known by the case of an earlier one that it is compared with.
      placeOf: ({ caseId, key, inputHash }) =>
        places.get(caseId) ?? places.get(read(key, inputHash)?.caseId ?? -1) ?? -1,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const made = await this.#made?.catch(() => null);
    made?.index.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Throws MACHINE_LIMIT where the system's folder for temporary files cannot be written. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new AppError("MACHINE_LIMIT", `${tmpdir()}, the folder for temporary files, cannot be written${reason}.`, {
      hint: "Name one that can in TMPDIR: --where makes an index of the rows there, and removes it.",
      cause,
    });
  }
}

interface IndexOfCases {
  index: RowIndex;
  placeOf: (result: CaseResult) => number;
}
