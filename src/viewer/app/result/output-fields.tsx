import type { ReportSummary } from "../../../report/shape/model.ts";
import { pValue } from "../../../report/words/figures.ts";
import { number } from "../../../report/words/quantity.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import type { SetAddress } from "../data/address.ts";
import { AndMore } from "../parts/and-more.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { RowsLink } from "../rows/rows-link.tsx";

const most = 8;

/** Output fields that differ from the baseline, and the number of cases in which they do. */
export function OutputFields(props: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = props;
  const target = summary.candidates[candidate] ?? null;
  const members = summary.members.filter((each) => each.candidate === target);
  if (members.length === 0) return null;
  // If the baseline was asked only once, its own variation is not known.
  const isMeasured = members.some(({ noise, p }) => noise !== null || p !== null);
  return (
    <details>
      <summary>Output fields that changed ({number(members.length)})</summary>
      <ScrollTable name="Output fields that changed">
        <thead>
          <tr>
            <th scope="col">Output field</th>
            <th scope="col" class="number">
              Cases
            </th>
            {isMeasured && (
              <>
                <th scope="col" class="number" title="Cases in which the baseline differs from itself">
                  Baseline by itself
                </th>
                <th scope="col" class="number" title="Adjusted for the number of fields">
                  p
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {members.slice(0, most).map(({ path, about, cases, of, noise, p }) => (
            <tr key={`${path} ${about}`}>
              <th scope="row">
                <code>{path}</code> <span class="quiet">{about}</span>
              </th>
              <td class="number">
                <RowsLink to={{ target, group: rowGroup.field(path), sort: "rank" }} setAddress={setAddress}>
                  {number(cases)}
                </RowsLink>{" "}
                of {number(of)}
              </td>
              {isMeasured && (
                <>
                  <td class="number">{noise === null ? "–" : number(noise)}</td>
                  <td class="number">{pValue(p)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      <AndMore all={members.length} shown={most} where=": see the rows whose output fields differ" />
    </details>
  );
}
