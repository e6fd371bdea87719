import type { FailOn } from "../../errors.ts";
import type { CaseComparison, PairedResult } from "../../compare/cases/case-comparison.ts";
import { formatNamed, type FormatRow, type ReportFormat } from "../../report/formats/formats.ts";
import { caseTables, tableFormatNamed } from "../../report/formats/table-formats.ts";
import type { ReportRow, ReportSummary } from "../../report/shape/model.ts";
import type { Reporter, RowSummary } from "../../report/shape/reporter.ts";
import { csvOptions } from "../../report/tables/spreadsheet.ts";
import type { TableOfCases, FilePiece, TableEncoder } from "../../report/tables/table.ts";
import { type KeptText, keepText, openAppended, openOutput } from "../../report/write/open-output.ts";
import type { OpenReport } from "../../report/write/output.ts";
import { refusePlantedLink } from "../../report/write/planted-link.ts";
import type { Connection } from "../../store/connection.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import { tableFrame } from "./table-frame.ts";
import { reportFrame } from "./report-frame.ts";
import { withAttempts } from "./run-attempts.ts";
import { countLabels, labelsOfJob } from "../../store/scores/labels.ts";

/** A report that is wanted. */
export interface WantedReport {
  format: ReportFormat;
  /** `-` is standard output. */
  path: string;
  /** The present content of the file stays before it; default false. */
  append?: boolean;
  /** A folder in which it must lie by no link; left out: the person at the keyboard named the path. */
  within?: string;
}

/** A case that was read and compared, and what a report shows of it, made when the first format asks. */
export interface ReadCase {
  result: PairedResult;
  compared: CaseComparison;
  glance: () => RowSummary;
  row: () => ReportRow;
}

/** A report that is being written. */
export interface ReportWriter {
  writer: CaseWriter;
  report: OpenReport;
  /** File in which its text waits for its head. */
  kept: KeptText | null;
  /** Content not yet written: little pieces are written together. */
  pending: FilePiece;
}

/** A format over cases that were read. */
interface CaseWriter extends Pick<Reporter, "start"> {
  add: (read: ReadCase) => FilePiece | Promise<FilePiece>;
  /** Goes before all that `add` made, which is kept in a file until then. */
  head?: (summary: ReportSummary) => FilePiece;
  /** A piece that goes before that at once, as soon as there is enough of it. */
  ahead?: () => FilePiece;
  settle?: Reporter["settle"];
  end: (summary: ReportSummary) => FilePiece;
  /** Pieces after the end, each made when it is written. */
  rest?: () => Iterable<FilePiece>;
}

/** Opens a report and writes its start. Throws USAGE for a format that does not exist, and OUTPUT_UNWRITABLE. */
export async function openReportWriter(
  db: Connection,
  planned: PlannedComparison,
  { format, path, append = false, within }: WantedReport,
  failOn: FailOn = [],
): Promise<ReportWriter> {
  if (within !== undefined) refusePlantedLink(within, path);
  const row = formatNamed(format);
  const writer = await caseWriter(db, planned, { row, failOn });
  const isBinary = row.kind === "workbook" || (row.kind === "table" && tableFormatNamed(row.form).isBinary === true);
  const report = append ? await openAppended(path) : await openOutput(path, { stdout: process.stdout, isBinary });
  const kept = writer.head === undefined ? null : await keepText(path);
  return { writer, report, kept, pending: writer.start };
}

/** Adds a case; a promise only where something is written. */
export function addToReport(report: ReportWriter, read: ReadCase): Promise<void> | null {
  const piece = report.writer.add(read);
  if (piece instanceof Promise) return writeLater(report, piece);
  report.pending = joined(report.pending, piece);
  const ahead = report.writer.ahead?.() ?? "";
  if (ahead.length > 0) return report.report.write(ahead);
  return report.pending.length < pieceLength ? null : writePending(report);
}

