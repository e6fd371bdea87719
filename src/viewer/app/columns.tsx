import type { ReportRow } from "../../report/model.ts";

/** Cells of the dataset that were not asked. */
export function Columns({ row }: { row: ReportRow }) {
  const cells = Object.entries(row.columns).filter(([, cell]) => cell !== "");
  if (cells.length === 0) return null;
  return (
    <section>
      <h3>Other columns of the row</h3>
      <dl class="facts-list">
        {cells.map(([name, cell]) => (
          <div key={name}>
            <dt dir="auto">{name}</dt>
            <dd class="text" dir="auto">
              {cell}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
