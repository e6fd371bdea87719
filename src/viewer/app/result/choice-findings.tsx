import { findingsTables, type FindingsTable } from "../../../report/doc/choice-findings-tables.ts";
import { counted } from "../../../report/say/quantity.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { DocTableView } from "../parts/doc.tsx";
import { RowsLink } from "../parts/rows-link.tsx";
import { StrengthTable } from "./slice-table.tsx";

interface Props {
  summary: ReportSummary;
  setAddress: SetAddress;
}

/** Where configurations are good, what a matrix does, and folded below them the cases that are worth a look. */
export function ChoiceFindings({ summary, setAddress }: Props) {
  const tables = findingsTables(summary);
  if (tables.length === 0) return null;
  const hasStrengths = summary.choice?.slices !== undefined;
  const open = tables.filter(({ isBeside }) => !isBeside).slice(hasStrengths ? 1 : 0);
  return (
    <>
      {hasStrengths && <StrengthTable summary={summary} setAddress={setAddress} />}
      {open.map((found) => (
        <section key={found.table.name} class="findings" aria-label={found.table.name}>
          <h2>{found.table.name}</h2>
          <FindingsView {...{ found, summary, setAddress }} />
        </section>
      ))}
      {tables
        .filter(({ isBeside }) => isBeside)
        .map((found) => (
          <details key={found.table.name} class="findings">
            <summary>{found.table.name}</summary>
            <FindingsView {...{ found, summary, setAddress }} />
          </details>
        ))}
    </>
  );
}

function FindingsView({ found: { table, about, all }, ...place }: Props & { found: FindingsTable }) {
  return (
    <>
      <DocTableView table={table} {...place} />
      {about !== "" && <p class="quiet">{about}</p>}
      {all !== undefined && (
        <RowsLink to={all.to} setAddress={place.setAddress}>
          All {counted(all.cases, "row")}
        </RowsLink>
      )}
    </>
  );
}
