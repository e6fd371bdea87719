import type { Latency, PastBatch, ReportMetric } from "../../../report/shape/model.ts";
import { decimal, scoreFigure } from "../../../report/words/figures.ts";
import { durationShown } from "../parts/format.ts";
import type { TargetLook } from "../parts/target-colour.ts";
import { type Mark, Plot } from "./plot.tsx";

/** Cumulative: the further left, the faster. */
export function LatencyChart(given: {
  timed: { name: string; latency: Latency }[];
  lookOf: (name: string) => TargetLook;
}) {
  const { timed, lookOf } = given;
  const bounds = [...new Set(timed.flatMap(({ latency }) => latency.bounds))].toSorted((a, b) => a - b);
  const data = [
    bounds.map((bound) => bound / 1000),
    ...timed.map(({ latency }) => bounds.map((bound) => shareWithin(latency, bound))),
  ];
  const lines = timed.map(({ name }) => ({ name, look: lookOf(name) }));
  const label = timed
    .map(
      ({ name, latency }) =>
        `${name}: half of the answers within ${durationShown(latency.p50)}, 99 % within ${durationShown(latency.p99)}`,
    )
    .join("; ");
  return (
    <Plot
      label={label}
      data={data}
      lines={lines}
      xText={(value) => durationShown(value * 1000)}
      yText={(value) => `${decimal(value * 100, 0)} %`}
      isTime={false}
    />
  );
}

function shareWithin({ bounds, counts }: Latency, bound: number): number {
  let [within, all] = [0, 0];
  for (const [index, count] of counts.entries()) {
    all += count;
    if ((bounds[index + 1] ?? Infinity) <= bound) within += count;
  }
  return all === 0 ? 0 : within / all;
}

/** A line for each target, and the band of its intervals. */
export function PastChart(given: {
  past: PastBatch[];
  metric: ReportMetric;
  names: string[];
  lookOf: (name: string) => TargetLook;
}) {
  const { past, metric, names, lookOf } = given;
  const of = (name: string) => past.map(({ scores }) => scores[name]?.[metric.name]);
  const values = names.map((name) => of(name).map((own) => own?.value ?? null));
  // Undefined is left out of a line, which null would break.
  const inLine = <Value,>(all: readonly Value[]) => all.map((value, at) => (past[at]?.otherCases ? undefined : value));
  const beside = values.map((all) => all.map((value, at) => (past[at]?.otherCases ? value : null)));
  const label = names
    .map(
      (name, index) =>
        `${name}: ${(values[index] ?? []).map((value, at) => `${scoreFigure(value, metric)}${past[at]?.otherCases ? " (other cases)" : ""}`).join(", ")}`,
    )
    .join("; ");
  return (
    <Plot
      label={[`${metric.name} over past batches. ${label}`, ...past.flatMap(({ noticed }) => noticed)].join(". ")}
      marks={past.flatMap(({ at, changes, noticed }): Mark[] => {
        if (noticed.length > 0) return [{ at: at / 1000, kind: "alarm" }];
        return changes.length > 0 ? [{ at: at / 1000, kind: "change" }] : [];
      })}
      data={[past.map(({ at }) => at / 1000), ...values.map(inLine)]}
      beside={beside}
      bands={names.map((name) => ({
        lower: inLine(of(name).map((own) => own?.interval?.lower ?? null)),
        upper: inLine(of(name).map((own) => own?.interval?.upper ?? null)),
      }))}
      lines={names.map((name) => ({ name, look: lookOf(name) }))}
      xText={null}
      yText={(value) => axisNumber(value, metric)}
      isTime
    />
  );
}

/** Formats a number at an axis, with no more digits than the step needs. */
function axisNumber(value: number, metric: ReportMetric): string {
  if (metric.passes) return `${decimal(value * 100, 0)} %`;
  const size = Math.abs(value);
  const text = decimal(value, size >= 10 || value === 0 ? 0 : size >= 1 ? 1 : 3);
  return metric.unit === null ? text : `${text} ${metric.unit}`;
}
