import { randomStream, type RandomStream } from "../../../src/lib/random.ts";
import { quantile } from "../../../src/stats/quantile.ts";
import type { SeriesPoint } from "../../../src/stats/change-evidence.ts";
import { watchSeries } from "../../../src/stats/watch-series.ts";
import { gauss } from "./draws.ts";
import type { Pace, Simulated } from "./simulation.ts";

const yearNights = 365;
/** One false alarm in a year, over all series that are watched. */
const promised = 1;

/** Nights of a series in which nothing changes, until it is told to. */
interface Stable {
  name: string;
  /** Series that are watched together. */
  series: number;
  draw: (random: RandomStream) => (shift: number) => SeriesPoint;
  /** Reason why more alarms are given than promised; left out: they are not. */
  named?: string;
}

const independent: Stable = {
  name: "independent normal nights",
  series: 1,
  draw: (random) => (shift) => ({ value: gauss(random) + shift, step: 0 }),
};

/** Each night is like the one before by this correlation. */
function alike(correlation: number): Stable {
  return {
    name: `nights alike by ${correlation} (autocorrelation)`,
    series: 1,
    named: "each night is taken for independent of the one before",
    draw: (random) => {
      let state = gauss(random);
      return (shift) => {
        state = correlation * state + Math.sqrt(1 - correlation ** 2) * gauss(random);
        return { value: state + shift, step: 0 };
      };
    },
  };
}

function passRate(chance: number, cases: number): Stable {
  return {
    name: `a pass rate of ${chance * 100} % of ${cases} cases`,
    series: 1,
    draw: (random) => () => {
      let passes = 0;
      for (let index = 0; index < cases; index++) if (random.next() < chance) passes += 1;
      return { value: passes / cases, step: 1 / cases };
    },
  };
}

const farOff: Stable = {
  name: "one night in twenty is three times as far off as others",
  series: 1,
  named: "a night that is far off is a change, if only of one night",
  draw: (random) => (shift) => ({ value: gauss(random) * (random.next() < 0.05 ? 3 : 1) + shift, step: 0 }),
};

const family: Stable = { ...independent, name: "eight series, each watched for 8 x 365 nights", series: 8 };

/** Alarms in years in which nothing changes, and nights until a step is noticed. */
export function nights({ note, quick }: Pace): Simulated {
  const years = quick ? 50 : 1_000;
  const stable = [independent, alike(0.3), passRate(0.98, 100), passRate(0.7, 100), farOff, family].map((each) => {
    note(`stable nights: ${each.name}`);
    return alarmsLine(each, Math.ceil(years / each.series));
  });
  const steps = [independent, family].flatMap((each) =>
    [20, 60].flatMap((before) =>
      [1, 2].map((shift) => {
        note(`a step of ${shift} sd after ${before} nights: ${each.name}`);
        return stepLine(each, { before, shift, times: years });
      }),
    ),
  );
  const table = [
    "| 365 stable nights | simulated years | alarms a year | years without an alarm | as promised |",
    "| --- | --- | --- | --- | --- |",
    ...stable.map(({ line }) => line),
    "",
    "| a step after stable nights | of | noticed within 100 nights | nights until then: half of them, 90 % | false alarm before | the range of the date holds the night |",
    "| --- | --- | --- | --- | --- | --- |",
    ...steps,
  ];
  return { table: table.join("\n"), kept: stable.every(({ kept }) => kept) };
}

function alarmsLine(stable: Stable, years: number): { line: string; kept: boolean } {
  const random = randomStream(`nights/${stable.name}`);
  const counts = Array.from({ length: years }, () => {
    const series = Array.from({ length: stable.series }, () => {
      const next = stable.draw(random);
      const points = Array.from({ length: yearNights }, () => next(0));
      return watchSeries(points, { nights: yearNights * stable.series }).alarms.length;
    });
    return series.reduce((sum, count) => sum + count, 0);
  });
  const mean = counts.reduce((sum, count) => sum + count, 0) / years;
  const deviation = Math.sqrt(counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / years);
  const quiet = counts.filter((count) => count === 0).length / years;
  const chance = (1.96 * deviation) / Math.sqrt(years);
  const kept = mean - chance <= promised;
  const said = kept ? "yes" : stable.named === undefined ? "**no**" : `named: ${stable.named}`;
  const cells = [stable.name, String(years), `${mean.toFixed(2)} ± ${chance.toFixed(2)}`, percent(quiet), said];
  return { line: `| ${cells.join(" | ")} |`, kept: kept || stable.named !== undefined };
}

function stepLine(stable: Stable, { before, shift, times }: { before: number; shift: number; times: number }): string {
  const random = randomStream(`step/${stable.name}/${before}/${shift}`);
  const found: number[] = [];
  let [early, held] = [0, 0];
  for (let time = 0; time < times; time++) {
    const next = stable.draw(random);
    const points = Array.from({ length: before + 100 }, (_, night) => next(night < before ? 0 : shift));
    const { alarms } = watchSeries(points, { nights: yearNights * stable.series });
    early += Number(alarms.some(({ noticed }) => noticed < before));
    const alarm = alarms.find(({ noticed }) => noticed >= before);
    if (alarm === undefined) continue;
    found.push(alarm.noticed - before + 1);
    held += Number(alarm.earliest <= before && alarm.latest >= before);
  }
  const sorted = found.toSorted((a, b) => a - b);
  const cells = [
    `${shift} sd after ${before} nights`,
    stable.series === 1 ? "one series" : "one of eight series",
    percent(found.length / times),
    `${quantile(sorted, 0.5)?.toFixed(0) ?? "-"}, ${quantile(sorted, 0.9)?.toFixed(0) ?? "-"}`,
    percent(early / times),
    percent(held / Math.max(1, found.length)),
  ];
  return `| ${cells.join(" | ")} |`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
