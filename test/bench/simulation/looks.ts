import { binomialAtLeast, binomialCdf, binomialPmf } from "../../../src/stats/distributions/binomial.ts";
import { exactScore } from "../../../src/stats/paired/exact-score.ts";
import type { GateClaim } from "../../../src/stats/planning/gate-power.ts";
import type { Pace, Simulated } from "./simulation.ts";

/** Two looks at passes and fails of one run each side, the second over all cases. */
export interface TwoLooks {
  margin: number;
  /** Level of each look. */
  levels: readonly [first: number, second: number];
  /** Cases of the first look, and those that are new in the second. */
  cases: number;
  added: number;
}

/** Chances of a false claim by the first look alone, and by either, where the true loss is exactly the margin. */
export interface FalseClaims {
  first: number;
  both: number;
}

/**
 * Counted outcome by outcome, through the rule that gates decide by: the chance that a gate claims a regression (or a pass) in
 * the first look, or in the second where the first is open. `gains`: share of the cases that only the candidate passes.
 */
function falseClaims(claim: GateClaim, { margin, levels, cases, added }: TwoLooks, gains: number): FalseClaims {
  const losses = gains + margin;
  const [early, late] = [edgesOf(cases, margin, levels[0]), edgesOf(cases + added, margin, levels[1])];
  const isSaid = (of: GateClaim, edges: Edges, [gained, lost]: readonly [number, number]): boolean =>
    of === "pass" ? lost <= edges.pass(gained) : lost >= edges.regression(gained);
  let [first, second] = [0, 0];
  for (let gained = 0; gained <= cases; gained++) {
    const chance = gains <= 0 ? Number(gained === 0) : binomialPmf(gained, cases, gains);
    if (chance < 1e-12) continue;
    for (let lost = 0; lost <= cases - gained; lost++) {
      const joint = chance * binomialPmf(lost, cases - gained, losses / (1 - gains));
      if (joint < 1e-13) continue;
      if (isSaid(claim, early, [gained, lost])) first += joint;
      else if (!isSaid(claim === "pass" ? "regression" : "pass", early, [gained, lost])) {
        second += joint * later(claim, late, { gained, lost, added, gains, losses });
      }
    }
  }
  return { first, both: first + second };
}

interface Later {
  gained: number;
  lost: number;
  added: number;
  gains: number;
  losses: number;
}

/** The chance that the second look claims it, after so many gains and losses in the first. */
function later(claim: GateClaim, edges: Edges, { gained, lost, added, gains, losses }: Later): number {
  let power = 0;
  for (let more = 0; more <= added; more++) {
    const chance = gains <= 0 ? Number(more === 0) : binomialPmf(more, added, gains);
    if (chance < 1e-12) continue;
    const [left, ofRest] = [added - more, losses / (1 - gains)];
    const all = gained + more;
    power +=
      chance *
      (claim === "pass"
        ? atMost(edges.pass(all) - lost, left, ofRest)
        : atLeast(edges.regression(all) - lost, left, ofRest));
  }
  return power;
}

const atMost = (count: number, n: number, p: number): number =>
  count < 0 ? 0 : count >= n ? 1 : binomialCdf(count, n, p);
const atLeast = (count: number, n: number, p: number): number =>
  count <= 0 ? 1 : count > n ? 0 : binomialAtLeast(count, n, p);

/** For so many gains the most losses that pass (-1: none do), and the fewest that are a regression. */
interface Edges {
  pass: (gained: number) => number;
  regression: (gained: number) => number;
}

const known = new Map<string, Edges>();

