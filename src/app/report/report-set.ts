import { AppError, type FailOn } from "../../errors.ts";
import type { ReportSummary } from "../../report/shape/model.ts";
import type { Connection } from "../../store/connection.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import {
  addToReport,
  discardReport,
  finishReport,
  openReportWriter,
  type ReadCase,
  type ReportWriter,
  type WantedReport,
} from "./report-writer.ts";

/** A report that could not be written: a full disk, say. */
export interface UnwrittenReport {
  path: string;
  error: AppError;
}

/** The reports that are written together. One that cannot be written is given up; the others and the verdict go on. */
export class ReportSet {
  readonly unwritten: UnwrittenReport[] = [];
  readonly #open = new Map<ReportWriter, string>();
  readonly #failOn: FailOn;

  /** `failOn`: words that are a failure too. */
  constructor(failOn: FailOn) {
    this.#failOn = failOn;
  }

  /** Opens a report and writes its start. Throws USAGE for a format that does not exist. */
  async open(db: Connection, planned: PlannedComparison, wanted: WantedReport): Promise<void> {
    try {
      this.#open.set(await openReportWriter(db, planned, wanted, this.#failOn), wanted.path);
    } catch (error) {
      this.#note(wanted.path, error);
    }
  }

  /** Adds a case to each; a promise only where something is written. */
  add(read: ReadCase): Promise<unknown> | null {
    let writing: Promise<void>[] | null = null;
    for (const report of this.#open.keys()) {
      const written = addToReport(report, read);
      if (written !== null) (writing ??= []).push(this.#orGivenUp(report, written));
    }
    return writing === null ? null : Promise.all(writing);
  }

  /** Writes the ends, and puts the reports in their places. */
  async finish(model: ReportSummary): Promise<void> {
    for (const report of this.#open.keys()) await this.#orGivenUp(report, finishReport(report, model));
  }

  /** Takes back what was written of all. */
  async discard(): Promise<void> {
    for (const report of this.#open.keys()) await discardReport(report);
  }

  async #orGivenUp(report: ReportWriter, written: Promise<void>): Promise<void> {
    try {
      await written;
    } catch (error) {
      const path = this.#open.get(report);
      this.#open.delete(report);
      if (path !== undefined) this.#note(path, error);
      await discardReport(report);
    }
  }

  #note(path: string, error: unknown): void {
    const isOfReport = error instanceof AppError && ["OUTPUT_UNWRITABLE", "REPORT_UNWRITTEN"].includes(error.code);
    if (!isOfReport) throw error;
    this.unwritten.push({ path, error });
  }
}
