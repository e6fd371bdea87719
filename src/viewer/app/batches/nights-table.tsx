import type { Night, NightTarget, SuiteHistory } from "../../../report/shape/history.ts";
import type { ReportMetric } from "../../../report/shape/model.ts";
import { difference, range, scoreFigure } from "../../../report/words/figures.ts";
import { nightVerdict } from "../../../report/words/night-words.ts";
import { price } from "../../../report/words/quantity.ts";
import { durationShown } from "../parts/format.ts";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { Ticked } from "../parts/ticked.tsx";

/** A line for each night, the latest first. */
export function NightsTable({ history }: { history: SuiteHistory }) {
  const { nights, metrics } = history;
  const targets = distinct(nights.flatMap((night) => night.targets.map(({ target }) => target)));
  const candidates = distinct(nights.flatMap((night) => night.differences.map(({ candidate }) => candidate)));
  const hasCost = nights.some((night) => night.targets.some(({ cost }) => cost !== null));
  if (nights.length === 0) return null;
  return (
    <ScrollTable name="Nights of the suite">
      <thead>
        <tr>
          <th scope="col">Night</th>
          <th scope="col">Verdict</th>
          {targets.map((name) => (
            <th scope="col" class="number" key={name}>
              <bdi>{name}</bdi>
            </th>
          ))}
          {candidates.map((name) => (
            <th scope="col" class="number" key={name}>
              Difference{candidates.length > 1 && <bdi> of {name}</bdi>}
            </th>
          ))}
          <th scope="col" class="number">
            Failed
          </th>
          <th scope="col" class="number">
            Latency
          </th>
          {hasCost && (
            <th scope="col" class="number">
              Cost
            </th>
          )}
          <th scope="col">What changed</th>
        </tr>
      </thead>
      <tbody>
        {nights.toReversed().map((night) => (
          <tr key={night.batch}>
            <th scope="row" class="night">
              <a href={`#${new URLSearchParams({ batch: night.batch }).toString()}`}>{night.label}</a>
            </th>
            <td>{nightVerdict(night)}</td>
            {targets.map((name) => (
              <td class="number" key={name}>
                {valueText(night, name, metrics)}
              </td>
            ))}
            {candidates.map((name) => (
              <td class="number" key={name}>
                {differenceText(night, name, metrics)}
              </td>
            ))}
            <td class="number">
              {figures(night, ({ failed, runs }) => (failed === 0 ? "0" : `${failed} of ${runs}`))}
            </td>
            <td class="number">{figures(night, ({ latencyMs }) => durationShown(latencyMs))}</td>
            {hasCost && <td class="number">{figures(night, ({ cost }) => (cost === null ? "–" : price(cost)))}</td>}
            <td dir="auto">
              <Changes night={night} />
            </td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

function Changes({ night: { noticed, changes, why } }: { night: Night }) {
  const also = [...changes, ...(why === null ? [] : [why])].join("; ");
  return (
    <>
      {noticed.map((sentence) => (
        <div class="cautions" key={sentence}>
          <span aria-hidden="true">◆ </span>
          <Ticked text={sentence} />
        </div>
      ))}
      {also}
    </>
  );
}

function valueText({ targets }: Night, name: string, metrics: readonly ReportMetric[]): string {
  const found = targets.find(({ target }) => target === name);
  const metric = metrics.find((each) => each.name === found?.metric);
  if (found === undefined || found.value === null) return "–";
  return metric === undefined ? String(found.value) : scoreFigure(found.value, metric);
}

function differenceText({ differences }: Night, name: string, metrics: readonly ReportMetric[]): string {
  const found = differences.find(({ candidate }) => candidate === name);
  const metric = metrics.find((each) => each.name === found?.metric);
  if (found === undefined || found.difference === null || metric === undefined) return "–";
  const between = found.interval === null ? "" : ` (${range(found.interval, metric)})`;
  return `${difference(found.difference, metric, false)}${between}`;
}

/** A figure of each target, or one for all where they are the same. */
function figures({ targets }: Night, figure: (target: NightTarget) => string): string {
  const all = targets.map(figure);
  return new Set(all).size <= 1 ? (all[0] ?? "–") : all.join(" / ");
}

function distinct(names: readonly string[]): string[] {
  return Array.from(new Set(names));
}
