import type { ReportSummary } from "../../../report/shape/model.ts";
import { pValue } from "../../../report/words/figures.ts";
import { number } from "../../../report/words/quantity.ts";
import { ScrollTable } from "../parts/scroll-table.tsx";

const most = 8;

/** Output fields that differ from the baseline, and the number of cases in which they do. */
export function OutputFields({ summary, candidate }: { summary: ReportSummary; candidate: number }) {
  const members = summary.members.filter((each) => each.candidate === summary.candidates[candidate]);
  if (members.length === 0) return null;
  // If the baseline was asked only once, its own variation is not known.
  const isMeasured = members.some(({ noise, p }) => noise !== null || p !== null);
  return (
    <section aria-labelledby="members">
      <h2 id="members">Output fields that changed</h2>
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
                <th scope="col" class="number" title="Adjusted for the number of members">
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
                {number(cases)} of {number(of)}
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
      {members.length > most && (
        <p class="quiet more">and {number(members.length - most)} more: see the rows whose members differ.</p>
      )}
    </section>
  );
}
