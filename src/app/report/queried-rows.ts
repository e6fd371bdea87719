import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { comparisonStream } from "../../compare/comparison.ts";
import { isCompared } from "../../compare/cases/pairing.ts";
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
import { settled, unfinished } from "../../report/write/unfinished.ts";
import { makeIndexFolder } from "./index-folder.ts";
import { reportFrame } from "./report-frame.ts";
import { writeTexts } from "./write-texts.ts";

/** The rows behind the lines of a table that is streamed, found by an index of their comparison, which is made for the first query that asks about them. */
export class QueriedRows implements RowsBehind {
  readonly frame: RowsBehind["frame"];
  readonly #db: Connection;
  readonly #planned: PlannedComparison;
  /** Private, and gone when the table is written; null: not made. */
  #folder: string | null = null;
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
    const { folder, index, placeOf } = await this.#made;
    if (searchesTexts(query) && !hasTexts(folder)) await writeTexts(this.#db, this.#planned, folder);
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
    this.#folder = beginFolder(this.#db.name);
    const folder = join(this.#folder, "index");
    const writer = new RowIndexWriter(folder, reportFrame(settings), this.frame.columns);
    const compared = comparisonStream(settings);
    const turn = startTurn();
    let place = 0;
    for (const result of pairedResults(this.#db, batches, { reasons: false, wants: isCompared(settings) })) {
      writer.add(result.caseId, reportRow(result, compared.add(result), settings, ++place));
      if (turn.isOver()) await turn.next();
    }
    writer.end(null);
    const index = new RowIndex(folder);
    const places = new Map(Array.from(index.cases, (caseId, at) => [caseId, at]));
    const read = oneCaseReader(this.#db, batches);
    return {
      folder,
      index,
      // A result of one batch alone may be known by the case of an earlier one that it is compared with.
      placeOf: ({ caseId, key, inputHash }) =>
        places.get(caseId) ?? places.get(read(key, inputHash)?.caseId ?? -1) ?? -1,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const made = await this.#made?.catch(() => null);
    made?.index.close();
    if (this.#folder === null) return;
    rmSync(this.#folder, { recursive: true, force: true });
    settled(this.#folder);
  }
}

/** Makes a folder that is gone when the process ends, and removes those that killed processes have left. */
function beginFolder(database: string): string {
  const { path, lasts } = makeIndexFolder(database);
  removeLeftovers(path);
  const folder = lasts ? join(path, `.where-${tempSuffix()}`) : path;
  unfinished(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

interface IndexOfCases {
  folder: string;
  index: RowIndex;
  placeOf: (result: CaseResult) => number;
}