function edgesOf(cases: number, margin: number, level: number): Edges {
  const key = `${cases} ${margin} ${level}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const claimed = (gained: number, lost: number) => {
    const counts = { bothPass: cases - gained - lost, onlyA: gained, onlyB: lost, bothFail: 0 };
    return exactScore(counts).p(-margin);
  };
  const isPass = (gained: number, lost: number): boolean => claimed(gained, lost).greater <= level * (1 + 1e-9);
  const isBad = (gained: number, lost: number): boolean => claimed(gained, lost).less <= level * (1 + 1e-9);
  const pass = edge((gained, before) => {
    let lost = before ?? Math.floor(margin * cases + gained);
    while (lost >= 0 && !isPass(gained, lost)) lost -= 1;
    while (lost < cases - gained && isPass(gained, lost + 1)) lost += 1;
    return lost;
  });
  const regression = edge((gained, before) => {
    let lost = before ?? Math.ceil(margin * cases + gained);
    while (lost <= cases - gained && !isBad(gained, lost)) lost += 1;
    return lost;
  });
  const edges = { pass, regression };
  known.set(key, edges);
  return edges;
}

/** Looked for once for each number of gains, from that of one gain less. */
function edge(look: (gained: number, before: number | undefined) => number): (gained: number) => number {
  const edges = new Map<number, number>();
  return (gained) => {
    const at = edges.get(gained) ?? look(gained, edges.get(gained - 1));
    edges.set(gained, at);
    return at;
  };
}

/** Cases of the first look, margins and gains over which the highest chances are looked for. */
const sizes = [20, 25, 30, 40, 50, 60, 70, 80, 85, 100, 120, 140];
const margins = [0.02, 0.05, 0.1];
const gainsOf = [0, 0.01, 0.02, 0.05, 0.1];

/** The highest chances of a false claim over all sizes, margins and gains, with so many times as many new cases. */
export function worstFalseClaims(
  claim: GateClaim,
  levels: TwoLooks["levels"],
  times: number,
  among: readonly number[] = sizes,
): FalseClaims {
  const worst = { first: 0, both: 0 };
  for (const margin of margins) {
    for (const cases of among) {
      for (const gains of gainsOf) {
        const found = falseClaims(claim, { margin, levels, cases, added: Math.round(times * cases) }, gains);
        worst.first = Math.max(worst.first, found.first);
        worst.both = Math.max(worst.both, found.both);
      }
    }
  }
  return worst;
}

/** Two looks by their levels and new cases, and the most that is promised; null: they are not advised. */
const rows: { name: string; levels: TwoLooks["levels"]; times: number; promised: number | null }[] = [
  { name: "`looks: 2`: 3 %, then 3 %; as many new cases", levels: [0.03, 0.03], times: 1, promised: 0.055 },
  { name: "`looks: 2`: 3 %, then 3 %; twice as many new cases", levels: [0.03, 0.03], times: 2, promised: 0.055 },
  { name: "`--second-look`: 5 %, then 1 %; as many new cases", levels: [0.05, 0.01], times: 1, promised: 0.058 },
  { name: "`--second-look`: 5 %, then 1 %; twice as many new cases", levels: [0.05, 0.01], times: 2, promised: 0.058 },
  { name: "not advised: 5 %, then 5 %; twice as many new cases", levels: [0.05, 0.05], times: 2, promised: null },
];

/** Counts them: nothing is drawn. */
export function looks({ note, quick }: Pace): Simulated {
  let kept = true;
  const lines = rows.map(({ name, levels, times, promised }) => {
    note(name);
    const among = quick ? [40, 80] : sizes;
    const [bad, good] = (["regression", "pass"] as const).map((claim) => worstFalseClaims(claim, levels, times, among));
    const most = Math.max(bad?.both ?? 1, good?.both ?? 1);
    if (promised !== null && most > promised) kept = false;
    const share = (of: number | undefined): string => `${((of ?? 1) * 100).toFixed(2)} %`;
    return `| ${name} | ${share(bad?.first)} | ${share(bad?.both)} | ${share(good?.first)} | ${share(good?.both)} |`;
  });
  const head = "| looks | false regressions, first look | both looks | false passes, first look | both looks |";
  return { table: [head, "| --- | ---: | ---: | ---: | ---: |", ...lines].join("\n"), kept };
}
