import { rowsOfGate } from "../../../report/doc/gate-table.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { capitalised, number } from "../../../report/say/quantity.ts";
import { nextWhy } from "../../../report/say/next.ts";
import type { RowsTo } from "../data/batch-address.ts";
import { gatesByGravity } from "./standing.ts";

/** The button below a verdict that leads to the rows by which the gate that says most is lost. */
interface WorseRows {
  words: string;
  to: RowsTo;
  /** Number of the rows, as the verdict and the line of the gate count them; null: those that people call bad. */
  rows: number | null;
}

/** The rows that the next step of a report is about, where these got worse; null: it is about others. */
export function worseRowsNext({ verdict, gates, metrics, next }: ReportSummary): WorseRows | null {
  if (verdict.word !== "regression" && verdict.word !== "worse") return null;
  const [gate] = gatesByGravity(gates);
  const metric = metrics.find(({ name }) => name === gate?.metric);
  if (gate === undefined || metric === undefined) return null;
  const rows = next?.step.kind === "look" ? next.step.rows : null;
  if (next !== null && rows === "bad-by-people") {
    const to = { target: gate.candidate, text: "labelled:bad", sort: "rank" } as const;
    return { words: capitalised(nextWhy(next)), to, rows: null };
  }
  if (rows !== "worse" || gate.worse === 0) return null;
  return {
    words: `Look at the ${gate.worse === 1 ? "row" : `${number(gate.worse)} rows`} that got worse`,
    to: { ...rowsOfGate(gate, metric), group: rowGroup.metric(metric.name, "worse") },
    rows: gate.worse,
  };
}
