import type { ReportRow } from "../../../report/shape/model.ts";
import { Facts } from "./facts.tsx";

/** Cells of the dataset that were not asked. */
export function Columns({ row }: { row: ReportRow }) {
  const cells = Object.entries(row.columns).filter(([, cell]) => cell !== "");
  if (cells.length === 0) return null;
  return (
    <section>
      <h3>Other columns of the row</h3>
      <Facts facts={cells} />
    </section>
  );
}
