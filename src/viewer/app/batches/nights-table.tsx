import { priceUnit } from "../../../report/words/quantity.ts";
import type { Night, SuiteHistory } from "../../../report/shape/history.ts";
import type { ReportMetric } from "../../../report/shape/model.ts";
import { range } from "../../../report/words/figures.ts";
import { nightSpeed } from "../../../report/model/speed-basis.ts";
import { reachOfIntervals } from "../parts/interval.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { Fragment } from "preact";
import { seriesTargets } from "../charts/series-scale.ts";
import { targetLooks } from "../parts/target-colour.ts";
import { TargetMark } from "../parts/target-mark.tsx";
import { NightLine } from "./night-line.tsx";
import type { SetTick } from "./ticks.ts";

interface NightsGiven {
  history: SuiteHistory;
  /** The nights that are shown, in their order. */
  nights: readonly Night[];
  ticks: readonly string[];
  setTick: SetTick;
}

/** A line for each night, with its differences drawn on one scale. */
export function NightsTable({ history, nights, ticks, setTick }: NightsGiven) {
  const metrics = [...history.metrics, ...history.olderMetrics];
  const lookOf = targetLooks(history.targets, seriesTargets(history.nights));
  const targets = distinct(history.nights.flatMap((night) => night.targets.map(({ target }) => target)));
  const candidates = distinct(history.nights.flatMap((night) => night.differences.map(({ candidate }) => candidate)));
  const hasCost = history.nights.some((night) => night.targets.some(({ cost }) => cost !== null));
  const metric = primaryOf(history, metrics);
  const speed = nightSpeed(history.metrics);
  const reach =
    metric === null
      ? null
      : reachOfIntervals(
          history.nights.flatMap(({ differences }) => differences),
          metric,
        );
  if (history.nights.length === 0) return null;
  return (
    <ScrollTable name="Nights of the suite" kind="nights">
      <thead>
        <tr>
          <th scope="col">Compare</th>
          <th scope="col">Night</th>
          <th scope="col">Verdict</th>
          {targets.map((name) => (
            <th scope="col" class="number" key={name}>
              <TargetMark look={lookOf(name)} />
              <bdi>{name}</bdi>
            </th>
          ))}
          {candidates.map((name) => (
            <th scope="col" key={name} class="difference">
              Difference{candidates.length > 1 && <bdi> of {name}</bdi>}
              {reach !== null && metric !== null && (
                <span class="quiet"> drawn from {range({ lower: reach.low, upper: reach.high }, metric)}</span>
              )}
            </th>
          ))}
          <Figures name="Newly failing" of={candidates} />
          <Figures name="Errors" of={targets} />
          <Figures name={speed.title} of={targets} />
          {hasCost && <Figures name="Cost per 1,000 runs" title={`Cost ${priceUnit}`} of={targets} />}
        </tr>
      </thead>
      <tbody>
        {nights.map((night) => (
          <NightLine
            key={night.batch}
            {...{ night, targets, candidates, metrics, reach, speed, hasCost, ticks, setTick }}
          />
        ))}
      </tbody>
    </ScrollTable>
  );
}

/** The head of a column of figures; those of several targets stand in one cell, in this order. */
function Figures({ name, title, of }: { name: string; title?: string; of: readonly string[] }) {
  return (
    <th scope="col" class="number" title={title}>
      {name}
      {of.length > 1 && (
        <span class="quiet of">
          {of.map((target, place) => (
            <Fragment key={target}>
              {place > 0 && " / "}
              <bdi>{target}</bdi>
            </Fragment>
          ))}
        </span>
      )}
    </th>
  );
}

/** The metric of the differences: the first of the latest night that has one. */
function primaryOf({ nights }: SuiteHistory, metrics: readonly ReportMetric[]): ReportMetric | null {
  const name = nights.findLast(({ differences }) => differences.length > 0)?.differences[0]?.metric;
  return metrics.find((metric) => metric.name === name) ?? null;
}

/** The orders in which nights are shown; the latest first where none of them is asked for. */
export const nightOrders: Record<string, { words: string; compare: (one: Night, other: Night) => number }> = {
  loss: { words: "largest loss first", compare: (one, other) => leastDifference(one) - leastDifference(other) },
  errors: { words: "most errors first", compare: (one, other) => failedRuns(other) - failedRuns(one) },
  cost: { words: "dearest first", compare: (one, other) => costOf(other) - costOf(one) },
};

const leastDifference = ({ differences }: Night): number =>
  Math.min(...differences.map((each) => each.difference ?? Number.POSITIVE_INFINITY), Number.MAX_VALUE);
const failedRuns = ({ targets }: Night): number => targets.reduce((sum, { failed }) => sum + failed, 0);
const costOf = ({ targets }: Night): number =>
  Math.max(0, ...targets.map(({ cost, runs }) => (cost ?? 0) / Math.max(1, runs)));

function distinct(names: readonly string[]): string[] {
  return Array.from(new Set(names));
}
