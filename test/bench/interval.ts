import { randomStream } from "../../src/lib/random.ts";
import { bcaOfMean } from "../../src/stats/resampling/bootstrap.ts";
import { clusterTotals } from "../../src/stats/clusters.ts";
import type { Bench } from "./bench.ts";
import { type Figure, figure } from "./figure.ts";
import { median } from "./measure.ts";

const pairs = 1_000_000;

/** A bootstrap interval of the mean difference, over independent pairs of which a tenth changed sides. */
export function interval(bench: Bench): Figure[] {
  bench.note("interval of 10,000 resamples");
  const random = randomStream("interval");
  const differences = Float64Array.from({ length: pairs }, () => {
    const draw = random.next();
    return draw < 0.06 ? 1 : draw < 0.1 ? -1 : 0;
  });
  const laps = Array.from({ length: bench.laps }, (_, lap) => {
    const start = performance.now();
    bcaOfMean(clusterTotals(differences, null), { level: 0.95, seed: `${lap}` });
    return (performance.now() - start) / 1000;
  });
  const name = "interval of 10,000 resamples at 1,000,000 pairs";
  return [figure({ name, reach: 2, aim: 0.5, unit: " s", digits: 2 }, median(laps))];
}
