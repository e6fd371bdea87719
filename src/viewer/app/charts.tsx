import type { ReportMetric, ReportSummary } from "../../report/model.ts";
import type { SetAddress } from "./app.tsx";
import { decimal, difference, pValue, score } from "../../report/figures.ts";
import { count, duration } from "./format.ts";
import { LatencyChart, PastChart } from "./plots.tsx";

/** Figures over every row of the batch, drawn. Each picture has its figures beside it as text. */
export function Charts(given: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = given;
  return (
    <div class="charts">
      <ScoresByTarget summary={summary} />
      <LatencyFigures summary={summary} />
      <Slices summary={summary} candidate={candidate} setAddress={setAddress} />
      <Past summary={summary} />
    </div>
  );
}

function ScoresByTarget({ summary }: { summary: ReportSummary }) {
  const { metrics, targets } = summary;
  if (metrics.length === 0) return null;
  return (
    <section class="chart">
      <h2>Scores by target</h2>
      <p class="quiet">The mean, or the pass rate, with its 95 % interval, over all rows.</p>
      {metrics.map((metric, index) => (
        <div key={metric.name} class="metric">
          <h3>
            <bdi>{metric.name}</bdi> {metric.lowerIsBetter && <span class="note">lower is better</span>}
          </h3>
          {targets.map((target) => (
            <ScoreLine key={target.name} name={target.name} metric={metric} summary={summary} place={index} />
          ))}
        </div>
      ))}
    </section>
  );
}

function ScoreLine(given: { name: string; metric: ReportMetric; summary: ReportSummary; place: number }) {
  const { name, metric, summary, place } = given;
  const own = summary.targets.find((target) => target.name === name)?.scores[place];
  const at = scaleOf(
    summary.targets.flatMap(({ scores }) => {
      const one = scores[place];
      return one === null || one === undefined ? [] : [one.value, one.interval?.lower, one.interval?.upper];
    }),
    metric,
  );
  const value = own?.value ?? null;
  const interval = own?.interval ?? null;
  return (
    <div class="line">
      <span class="label">
        <bdi>{name}</bdi>
      </span>
      <svg
        width="100%"
        height="22"
        aria-hidden="true"
        class={name === summary.baseline ? "of-baseline" : "of-candidate"}
      >
        <line class="rail" x1="0" x2="100%" y1="11" y2="11" />
        {interval !== null && <line class="reach" x1={at(interval.lower)} x2={at(interval.upper)} y1="11" y2="11" />}
        {value !== null && <circle class="middle" cx={at(value)} cy="11" r="5" />}
      </svg>
      <span class="figure">
        {score(value, metric)}
        {interval !== null && (
          <span class="quiet">
            {" "}
            {score(interval.lower, metric)} to {score(interval.upper, metric)}
          </span>
        )}
        {own !== null && own !== undefined && own.unscored > 0 && (
          <span class="quiet"> {count(own.unscored)} unscored</span>
        )}
      </span>
    </div>
  );
}

/** Rates on a scale of their own whole range; others around what there is. */
function scaleOf(values: (number | null | undefined)[], metric: ReportMetric): (value: number) => string {
  const known = values.filter((value) => value !== null && value !== undefined);
  const [low, high] = metric.passes ? [0, 1] : [Math.min(...known), Math.max(...known)];
  const room = metric.passes ? 0 : (high - low || 1) * 0.15;
  return (value) => `${(((value - low + room) / (high - low + 2 * room || 1)) * 98 + 1).toFixed(2)}%`;
}

