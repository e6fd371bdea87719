import { setImmediate as nextTurn } from "node:timers/promises";
import type { CaseComparison, PairedResult } from "../../compare/cases/case-comparison.ts";
import { type Comparison, comparisonStream } from "../../compare/comparison.ts";
import { isCompared } from "../../compare/cases/pairing.ts";
import { version } from "../../lib/version.ts";
import { comparisonRows } from "../../report/tables/comparison-csv.ts";
import { CsvPages } from "../../report/tables/csv.ts";
import { htmlReport } from "../../report/formats/html.ts";
import { junitReport } from "../../report/formats/junit.ts";
import { markdownReport } from "../../report/formats/markdown.ts";
import type { ReportRow, ReportSummary } from "../../report/shape/model.ts";
import { reportMetrics } from "../../report/model/model-gates.ts";
import { reportRow, rowGlance } from "../../report/model/model-row.ts";
import { reportSummary } from "../../report/model/model-summary.ts";
import { modelTally } from "../../report/model/model-tally.ts";
import { type KeptText, keepText, openAppended, openOutput } from "../../report/write/open-output.ts";
import type { OpenReport } from "../../report/write/output.ts";
import { readPage } from "../../report/write/page.ts";
import { jsonReport } from "../../report/formats/report-json.ts";
import type { ReportFrame, Reporter, RowGlance } from "../../report/shape/reporter.ts";
import { runsRows, type RunsTable } from "../../report/tables/runs-csv.ts";
import type { Cell } from "../../report/tables/spreadsheet.ts";
import { type WorstRow, worstRows } from "../../report/model/worst-rows.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { batchColumns } from "../../store/results/results.ts";
import { latestScoring, type Scoring } from "../../store/scores/scores.ts";
import { withLabels } from "../labels/labelled-rows.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import { judgesOf } from "../plan/judge-costs.ts";
import { pastBatches } from "./past-batches.ts";
import { readResults } from "./read-results.ts";

/** The formats that are files. `runs`: a line for each job; `comparison`: a line for each case. */
export type ReportFormat = "html" | "runs" | "comparison" | "markdown" | "junit" | "json";

/** A report that is wanted. */
export interface WantedReport {
  format: ReportFormat;
  /** `-` is standard output. */
  path: string;
  /** The present content of the file stays before it; default false. */
  append?: boolean;
}

/**
 * Compares, and writes every report that is wanted, all from one reading of the results. `keep` is given the comparison
 * before the reports tell of it, among those of earlier batches.
 */
export async function writeReports(
  db: Connection,
  planned: PlannedComparison,
  { wanted, keep, threads }: ReportsGiven,
): Promise<WrittenReports> {
  const { batches, settings } = planned;
  const stream = comparisonStream(settings);
  const tally = modelTally(settings);
  const worst = worstRows(mostWorst);
  const sheets: Sheet[] = [];
  try {
    for (const each of wanted) sheets.push(await openSheet(each, sheetWriter(db, planned, each.format)));
    let place = 0;
    const reading = {
      wants: isCompared(settings),
      reasons: wanted.some(({ format }) => hasReasons.has(format)),
      // When nothing is compared and nothing shown, only a sample of the answers is looked at.
      bodies: settings.pairs.length > 0 || wanted.length > 0,
      // Threads pay where something is compared: one side alone takes their memory for little.
      ...(settings.pairs.length === 0 ? { threads: 0 } : threads === undefined ? {} : { threads }),
    };
    let turn = performance.now();
    for await (const page of readResults(db, batches, reading)) {
      // Little writing leaves no moment for Ctrl-C to be heard before all is read.
      if (performance.now() - turn > turnMs) {
        await nextTurn();
        turn = performance.now();
      }
      for (const result of page) {
        const compared = stream.add(result);
        tally.add(result);
        place += 1;
        const read = readCase(result, compared, { planned, place });
        if (worst.wants(read.glance().rank)) worst.add(read.row());
        for (const sheet of sheets) {
          sheet.pending += sheet.writer.add(read);
          if (sheet.pending.length >= pieceLength) await writePending(sheet);
        }
      }
    }
    const comparison = stream.summary();
    keep(comparison);
    const model = reportSummary({
      version,
      batch: batchFacts(planned.batch),
      comparison,
      comparisonPlan: settings,
      tally,
      origins: originsOf(db, planned),
      past: pastBatches(db, planned.batch),
      judges: judgesOf(db, planned.batch),
    });
    for (const sheet of sheets) await finish(sheet, model);
    return { comparison, model, worst: worst.rows() };
  } catch (error) {
    for (const { report, kept } of sheets) {
      await kept?.discard();
      await report.discard();
    }
    throw error;
  }
}

interface ReportsGiven {
  wanted: readonly WantedReport[];
  keep: (comparison: Comparison) => void;
  /** See `readResults`. */
  threads?: number;
}

/** The data that reports were made of. */
export interface WrittenReports {
  comparison: Comparison;
  model: ReportSummary;
  /** The rows that a person should look at first. */
  worst: WorstRow[];
}

const mostWorst = 5;
/** Longest time that a signal waits to be heard. */
const turnMs = 200;

/** Formats that show why an answer was graded as it was. */
const hasReasons: ReadonlySet<ReportFormat> = new Set(["html", "markdown", "junit", "json"]);

