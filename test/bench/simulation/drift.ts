import { randomStream, type RandomStream } from "../../../src/lib/random.ts";
import { anchorCharts, noiseLimit, ownNoise, referenceNights } from "../../../src/stats/judged/anchor-charts.ts";
import { driftThreshold } from "../../../src/stats/judged/drift.ts";
import { quantile } from "../../../src/stats/quantile.ts";
import type { Pace, Simulated } from "./simulation.ts";

const yearNights = 365;

interface Noisy {
  /** Anchors that it passes, and as many that it fails. */
  anchors: number;
  /** Share of its verdicts that are flips by chance; all of them on a fifth of the anchors. */
  noise: number;
}

const judges: readonly Noisy[] = [60, 30].flatMap((anchors) => [0.01, 0.03, 0.08].map((noise) => ({ anchors, noise })));

/** False alarms of a chart in a year, and the nights until a change of 10 % and of 5 % is found in half of the cases. */
const promises = new Map([
  ["60 0.01", { ten: 1, five: 4 }],
  ["30 0.01", { ten: 2, five: 4 }],
  ["60 0.03", { ten: 4, five: 9 }],
  ["30 0.03", { ten: 4, five: 9 }],
]);
const mostFalse = 0.05;
/** An anchor whose verdicts are nearly by lot has no usual one: nothing is found by flips then, and nothing is an alarm. */
const named = "above 5 % of noise flips are no alarm";

/** Nights that are watched before a change. */
const stableNights = 30;

/** Verdicts of a judge on its anchors, night after night; a share of those that it fails it passes when it has been stable for a while. */
function verdicts(
  { anchors, noise }: Noisy,
  { nights, share }: { nights: number; share: number },
  random: RandomStream,
) {
  const usual = Array.from({ length: 2 * anchors }, (_, place) => (place < anchors ? 0 : 1));
  const flips = usual.map((_, place) => (place % 5 === 0 ? Math.min(0.5, 5 * noise) : 0));
  const drifted = Math.round(share * anchors);
  // Those that contradict themselves are drawn as any others.
  const changed = new Set(
    usual
      .flatMap((value, place) => (value === 0 ? [{ place, rank: random.next() }] : []))
      .toSorted((one, other) => one.rank - other.rank)
      .slice(0, drifted)
      .map(({ place }) => place),
  );
  return {
    frozen: usual,
    range: null,
    nights: Array.from({ length: nights }, (_, night) =>
      usual.map((value, place) => {
        const now = night >= referenceNights + stableNights && changed.has(place) ? 1 - value : value;
        return random.next() < (flips[place] ?? 0) ? 1 - now : now;
      }),
    ),
  };
}

/** Night, of those that are watched, in which each chart says that the judge has changed; Infinity: in none. */
function alarmsOf(judge: Parameters<typeof anchorCharts>[0]): { up: number; down: number } {
  if ((ownNoise(judge) ?? 0) > noiseLimit) return { up: Infinity, down: Infinity };
  const charts = anchorCharts(judge);
  if (charts === null) throw new Error("there are too few nights");
  const nightOf = (statistics: readonly number[]): number => {
    const place = statistics.findIndex((statistic) => statistic >= driftThreshold);
    return place === -1 ? Infinity : place + 1;
  };
  return { up: nightOf(charts.up.statistics), down: nightOf(charts.down.statistics) };
}

/** Judges that stay the same for a year, and judges of which a share of the verdicts changes for good. */
export function drift({ note, quick }: Pace): Simulated {
  const times = quick ? 40 : 1_000;
  const lines = judges.map((judge) => {
    note(`a judge with ${judge.anchors} anchors of each verdict and ${judge.noise * 100} % of noise`);
    return lineOf(judge, times);
  });
  const table = [
    "| anchors of each verdict | noise, all of it on a fifth of them | false alarm in 365 nights: higher, lower | 10 % of a chart changed: found after, in half of the cases | found within 30 nights | 5 % changed: found after | found within 100 nights | as promised |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...lines.map(({ line }) => line),
  ];
  return { table: table.join("\n"), kept: lines.every(({ kept }) => kept) };
}

function lineOf(judge: Noisy, times: number): { line: string; kept: boolean } {
  const random = randomStream(`drift/${judge.anchors}/${judge.noise}`);
  const draw = (given: { nights: number; share: number }) => alarmsOf(verdicts(judge, given, random));
  const stable = Array.from({ length: times }, () => draw({ nights: referenceNights + yearNights, share: 0 }));
  const falseShares = [stable.map(({ up }) => up), stable.map(({ down }) => down)].map(
    (nights) => nights.filter((night) => night < Infinity).length / times,
  );
  const found = [0.1, 0.05].map((share) =>
    foundAfter(times, () => draw({ nights: referenceNights + stableNights + 100, share }).up),
  );
  const [ten = new Float64Array(), five = new Float64Array()] = found;
  const [halfTen, halfFive] = [middleOf(ten), middleOf(five)];
  const promised = promises.get(`${judge.anchors} ${judge.noise}`) ?? { ten: Infinity, five: Infinity };
  const kept =
    falseShares.every((share) => share - 1.96 * Math.sqrt((share * (1 - share)) / times) <= mostFalse) &&
    halfTen <= promised.ten &&
    halfFive <= promised.five;
  const isNamed = judge.noise > noiseLimit;
  const cells = [
    String(judge.anchors),
    percent(judge.noise),
    falseShares.map(percent).join(", "),
    nightsText(halfTen),
    percent(ten.filter((night) => night <= 30).length / times),
    nightsText(halfFive),
    percent(five.filter((night) => night <= 100).length / times),
    kept ? (isNamed ? `yes: ${named}` : "yes") : "**no**",
  ];
  return { line: `| ${cells.join(" | ")} |`, kept };
}

/** Nights from the change to its alarm, sorted; where there was a false alarm before it is drawn anew. */
function foundAfter(times: number, draw: () => number): Float64Array {
  const nights: number[] = [];
  while (nights.length < times) {
    const night = draw();
    if (night > stableNights) nights.push(night - stableNights);
  }
  return Float64Array.from(nights).toSorted();
}

/** The nights after which half of the changes are found. */
function middleOf(sorted: Float64Array): number {
  const place = Math.ceil(sorted.length / 2) - 1;
  return quantile(sorted.slice(place, place + 1), 0.5) ?? Infinity;
}

const nightsText = (nights: number): string =>
  nights === Infinity ? "more than 100 nights" : `${nights} ${nights === 1 ? "night" : "nights"}`;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