function LatencyFigures({ summary }: { summary: ReportSummary }) {
  const timed = summary.targets.flatMap(({ name, latency }) => (latency === null ? [] : [{ name, latency }]));
  if (timed.length === 0) return null;
  return (
    <section class="chart">
      <h2>How long answers take</h2>
      <p class="quiet">Share of the answers that were there within so many seconds.</p>
      <LatencyChart timed={timed} baseline={summary.baseline} />
      <table class="small">
        <thead>
          <tr>
            <th scope="col">Target</th>
            <th scope="col" class="number">
              Median
            </th>
            <th scope="col" class="number">
              90 %
            </th>
            <th scope="col" class="number">
              99 %
            </th>
            <th scope="col" class="number">
              Slowest
            </th>
          </tr>
        </thead>
        <tbody>
          {timed.map(({ name, latency }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td class="number">{duration(latency.p50)}</td>
              <td class="number">{duration(latency.p90)}</td>
              <td class="number">{duration(latency.p99)}</td>
              <td class="number">{duration(latency.max)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Slices(given: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = given;
  const slices = summary.slices.filter((slice) => slice.candidate === summary.candidates[candidate]);
  if (slices.length === 0) return null;
  const groups = new Map<string, typeof slices>();
  for (const slice of slices) {
    const name = `${slice.metric} by ${slice.tag}`;
    groups.set(name, [...(groups.get(name) ?? []), slice]);
  }
  return (
    <section class="chart wide">
      <h2>Where it differs</h2>
      <p class="quiet">
        Difference to the baseline in the rows with one value of a tag; right is better. p is adjusted for their number.
      </p>
      {Array.from(groups, ([name, group]) => (
        <SliceGroup key={name} name={name} group={group} summary={summary} setAddress={setAddress} />
      ))}
    </section>
  );
}

function SliceGroup(given: {
  name: string;
  group: ReportSummary["slices"];
  summary: ReportSummary;
  setAddress: SetAddress;
}) {
  const { name, group, summary, setAddress } = given;
  const metric = summary.metrics.find((each) => each.name === group[0]?.metric);
  if (metric === undefined) return null;
  const reach = Math.max(
    1e-9,
    ...group.flatMap(({ difference: middle, interval }) =>
      [middle, interval?.lower, interval?.upper].map((value) => Math.abs(value ?? 0)),
    ),
  );
  const at = (value: number): string => `${(50 + (value / reach) * 48).toFixed(2)}%`;
  const sorted = group.toSorted((a, b) => (a.difference ?? 0) - (b.difference ?? 0));
  return (
    <div class="metric">
      <h3>
        <bdi>{name}</bdi>
      </h3>
      {sorted.map(({ tag, value, cases, difference: middle, interval, p }) => (
        <div class="line" key={value}>
          <span class="label">
            <button
              type="button"
              class="link"
              dir="auto"
              onClick={() => setAddress({ view: "rows", tag: { name: tag, value } })}
            >
              {value === "" ? "(empty)" : value}
            </button>{" "}
            <span class="quiet">{count(cases)}</span>
          </span>
          <svg
            width="100%"
            height="22"
            aria-hidden="true"
            class={middle !== null && middle < 0 ? "of-worse" : "of-better"}
          >
            <line class="rail" x1="0" x2="100%" y1="11" y2="11" />
            <line class="zero" x1="50%" x2="50%" y1="2" y2="20" />
            {interval !== null && (
              <line class="reach" x1={at(interval.lower)} x2={at(interval.upper)} y1="11" y2="11" />
            )}
            {middle !== null && <circle class="middle" cx={at(middle)} cy="11" r="5" />}
          </svg>
          <span class="figure">
            {difference(middle, metric)} <span class="quiet">p {pValue(p)}</span>
          </span>
        </div>
      ))}
    </div>
  );
}

function Past({ summary }: { summary: ReportSummary }) {
  const { past, metrics } = summary;
  const metric = metrics[0];
  if (past.length < 2 || metric === undefined) return null;
  const names = [...new Set(past.flatMap(({ scores }) => Object.keys(scores)))];
  return (
    <section class="chart wide">
      <h2>
        <bdi>{metric.name}</bdi> over past batches
      </h2>
      <PastChart past={past} metric={metric} names={names} baseline={summary.baseline} />
      <details>
        <summary>The figures</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label="Past batches">
          <table class="small">
            <thead>
              <tr>
                <th scope="col">Batch</th>
                {names.map((name) => (
                  <th scope="col" class="number" key={name}>
                    <bdi>{name}</bdi>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {past.map(({ batch, scores }) => (
                <tr key={batch}>
                  <th scope="row">{batch}</th>
                  {names.map((name) => (
                    <td class="number" key={name}>
                      {score(scores[name]?.[metric.name]?.value ?? null, metric)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

/** For axes: no more digits than the step needs. */
export function axisNumber(value: number, metric: ReportMetric): string {
  return metric.passes ? `${decimal(value * 100, 0)} %` : decimal(value, Math.abs(value) < 10 ? 1 : 0);
}
