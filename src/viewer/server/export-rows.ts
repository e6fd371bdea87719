import { startTurn } from "../../lib/clock.ts";
import { comparisonStream } from "../../compare/comparison.ts";
import { isCompared } from "../../compare/cases/pairing.ts";
import { tableFrame } from "../../app/report/table-frame.ts";
import { withLabels } from "../../app/report/report-writer.ts";
import { withAttempts } from "../../app/report/run-attempts.ts";
import { builtHtmlView } from "../../report/formats/html.ts";
import { reportRow } from "../../report/model/model-row.ts";
import { type CaseTableName, caseTables } from "../../report/formats/table-formats.ts";
import { CsvPages } from "../../report/tables/csv.ts";
import { csvOptions } from "../../report/tables/spreadsheet.ts";
import type { Connection } from "../../store/connection.ts";
import type { CaseOfBatches } from "../../store/compared/joined-case.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";
import type { OpenedComparison } from "./open-comparison.ts";

/** Share of the rows below which cases are read one by one instead of all in one pass. */
const fewShare = 0.15;

/** The lines of the rows at some places as CSV, with the columns of `tandem export`, in the order of the dataset, page by page. */
export async function* exportedRows(
  db: Connection,
  opened: OpenedComparison,
  { places, form }: { places: Uint32Array; form: CaseTableName },
): AsyncGenerator<string> {
  const { columns, linesOf } = (await caseTables[form].make())(tableFrame(db, opened.planned));
  const pages = new CsvPages({ ...csvOptions(opened.planned.batch.suite.csv), excel: true });
  pages.add(columns.map(({ name }) => name));
  const compared = comparisonStream(opened.planned.settings);
  const turn = startTurn();
  for (const result of wantedCases(db, opened, places)) {
    if (result !== null) for (const line of linesOf(result, compared.add(result))) pages.add(line);
    if (pages.isFull) yield pages.take();
    if (turn.isOver()) await turn.next();
  }
  yield pages.take();
}

/** The rows at some places as one page that opens anywhere, with the verdict and figures of all of them. */
export async function* savedPage(
  db: Connection,
  opened: OpenedComparison,
  places: Uint32Array,
): AsyncGenerator<string> {
  const { batches, settings } = opened.planned;
  const reporter = withAttempts(db, withLabels(db, batches, builtHtmlView(places.length)));
  const compared = comparisonStream(settings);
  const turn = startTurn();
  yield reporter.start;
  for (const result of wantedCases(db, opened, places)) {
    if (result !== null)
      yield await reporter.add(reportRow(result, compared.add(result), settings, opened.placeOf(result) + 1));
    if (turn.isOver()) await turn.next();
  }
  yield reporter.end(opened.summary);
}

/** Null for a case that was read and is not wanted: a moment to let others in. */
function* wantedCases(
  db: Connection,
  opened: OpenedComparison,
  places: Uint32Array,
): Generator<CaseOfBatches | null, undefined> {
  const { batches, settings } = opened.planned;
  if (places.length < opened.rows * fewShare) return yield* opened.cases(places.toSorted());
  const wanted = new Uint8Array(opened.rows);
  for (const place of places) wanted[place] = 1;
  let place = 0;
  for (const result of pairedResults(db, batches, { reasons: false, wants: isCompared(settings) }))
    yield wanted[place++] === 1 ? result : null;
  return undefined;
}