/** A case that was read and compared, and what a report shows of it, made when the first format asks. */
interface ReadCase {
  result: PairedResult;
  compared: CaseComparison;
  glance: () => RowGlance;
  row: () => ReportRow;
}

function readCase(
  result: PairedResult,
  compared: CaseComparison,
  { planned: { settings }, place }: { planned: PlannedComparison; place: number },
): ReadCase {
  let row: ReportRow | null = null;
  let glance: RowGlance | null = null;
  return {
    result,
    compared,
    glance: () => (glance ??= rowGlance(compared, settings)),
    row: () => (row ??= reportRow(result, compared, settings, place)),
  };
}

/** A format over cases that were read. */
interface SheetWriter extends Pick<Reporter, "start" | "end" | "head"> {
  add: (read: ReadCase) => string;
}

function sheetWriter(db: Connection, planned: PlannedComparison, format: ReportFormat): SheetWriter {
  const { batch, settings } = planned;
  if (format === "runs") {
    const { header, rowsOf } = runsRows(aboutRuns(db, batch, latestScoring(db, batch.id)));
    return tableWriter(header, ({ result, compared }) => rowsOf(result, compared.sides));
  }
  if (format === "comparison") {
    const { header, rowOf } = comparisonRows({ comparisonPlan: settings, columns: batchColumns(db, batch.id) });
    return tableWriter(header, ({ compared }) => [rowOf(compared)]);
  }
  const reporter = reporterOf(format, settings);
  return reportWriter(format === "html" ? withLabels(db, planned.batches, reporter) : reporter);
}

function reporterOf(format: "html" | "markdown" | "junit" | "json", settings: PlannedComparison["settings"]): Reporter {
  const nameOf = (place: number): string => settings.sides[place]?.target ?? "";
  const frame: ReportFrame = {
    targets: settings.sides.map(({ target }) => target),
    pairs: settings.pairs.map(({ baseline, candidate }) => ({
      baseline: nameOf(baseline),
      candidate: nameOf(candidate),
    })),
    metrics: reportMetrics(settings.metrics),
  };
  if (format === "html") return htmlReport(readPage("report"));
  if (format === "markdown") return markdownReport(frame);
  return format === "junit" ? junitReport(frame) : jsonReport(frame);
}

function tableWriter(header: Cell[], rowsOf: (read: ReadCase) => Cell[][]): SheetWriter {
  const pages = new CsvPages({ excel: false, raw: false });
  pages.add(header);
  return {
    start: "",
    add(read) {
      for (const row of rowsOf(read)) pages.add(row);
      return pages.isFull ? pages.take() : "";
    },
    end: () => pages.take(),
  };
}

function reportWriter({ start, wants, add, end, head }: Reporter): SheetWriter {
  return {
    start,
    add: (read) => (wants(read.glance()) ? add(read.row()) : ""),
    end,
    ...(head === undefined ? {} : { head }),
  };
}

/** A report that is being written. */
interface Sheet {
  writer: SheetWriter;
  report: OpenReport;
  /** File in which its text waits for its head; null: it has none. */
  kept: KeptText | null;
  /** Text not yet written: little pieces are written together. */
  pending: string;
}

async function openSheet({ path, append = false }: WantedReport, writer: SheetWriter): Promise<Sheet> {
  const report = append ? await openAppended(path) : await openOutput(path, process.stdout);
  const kept = writer.head === undefined ? null : await keepText(path);
  return { writer, report, kept, pending: writer.start };
}

const pieceLength = 256 * 1024;

async function writePending(sheet: Sheet): Promise<void> {
  const { pending, kept, report } = sheet;
  sheet.pending = "";
  await (kept ?? report).write(pending);
}

async function finish({ writer, report, kept, pending }: Sheet, model: ReportSummary): Promise<void> {
  const end = pending + writer.end(model);
  if (writer.head !== undefined) await report.write(writer.head(model));
  if (kept !== null) for await (const piece of kept.read()) await report.write(piece);
  await report.write(end);
  await report.close();
}

/** The data for the lines of runs.csv. */
export function aboutRuns(db: Connection, { id }: Batch, scoring: Scoring | null): RunsTable {
  return {
    targets: batchTargets(db, id).map(({ id: targetId, name: target, endpoint }) => ({ targetId, target, endpoint })),
    columns: batchColumns(db, id),
    metrics: scoring?.scorers.map(({ metric }) => metric) ?? [],
  };
}

function batchFacts({ name, suiteName, state, reason, createdAt, finishedAt }: Batch) {
  const durationMs = finishedAt === null ? null : finishedAt - createdAt;
  return { name, suite: suiteName, state, reason, startedAt: createdAt, durationMs };
}

/** The deployment and example_id behind the answers of each side. */
export function originsOf(db: Connection, { batches, settings }: PlannedComparison) {
  const targets = new Map(
    batches.flatMap(({ batchId }) => batchTargets(db, batchId).map((target) => [target.id, target] as const)),
  );
  return settings.sides.map(({ targetIds: [id = -1], answersOnly }) => {
    const target = targets.get(id);
    if (target === undefined || answersOnly) return null;
    return { deployment: target.deployment, exampleId: target.exampleId };
  });
}
