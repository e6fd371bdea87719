import type { Latency } from "../../../report/shape/model.ts";
import { decimal } from "../../../report/words/figures.ts";
import { durationShown } from "../parts/format.ts";
import type { TargetLook } from "../parts/target-colour.ts";
import { Plot } from "./plot.tsx";
import { useTargetNames } from "../parts/target-name.tsx";

/** Cumulative: the further left, the faster. */
export function LatencyChart(given: {
  timed: { name: string; latency: Latency }[];
  lookOf: (name: string) => TargetLook;
}) {
  const { timed, lookOf } = given;
  const nameOf = useTargetNames();
  const bounds = [...new Set(timed.flatMap(({ latency }) => latency.bounds))].toSorted((a, b) => a - b);
  const data: [number[], ...number[][]] = [
    bounds.map((bound) => bound / 1000),
    ...timed.map(({ latency }) => bounds.map((bound) => shareWithin(latency, bound))),
  ];
  const lines = timed.map(({ name }) => ({ name, look: lookOf(name) }));
  const label = timed
    .map(
      ({ name, latency }) =>
        `${nameOf(name)}: half of the answers within ${durationShown(latency.p50)}, 99 % within ${durationShown(latency.p99)}`,
    )
    .join("; ");
  return (
    <Plot
      label={label}
      data={data}
      lines={lines}
      xText={(value) => durationShown(value * 1000)}
      yText={(value) => `${decimal(value * 100, 0)} %`}
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
