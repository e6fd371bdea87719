import type { ComparedMetric } from "../../../src/compare/comparison-plan.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { gauss } from "./draws.ts";
import { type DrawnCase, drawnStates, passGate, scoreGate } from "./drawn-gates.ts";
import type { Situation } from "./situation.ts";

const falsePass = "**gate** says pass although the loss is its limit";
const found = "**gate** says pass of equal bots";
/** The most that is accepted where rare losses are all or nothing. */
const most = 0.065;
const repetitions = 2_000;

interface Drawn {
  name: string;
  asks: string;
  compared: ComparedMetric;
  draw: (random: RandomStream) => DrawnCase[];
}

function situation({ name, asks, compared, draw }: Drawn, isEqual: boolean): Situation {
  return {
    name,
    asks,
    repetitions,
    once: (random, repetition) => {
      const [state] = drawnStates(compared, draw(random), `simulation/${repetition}`);
      return { [isEqual ? found : falsePass]: state?.state === "pass" };
    },
    ...(!isEqual && { promised: { [falsePass]: most } }),
  };
}

/** Groups of rows that pass or fail: `lost` of the groups as a whole, and of their rows `turned` either way, `alone` by themselves. */
const groups =
  (count: number, size: number, { lost = 0, alone = 0, turned = 0 }: Record<string, number>) =>
  (random: RandomStream): DrawnCase[] =>
    Array.from({ length: count }, (_, cluster) => {
      const isLost = random.next() < lost;
      return Array.from({ length: size }, (): DrawnCase => {
        const drawn = random.next();
        if (isLost || drawn < alone + turned) return { baseline: 1, candidate: 0, cluster };
        return { baseline: drawn < alone + 2 * turned ? 0 : 1, candidate: 1, cluster };
      });
    }).flat();

const ofThree = (random: RandomStream, chance: number): number =>
  [0, 1, 2].filter(() => random.next() < chance).length / 3;

const repeated =
  (count: number, { lost, flaky }: { lost: number; flaky: number }) =>
  (random: RandomStream): DrawnCase[] =>
    Array.from({ length: count }, () => {
      if (random.next() < lost) return { baseline: 1, candidate: 0 };
      if (random.next() >= flaky) return { baseline: 1, candidate: 1 };
      return { baseline: ofThree(random, 0.6), candidate: ofThree(random, 0.6) };
    });

const graded =
  (count: number, { lost, noise }: { lost: number; noise: number }) =>
  (random: RandomStream): DrawnCase[] =>
    Array.from({ length: count }, () => {
      const difference = random.next() < lost ? -1 : Math.min(1, Math.max(-1, gauss(random) * noise));
      return { baseline: Math.min(1, 1 - difference), candidate: Math.min(1, 1 + difference) };
    });

const rate = passGate(0.05);
const score = scoreGate("value", 0.05, { kind: "bounded", min: 0, max: 1 });

/** What passes on few units: groups of rows, rows that are asked three times, and graded scores. */
export const fewUnits: readonly Situation[] = [
  ...[
    [20, 10],
    [40, 6],
    [60, 5],
    [100, 4],
  ].flatMap(([count = 0, size = 0]) => {
    const of = { name: `${count} groups of ${size}`, compared: rate };
    return [
      situation({ ...of, asks: "5 % of the groups break", draw: groups(count, size, { lost: 0.05 }) }, false),
      situation({ ...of, asks: "5 % of the rows are lost", draw: groups(count, size, { alone: 0.05 }) }, false),
      situation({ ...of, asks: "1 % of the rows turn either way", draw: groups(count, size, { turned: 0.01 }) }, true),
    ];
  }),
  ...[40, 60, 100, 220].flatMap((count) => {
    const of = { name: `${count} rows asked three times`, compared: rate };
    return [
      situation({ ...of, asks: "5 % of the rows break", draw: repeated(count, { lost: 0.05, flaky: 0 }) }, false),
      situation(
        { ...of, asks: "5 % break, and 10 % turn by chance", draw: repeated(count, { lost: 0.05, flaky: 0.1 }) },
        false,
      ),
      situation({ ...of, asks: "10 % turn by chance", draw: repeated(count, { lost: 0, flaky: 0.1 }) }, true),
    ];
  }),
  ...[20, 40, 60, 100, 200].flatMap((count) =>
    [0.02, 0.2].flatMap((noise) => {
      const of = { name: `${count} rows of a graded score, noise ${noise}`, compared: score };
      return [
        situation(
          { ...of, asks: "5 % of the rows lose everything", draw: graded(count, { lost: 0.05, noise }) },
          false,
        ),
        situation({ ...of, asks: "nothing is lost", draw: graded(count, { lost: 0, noise }) }, true),
      ];
    }),
  ),
];
