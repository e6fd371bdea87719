import { raceLevel } from "../../../src/compare/choice/race-watch.ts";
import { randomStream, type RandomStream } from "../../../src/lib/random.ts";
import { openRace, raceBounds } from "../../../src/stats/choice/race.ts";
import { drawnScores, type Sheet } from "./choice.ts";
import type { Pace, Simulated } from "./simulation.ts";

const margin = 0.05;
const atMost = 1_000;

interface Raced extends Pick<Sheet, "rates" | "turns" | "isScore"> {
  name: string;
  repetitions: number;
}

const equal = (count: number): number[] => Array.from({ length: count }, () => 0.8);
/** From the first loss to the last one, in equal steps, behind those that are given. */
const behind = (best: readonly number[], count: number, [first, last]: readonly [number, number]): number[] => [
  ...best,
  ...Array.from(
    { length: count - best.length },
    (_, at) => 0.85 - first - ((last - first) * at) / Math.max(1, count - best.length - 1),
  ),
];

const races: readonly Raced[] = [
  { name: "2 equal", rates: equal(2), repetitions: 400 },
  { name: "3 equal", rates: equal(3), repetitions: 400 },
  { name: "10 equal", rates: equal(10), repetitions: 400 },
  { name: "10 equal, conversations of 4", rates: equal(10), turns: [4], repetitions: 400 },
  { name: "3 equal, clusters of 1 to 20", rates: equal(3), turns: [1, 1, 2, 2, 3, 5, 8, 20], repetitions: 400 },
  { name: "3 equal, a score from 0 to 1", rates: equal(3), isScore: true, repetitions: 400 },
  {
    name: "10: two best, the rest 3 to 25 points behind",
    rates: behind([0.85, 0.85], 10, [0.03, 0.25]),
    repetitions: 120,
  },
  {
    name: "the same, conversations of 4",
    rates: behind([0.85, 0.85], 10, [0.03, 0.25]),
    turns: [4],
    repetitions: 120,
  },
  {
    name: "10: the best, one 1 point behind, the rest 5 to 25",
    rates: behind([0.85, 0.84], 10, [0.05, 0.25]),
    repetitions: 120,
  },
  { name: "10: one best by 8 points", rates: behind([0.85], 10, [0.08, 0.08]), repetitions: 120 },
  { name: "3: one best by 5 points", rates: behind([0.85], 3, [0.05, 0.05]), repetitions: 120 },
  {
    name: "3: one best by 5 points, a score from 0 to 1",
    rates: behind([0.85], 3, [0.05, 0.05]),
    isScore: true,
    repetitions: 120,
  },
  {
    name: "20: two best, the rest 5 to 25 points behind",
    rates: behind([0.85, 0.85], 20, [0.05, 0.25]),
    repetitions: 60,
  },
];

const ends = ["best", "close"] as const;

/** How often a race drops a best one, ends with a wrong one, or misses with a bound, and the requests that it spares. */
export function race({ note, quick }: Pace): Simulated {
  const lines = races.flatMap((given) =>
    ends.map((until) => {
      note(`race: ${given.name}, until ${until}`);
      return lineOf(given, until, quick ? Math.ceil(given.repetitions / 20) : given.repetitions);
    }),
  );
  const head = [
    "| at most 1,000 cases | run for | a best one dropped | all best ones | wrong end | bound missed | left | cases | requests spared | as promised |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
  ];
  return { table: [...head, ...lines.map(({ line }) => line)].join("\n"), kept: lines.every(({ kept }) => kept) };
}

function lineOf(given: Raced, until: (typeof ends)[number], repetitions: number) {
  const random = randomStream(`simulation/race/${given.name}/${until}`);
  const runs = Array.from({ length: repetitions }, () => once(given, until, random));
  const meanOf = (of: (run: ReturnType<typeof once>) => number): number =>
    runs.reduce((sum, run) => sum + of(run), 0) / repetitions;
  // Each of those that are equally good is a best one: the first stands for all of them.
  const dropped = meanOf((run) => Number(run.isFirstDropped));
  const wrong = meanOf((run) => Number(run.isWrongEnd));
  const missed = meanOf((run) => Number(run.isMissed));
  const slack = (limit: number): number => limit + 2 * Math.sqrt((limit * (1 - limit)) / repetitions);
  const kept =
    dropped <= slack(raceLevel.drop) &&
    wrong <= slack(raceLevel.drop + raceLevel.close) &&
    missed <= slack(raceLevel.drop + raceLevel.close);
  const cells = [
    until === "best" ? given.name : "",
    `\`${until}\``,
    share(dropped),
    share(meanOf((run) => Number(run.areAllDropped))),
    share(wrong),
    share(missed),
    meanOf((run) => run.left).toFixed(1),
    String(Math.round(meanOf((run) => run.cases))),
    `${Math.round(100 * meanOf((run) => run.spared))} %`,
    kept ? "yes" : "**no**",
  ];
  return { line: `| ${cells.join(" | ")} |`, kept };
}

