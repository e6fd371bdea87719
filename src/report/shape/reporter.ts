import type { ReportMetric, ReportRow, ReportSummary } from "./model.ts";

/** The facts known about a report before its first row. */
export interface ReportFrame {
  /** Names, in the order of the sides of a row. */
  targets: readonly string[];
  /** Pairs in the order of the changes of a row. */
  pairs: Pick<ReportSummary["pairs"][number], "baseline" | "candidate">[];
  /** Metrics in the order of the scores of a row. */
  metrics: readonly ReportMetric[];
}

/** The frame of the rows of a summary. */
export function frameOf({
  targets,
  pairs,
  metrics,
}: Pick<ReportSummary, "targets" | "pairs" | "metrics">): ReportFrame {
  return { targets: targets.map(({ name }) => name), pairs, metrics };
}

/** The facts known about a row before it is made. */
export interface RowSummary {
  /** True when nothing in it asks to be looked at. */
  isCalm: boolean;
  /** Rank of the change that a person should look at first. */
  rank: number;
}

/**
 * A format of the report as it is made: its start, text for each row in the order of the rows, and text for the
 * summary, which is known only after the last of them. The memory it uses for rows is bounded.
 */
export interface Reporter {
  start: string;
  /** True when it has a use for this row: rows need not be made for nothing. */
  wants: (glance: RowSummary) => boolean;
  /** May be empty. A promise: the rows after it may be made meanwhile. */
  add: (row: ReportRow) => string | Promise<string>;
  end: (summary: ReportSummary) => string;
  /** Text after the end, in pieces that are made one by one as they are written. */
  rest?: () => Iterable<string>;
  /**
   * Text that goes before everything else although it is known only at the end; the rest is kept in a file until then.
   */
  head?: (summary: ReportSummary) => string;
  /** Turns each piece that was kept into what the summary makes of it. */
  settle?: (summary: ReportSummary) => (piece: string | Uint8Array) => string | Uint8Array;
}

/** The metric by which a case passes or fails: the primary one, or else the first that says so; -1 where none does. */
export function passPlaceOf(metrics: readonly ReportMetric[]): number {
  const primary = metrics.findIndex((metric) => metric.primary && metric.passes);
  return primary === -1 ? metrics.findIndex(({ passes }) => passes) : primary;
}
