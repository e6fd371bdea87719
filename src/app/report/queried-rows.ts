import { isCompared } from "../../compare/cases/pairing.ts";
import { figuresOf, searchText } from "../../report/model/row-figures.ts";
import { slowestOf, timeOfSlow } from "../../report/model/row-filters.ts";
import { queriedColumns, type QueryFrame } from "../../report/query/row-conditions.ts";
import { type QueriedRow, saidOf, sidesOfPair } from "../../report/query/row-query.ts";
import type { RowsBehind } from "../../report/tables/where.ts";
import type { Connection } from "../../store/connection.ts";
import type { CaseOfBatches } from "../../store/compared/joined-case.ts";
import { oneCaseReader } from "../../store/compared/one-case.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";
import { batchColumns } from "../../store/results/results.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import { labelsOfJob } from "../../store/scores/labels.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import { reportFrame } from "./report-frame.ts";
import { rowOfCase } from "./row-of-case.ts";

/** The rows behind the lines of a table that is streamed, made for the queries that ask about them. */
export interface QueriedRows {
  /** Notes each result as it passes: the lines that follow are of it. */
  seen: <Result extends CaseResult>(results: Iterable<Result>) => Generator<Result>;
  rows: RowsBehind;
}

export function queriedRows(db: Connection, planned: PlannedComparison): QueriedRows {
  const { batch, settings } = planned;
  const reported = reportFrame(settings);
  const { targets, pairs, metrics } = reported;
  const columns = queriedColumns(batchColumns(db, batch.id));
  const frame: QueryFrame = { targets, pairs, metrics, tags: batch.suite.mapping.tags, columns };
  const make = rowMaker(db, planned);
  const slowFrom = slowFromOf(db, planned);
  const about = Array.from({ length: Math.max(1, pairs.length) }, (_, pair) => ({
    pair,
    sides: sidesOfPair(frame, pair),
    frame: reported,
    get slowFrom() {
      return slowFrom();
    },
  }));
  let now: CaseResult | null = null;
  let made: { of: CaseResult; row: QueriedRow } | null = null;
  return {
    *seen(results) {
      for (const result of results) {
        now = result;
        yield result;
      }
    },
    rows: {
      frame,
      row: () => {
        if (now === null) throw new Error("a row is asked for before there is one");
        if (made?.of !== now) made = { of: now, row: make(now) };
        return made.row;
      },
      about: () => about,
    },
  };
}

/** The time from which an answer is slow is known after a look at all of them, which few queries need. */
function slowFromOf(db: Connection, planned: PlannedComparison): () => number {
  let known: number | null = null;
  return () => {
    if (known !== null) return known;
    const times: number[] = [];
    const { batches, settings } = planned;
    for (const result of pairedResults(db, batches, { reasons: false, wants: isCompared(settings) })) {
      times.push(slowestOf(figuresOf(rowOfCase(result, planned, 0))));
    }
    known = timeOfSlow(Float32Array.from(times));
    return known;
  };
}

/** A result of one batch alone is read again with the others that it is compared with. */
function rowMaker(db: Connection, planned: PlannedComparison): (result: CaseResult) => QueriedRow {
  const read = oneCaseReader(db, planned.batches);
  const labelsOf = labelsOfJob(db);
  return (result) => {
    const found = isOfBatches(result) ? result : read(result.key, result.inputHash);
    if (found === null) throw new Error("a case of a table is in no batch");
    const row = rowOfCase(found, planned, 0);
    let words: string | null = null;
    return {
      row,
      figures: figuresOf(row),
      words: () => (words ??= searchText(row)),
      said: () => saidOf(found.jobs.flatMap(({ jobId }) => labelsOf(jobId))),
    };
  };
}

const isOfBatches = (result: CaseResult): result is CaseOfBatches => "variants" in result;