const share = (value: number): string => `${(100 * value).toFixed(1)} %`;

function once({ rates, turns, isScore }: Raced, until: (typeof ends)[number], random: RandomStream) {
  const sheet = { rates, cases: atMost, ...(turns !== undefined && { turns }), ...(isScore === true && { isScore }) };
  const { values, clusters } = drawnScores(sheet, random);
  const { sums, sizes } = summed(values, clusters);
  const most = Math.max(...(turns ?? [1]));
  const levels = { range: 1, most, alphaDrop: raceLevel.drop };
  const run = openRace({
    configurations: rates.length,
    ...levels,
    closeEnough: until === "close" ? { margin, alpha: raceLevel.close } : null,
  });
  let [entered, asked, cases] = [0, 0, 0];
  while (entered < sizes.length && run.end() === null) {
    const size = sizes[entered] ?? 0;
    asked += size * run.droppedAfter().filter((at) => at === null).length;
    run.add(
      sums.map((own) => own[entered] ?? 0),
      size,
    );
    cases += size;
    entered += 1;
  }
  const droppedAfter = run.droppedAfter();
  const left = droppedAfter.flatMap((at, place) => (at === null ? [place] : []));
  const truth = truths({ rates, ...(isScore === true && { isScore }) });
  const highest = Math.max(...truth);
  const best = truth.flatMap((rate, place) => (rate > highest - 1e-9 ? [place] : []));
  const end = run.end();
  const loss = end === null ? 0 : highest - (truth[end.configuration] ?? 0);
  const bounds = raceBounds(
    {
      sums: sums.map((own) => own.subarray(0, entered)),
      sizes: sizes.subarray(0, entered),
      droppedAfter,
      isWhole: false,
    },
    { ...levels, alphaClose: raceLevel.close },
  );
  return {
    isFirstDropped: droppedAfter[0] !== null,
    areAllDropped: best.every((place) => droppedAfter[place] !== null),
    isWrongEnd:
      end !== null &&
      (end.kind === "one left" ? best.length > 1 || !best.includes(end.configuration) : loss >= margin - 1e-9),
    isMissed: left.some((place) => {
      const others = truth.filter((_, other) => other !== place);
      const distance = (truth[place] ?? 0) - Math.max(...others);
      const { lower, upper } = bounds[place] ?? { lower: null, upper: null };
      return distance < (lower ?? -1) - 1e-9 || distance > (upper ?? 1) + 1e-9;
    }),
    left: left.length,
    cases,
    spared: 1 - asked / (atMost * rates.length),
  };
}

const drawnForTruth = 200_000;
const known = new Map<string, number[]>();

/** True means: the rates, or for scores the mean of many draws. */
function truths({ rates, isScore }: Pick<Raced, "rates" | "isScore">): number[] {
  if (isScore !== true) return [...rates];
  const key = JSON.stringify(rates);
  const before = known.get(key);
  if (before !== undefined) return before;
  const random = randomStream(`simulation/race/truth/${key}`);
  const distinct = [...new Set(rates)];
  const { values } = drawnScores({ rates: distinct, cases: drawnForTruth, isScore: true }, random);
  const means = values.map((own) => own.reduce((sum, value) => sum + value, 0) / drawnForTruth);
  const found = rates.map((rate) => means[distinct.indexOf(rate)] ?? 0);
  known.set(key, found);
  return found;
}

/** Sums by cluster, in the order in which they were drawn. */
function summed(values: readonly Float64Array[], clusters: Int32Array | null) {
  if (clusters === null) return { sums: values, sizes: new Float64Array(values[0]?.length ?? 0).fill(1) };
  const count = (clusters.at(-1) ?? -1) + 1;
  const sizes = new Float64Array(count);
  for (const cluster of clusters) sizes[cluster] = (sizes[cluster] ?? 0) + 1;
  const sums = values.map((own) => {
    const totals = new Float64Array(count);
    for (const [at, value] of own.entries()) {
      const cluster = clusters[at] ?? 0;
      totals[cluster] = (totals[cluster] ?? 0) + value;
    }
    return totals;
  });
  return { sums, sizes };
}
