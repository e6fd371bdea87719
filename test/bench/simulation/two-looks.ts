import { confirmedState } from "../../../src/compare/two-looks.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import type { PairedData } from "../../../src/stats/difference.ts";
import { gated, nominal, type Situation } from "./situation.ts";

const margin = 0.05;

/** Bots whose answers are drawn anew at every run: most cases nearly always pass, some half of the time, some hardly ever. */
interface Bots {
  cases: number;
  /** Cases of one conversation; 1: each is its own. */
  turns: number;
  /** Loss of the candidate's pass rate: some cases that would pass never do any more. */
  drop: number;
}

const kinds = [
  { share: 0.7, passes: 0.98 },
  { share: 0.2, passes: 0.5 },
  { share: 0.1, passes: 0.05 },
];
const passRate = kinds.reduce((sum, { share, passes }) => sum + share * passes, 0);

/** The chance that a case passes with the baseline, and with a candidate that passes so much less in the mean. */
export function drawBot(drop: number, random: RandomStream): { rate: number; rateNow: number } {
  const u = random.next();
  const kind = u < 0.7 ? kinds[0] : u < 0.9 ? kinds[1] : kinds[2];
  const rate = kind?.passes ?? 0;
  return { rate, rateNow: random.next() < drop / passRate ? 0 : rate };
}

/** The differences of the cases by each look, and with the runs of each case averaged over both. */
function drawLooks(
  { cases, turns, drop }: Bots,
  random: RandomStream,
): Record<"first" | "second" | "together", PairedData> {
  const [first, second, together] = [new Float64Array(cases), new Float64Array(cases), new Float64Array(cases)];
  const counts = [0, 1].map(() => ({ bothPass: 0, onlyA: 0, onlyB: 0, bothFail: 0 }));
  let lost = drop;
  for (let place = 0; place < cases; place++) {
    // Of a conversation that suffers, twice as many turns are lost; of the others none.
    if (turns > 1 && place % turns === 0) lost = random.next() < 0.5 ? 2 * drop : 0;
    const { rate, rateNow } = drawBot(lost, random);
    for (const [look, each] of [first, second].entries()) {
      const [before, now] = [random.next() < rate, random.next() < rateNow];
      each[place] = Number(now) - Number(before);
      const own = counts[look];
      if (own !== undefined) own[outcomeOf(now, before)] += 1;
    }
    together[place] = ((first[place] ?? 0) + (second[place] ?? 0)) / 2;
  }
  const clusters = turns === 1 ? null : Int32Array.from({ length: cases }, (_, place) => Math.floor(place / turns));
  const looks = [first, second].map((differences, look): PairedData => {
    return { differences, clusters, counts: clusters === null ? (counts[look] ?? null) : null, range: 1 };
  });
  const [early, late] = looks;
  const both: PairedData = { differences: together, clusters, counts: null, range: 1 };
  return { first: early ?? both, second: late ?? both, together: both };
}

export function outcomeOf(now: boolean, before: boolean): "bothPass" | "onlyA" | "onlyB" | "bothFail" {
  if (now) return before ? "bothPass" : "onlyA";
  return before ? "onlyB" : "bothFail";
}

/** Whether the gate calls a regression by one look, by the second alone where the first did, and by the rule of two looks. */
export function claims(bots: Bots, random: RandomStream): Record<"first" | "second" | "both", boolean> {
  const looks = drawLooks(bots, random);
  const [first, second, together] = (["first", "second", "together"] as const).map(
    (look) => gated([looks[look]], margin)[0] ?? "invalid",
  );
  return {
    first: first === "regression",
    second: first === "regression" && second === "regression",
    both: confirmedState(first ?? "invalid", together ?? "invalid") === "regression",
  };
}

function situation(bots: Bots, asks: string, more: Pick<Situation, "promised"> = {}): Situation {
  const { cases, turns } = bots;
  const size = turns === 1 ? `${cases} cases` : `${cases} turns in ${cases / turns} conversations`;
  return {
    name: `${size}, noisy bots, margin 5 points`,
    asks,
    repetitions: 4_000,
    once: (random) => {
      const { first, second, both } = claims(bots, random);
      return { "one look": first, "believing the second alone": second, "**both looks together**": both };
    },
    ...more,
  };
}

const sizes = [
  { cases: 220, turns: 1 },
  { cases: 300, turns: 5 },
];

/** What asking the cases of a regression once more does to false alarms, and what it costs in power. */
export const twoLookSituations: readonly Situation[] = sizes.flatMap((size) => [
  situation({ ...size, drop: 0 }, "false alarms: identical bots", { promised: { "**both looks together**": nominal } }),
  situation({ ...size, drop: margin }, "false alarms: the drop is exactly the margin", {
    promised: { "**both looks together**": nominal },
  }),
  situation({ ...size, drop: 2 * margin }, "finds a drop of twice the margin"),
  situation({ ...size, drop: 3 * margin }, "finds a drop of three times the margin"),
]);
