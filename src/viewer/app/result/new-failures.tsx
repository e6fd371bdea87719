import { failureTable } from "../../../report/doc/failure-tables.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import type { NewFailures, ReportSummary } from "../../../report/shape/model.ts";
import { groupCondition } from "../../../report/query/query-edit.ts";
import { longestQuery } from "../../../report/query/query-text.ts";
import { fit } from "../../../report/text/width.ts";
import { number } from "../../../report/say/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { DocTableView } from "../parts/doc.tsx";
import { RowsLink } from "../parts/rows-link.tsx";

interface Props {
  summary: ReportSummary;
  candidate: number;
  setAddress: SetAddress;
}

/** Newly failing rows by what the candidate says in them: folded, the largest group in its head. */
export function NewFailuresView({ summary, candidate, setAddress }: Props) {
  const name = summary.candidates[candidate] ?? "";
  const failures = summary.newFailures?.find((each) => each.candidate === name);
  const table = failureTable(summary, name);
  if (failures === undefined || table.rows.length === 0) return null;
  return (
    <details class="new-failures">
      <summary>
        <Head failures={failures} />
      </summary>
      <h3>{table.name}</h3>
      <DocTableView table={table} {...{ summary, setAddress }} />
      <Others failures={failures} setAddress={setAddress} />
    </details>
  );
}

/** Columns of the answer that the head shows. */
const mostOfAnswer = 72;

/** `What the 30 newly failing rows are answered: 11 × Thank you for asking. I could not …, and 4 more groups` */
function Head({ failures: { said } }: { failures: NewFailures }) {
  const [largest] = said;
  if (largest === undefined) return null;
  const more = said.length - 1;
  return (
    <>
      What newly failing rows are answered: {number(largest.rows)} × “<bdi>{fit(largest.words, mostOfAnswer)}</bdi>”
      {more > 0 && `, and ${number(more)} more ${more === 1 ? "group" : "groups"}`}
    </>
  );
}

/** Newly failing rows that are in no group that is shown: how many there are, and how they are found. */
function Others({ failures, setAddress }: { failures: NewFailures; setAddress: SetAddress }) {
  const { said, rows, candidate } = failures;
  const others = rows - said.reduce((sum, group) => sum + group.rows, 0);
  if (others === 0) return null;
  const failing = { target: candidate, group: rowGroup.flip("pass-to-fail"), sort: "rank" } as const;
  const text = said.map(({ words }) => `-${groupCondition(rowGroup.said(candidate, words))}`).join(" ");
  // Very long answers leave no room for a query that has them all.
  const isTold = text.length < longestQuery - 100;
  return (
    <p class="quiet more">
      {others === 1 ? "The other one is" : `The other ${number(others)} are`} answered in other words:{" "}
      <RowsLink to={isTold ? { ...failing, text } : failing} setAddress={setAddress}>
        {isTold ? (others === 1 ? "see it" : "see them") : `see all ${number(rows)} newly failing rows`}
      </RowsLink>
    </p>
  );
}
