import type { ReportGate, ReportMetric } from "../shape/model.ts";

/** Words and figures of one kind of gate, wherever it is shown. */
export interface KindWords {
  /** The bound or the count that decides, beside the limit; null where nothing decides by one. */
  bound: (gate: ReportGate, metric: ReportMetric) => string | null;
  /** Behind its name in a table: ` (limit 5 points)`. */
  limit: (gate: ReportGate, metric: ReportMetric) => string;
  /** The count that it decides by, and of cases that newly fail their number; null: a picture of its interval tells more. */
  failing: (gate: ReportGate) => { cases: number | null; words: string } | null;
}