/** Writes the end, and puts the report in its place. */
export async function finishReport(
  { writer, report, kept, pending }: ReportWriter,
  model: ReportSummary,
): Promise<void> {
  if (writer.head !== undefined) await report.write(writer.head(model));
  const settled = writer.settle?.(model) ?? ((piece) => piece);
  if (kept !== null) for await (const piece of kept.read()) await report.write(settled(piece));
  await report.write(joined(settled(pending), writer.end(model)));
  for (const piece of writer.rest?.() ?? []) await report.write(piece);
  await report.close();
}

/** Takes back what was written of it. */
export async function discardReport({ report, kept }: ReportWriter): Promise<void> {
  await kept?.discard();
  await report.discard();
}

/** Below the size from which V8 takes a text for a large object, which lies about until a full collection. */
const pieceLength = 96 * 1024;

function joined(before: FilePiece, piece: FilePiece): FilePiece {
  if (before.length === 0 || piece.length === 0) return before.length === 0 ? piece : before;
  if (typeof before === "string" && typeof piece === "string") return before + piece;
  return Buffer.concat([Buffer.from(before), Buffer.from(piece)]);
}

async function writePending(writer: ReportWriter): Promise<void> {
  const { pending, kept, report } = writer;
  writer.pending = "";
  await (kept ?? report).write(pending);
}

/** Writes what was not written yet and a piece that is still in the making, which is waited for when the next one is written. */
async function writeLater(writer: ReportWriter, piece: Promise<FilePiece>): Promise<void> {
  // Its error is told when it is written.
  piece.catch(() => {});
  if (writer.pending.length > 0) await writePending(writer);
  await (writer.kept ?? writer.report).write(piece);
}

async function caseWriter(
  db: Connection,
  planned: PlannedComparison,
  { row, failOn }: { row: FormatRow; failOn: FailOn },
): Promise<CaseWriter> {
  const { batch, batches, settings } = planned;
  if (row.kind === "table") {
    const { isNested, make } = tableFormatNamed(row.form);
    const table = (await caseTables[row.table].make())(tableFrame(db, planned, isNested));
    return tableWriter(table, (await make())(table.columns, csvOptions(batch.suite.csv)));
  }
  if (row.kind === "workbook") {
    const about = { isOfOneBatch: planned.isOwn };
    const { add, ...writer } = (await row.make())(tableFrame(db, planned), about);
    return { ...writer, start: "", add: ({ result, compared }) => add(result, compared) };
  }
  const reporter = (await row.make())(reportFrame(settings), failOn);
  return reportWriter(row.kind === "page" ? withAttempts(db, withLabels(db, batches, reporter)) : reporter);
}

function tableWriter({ linesOf }: TableOfCases, encoder: TableEncoder): CaseWriter {
  return {
    start: "",
    add({ result, compared }) {
      for (const line of linesOf(result, compared)) encoder.add(line);
      return encoder.isFull ? encoder.take() : "";
    },
    end: () => encoder.end(),
  };
}

function reportWriter({ wants, add, ...writer }: Reporter): CaseWriter {
  return { ...writer, add: (read) => (wants(read.glance()) ? add(read.row()) : "") };
}

/** Adds people's labels of each answer to the rows of a reporter; edited scores bear their own note. */
export function withLabels(db: Connection, batches: readonly { batchId: number }[], reporter: Reporter): Reporter {
  if (batches.every(({ batchId }) => countLabels(db, batchId) === 0)) return reporter;
  const labelsOf = labelsOfJob(db);
  const labelled = (row: ReportRow): ReportRow => ({
    ...row,
    sides: row.sides.map((side) => ({
      ...side,
      runs: side.runs.map((run) => {
        const labels = labelsOf(run.jobId)
          .filter(({ edits = false }) => !edits)
          .map(({ scorer, label, note, author, at }) => ({ scorer, label, note, author, at }));
        return labels.length === 0 ? run : { ...run, labels };
      }),
    })),
  });
  return { ...reporter, add: (row) => reporter.add(labelled(row)) };
}
