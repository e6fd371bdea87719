import { uncorrectedError } from "../../stats/oracles/uncorrected-error.ts";
import { beyondNoise } from "../../../src/stats/paired/beyond-noise.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { clusterEstimate } from "../../../src/stats/paired/cluster-t.ts";
import { clusterTotals } from "../../../src/stats/clusters.ts";
import { energyDistances } from "../../../src/stats/resampling/labellings.ts";
import { scoreBound } from "../../../src/stats/paired/exact-score.ts";
import { mcNemar, type PairedCounts } from "../../../src/stats/paired/mcnemar.ts";
import { perNightAlpha } from "../../../src/stats/planning/nights.ts";
import { normalQuantile, normalSurvival } from "../../../src/stats/distributions/normal.ts";
import type { PairedData } from "../../../src/stats/difference.ts";
import { relabelTally } from "../../../src/stats/resampling/relabel.ts";
import { tBounds, tTest } from "../../../src/stats/paired/t-estimate.ts";
import { binaryPairs, type Chances, conversations, flakyCases, gauss } from "./draws.ts";
import { compared, gated, nominal, type Situation } from "./situation.ts";

const alpha = nominal;

/** 220 cases, 65 % of which pass at the baseline; the sides differ on 17 %. */
const worse: Chances = { bothPass: 0.54, onlyA: 0.06, onlyB: 0.11 };
const unchanged: Chances = { bothPass: 0.565, onlyA: 0.085, onlyB: 0.085 };

/** Tests as if the sides were two samples of different cases. */
function unpairedZ({ bothPass, onlyA, onlyB, bothFail }: PairedCounts, sides: 1 | 2): boolean {
  const n = bothPass + onlyA + onlyB + bothFail;
  const [a, b] = [(bothPass + onlyA) / n, (bothPass + onlyB) / n];
  const pooled = (a + b) / 2;
  const z = (b - a) / Math.sqrt((2 * pooled * (1 - pooled)) / n);
  return sides * normalSurvival(sides === 2 ? Math.abs(z) : z) < alpha;
}

function dropOf({ onlyA, onlyB }: PairedCounts): number {
  return onlyB - onlyA;
}

function passRates(chances: Chances, given: Pick<Situation, "asks" | "promised" | "best">): Situation {
  return {
    name: "220 cases, pass or fail, one run each",
    repetitions: 10_000,
    once: (random) => {
      const data = binaryPairs(220, chances, random);
      const comparison = compared(data, 0);
      const counts = data.counts ?? { bothPass: 0, onlyA: 0, onlyB: 0, bothFail: 0 };
      return {
        "unpaired z, two-sided": unpairedZ(counts, 2),
        "exact McNemar": mcNemar(counts).exact < alpha,
        "**mid-p McNemar** (the p reported)": (comparison.p ?? 1) < alpha,
        "unpaired z, one-sided": unpairedZ(counts, 1),
        "fixed: down more than 5 points": dropOf(counts) > 11,
        "**gate**, margin 0": gated([data], 0)[0] === "regression",
      };
    },
    ...given,
  };
}

/** The difference lies on the margin: neither answer is right. */
function onTheMargin(name: string, margin: number, draw: (random: RandomStream) => PairedData): Situation {
  return {
    name,
    asks: "false answers when the drop is exactly the margin",
    repetitions: 10_000,
    once: (random) => {
      const [state] = gated([draw(random)], margin);
      return { "**gate** says regression": state === "regression", "**gate** says pass": state === "pass" };
    },
    promised: { "**gate** says regression": alpha, "**gate** says pass": alpha },
  };
}

/** Rare fails, the baseline asked twice and the candidate once: the differences are skewed. */
function rareFails(n: number, rate: number): Situation {
  const margin = 0.05;
  const draw = (random: RandomStream): PairedData => {
    const pass = (chance: number): number => Number(random.next() < chance);
    const differences = Float64Array.from({ length: n }, () => pass(rate - margin) - (pass(rate) + pass(rate)) / 2);
    return { differences, clusters: null, counts: null, range: 1 };
  };
  return byBoundAndGate(`${n} cases, two runs against one, of which ${Math.round(rate * 100)} % pass`, margin, draw);
}

/** The bounds of the plain test: nothing is counted, and nothing corrected. */
function boundsAlone({ counts, differences, clusters }: PairedData): { lower: number | null; upper: number | null } {
  if (counts === null) return tBounds(clusterEstimate(clusterTotals(differences, clusters)), 1 - alpha);
  const z = normalQuantile(1 - alpha);
  return { lower: scoreBound(counts, z), upper: scoreBound(counts, -z) };
}

function byBoundAndGate(name: string, margin: number, draw: (random: RandomStream) => PairedData): Situation {
  return {
    name,
    asks: "false answers when the drop is exactly the margin",
    repetitions: 10_000,
    promised: { "**gate** says regression": alpha, "**gate** says pass": alpha },
    once: (random) => {
      const data = draw(random);
      const [state] = gated([data], margin);
      const { lower, upper } = boundsAlone(data);
      return {
        "the bound alone says regression": (upper ?? 1) < -margin,
        "**gate** says regression": state === "regression",
        "the bound alone says pass": (lower ?? -1) > -margin,
        "**gate** says pass": state === "pass",
      };
    },
  };
}

/** Few cases differ, and all or nearly all of them are lost. */
function fewDiffer(n: number, chances: Chances): Situation {
  const name = `${n} cases, pass or fail, of which ${percentOf(chances)} differ`;
  return byBoundAndGate(name, 0.05, (random) => binaryPairs(n, chances, random));
}

function percentOf({ onlyA, onlyB }: Chances): string {
  return `${Math.round((onlyA + onlyB) * 100)} %`;
}

function talk(count: number, shift: number, given: Pick<Situation, "asks" | "promised" | "repetitions">): Situation {
  return {
    name: `${count} conversations of 6 turns, ICC 0.4`,
    once: (random) => {
      const data = conversations({ conversations: count, turns: 6, icc: 0.4, shift }, random);
      const clustered = clusterTotals(data.differences, data.clusters);
      const estimate = clusterEstimate(clustered);
      const { mean, seIndependent } = estimate;
      const z = (se: number | null): boolean => 2 * normalSurvival(Math.abs((mean ?? 0) / (se ?? 1))) < alpha;
      const comparison = compared(data, 0);
      return {
        "turns as cases of their own": z(seIndependent),
        "cluster SE without C/(C-1), with z": z(uncorrectedError(clustered)),
        "cluster SE with C/(C-1), with t": (tTest(estimate, 0).twoSided ?? 1) < alpha,
        "**the p reported**": (comparison.p ?? 1) < alpha,
        "**gate**, margin 0": gated([data], 0)[0] === "regression",
      };
    },
    ...given,
  };
}

/** Results of one night of 100 cases: 72 % always pass, 4 % never, and 24 % by the toss of a coin. */
function night(random: RandomStream): Uint8Array {
  return Uint8Array.from({ length: 100 }, (_, index) => Number(index < 72 || (index < 96 && random.bits() % 2 === 0)));
}

function nightPair(candidate: Uint8Array, baseline: Uint8Array): PairedCounts {
  const counts = { bothPass: 0, onlyA: 0, onlyB: 0, bothFail: 0 };
  for (const [index, passes] of candidate.entries()) {
    if (passes === 1) counts[baseline[index] === 1 ? "bothPass" : "onlyA"] += 1;
    else counts[baseline[index] === 1 ? "onlyB" : "bothFail"] += 1;
  }
  return counts;
}

const nights: Situation = {
  name: "100 cases a night, 12 % of which change by themselves, for 30 nights",
  asks: "false alarms: nothing changed",
  repetitions: 5_000,
  once: (random) => {
    const spoke = { fixed: 0, gate: 0, spent: 0, firstFixed: false, firstGate: false };
    const pinned = night(random);
    let last = pinned;
    for (let each = 0; each < 30; each++) {
      const tonight = night(random);
      const against = (baseline: Uint8Array): PairedData => ({
        differences: new Float64Array(0),
        clusters: null,
        counts: nightPair(tonight, baseline),
        range: 1,
      });
      const fixed = dropOf(nightPair(tonight, last)) > 2;
      const gate = gated([against(pinned)], 0.02)[0] === "regression";
      const nightly = perNightAlpha(alpha, 30);
      const spent = gated([against(pinned)], 0.02, { alpha: nightly })[0] === "regression";
      if (each === 0) [spoke.firstFixed, spoke.firstGate] = [fixed, gate];
      spoke.fixed += Number(fixed);
      spoke.gate += Number(gate);
      spoke.spent += Number(spent);
      last = tonight;
    }
    return {
      "fixed: down more than 2 points since last night": spoke.firstFixed,
      "the same, once or more in 30 nights": spoke.fixed > 0,
      "**gate** against a pin, margin 2 points": spoke.firstGate,
      "the same, once or more in 30 nights ": spoke.gate > 0,
      "**gate** with its alpha spent over 30 nights (Sidak), once or more": spoke.spent > 0,
    };
  },
  promised: {
    "**gate** against a pin, margin 2 points": alpha,
    "**gate** with its alpha spent over 30 nights (Sidak), once or more": alpha,
  },
};

/** Each run has its own value of a member once in a hundred: two runs differ on 2 % of the cases. */
function structure(n: number): Situation {
  return {
    name: `a member of the output that differs by itself on 2 % of ${n} cases`,
    asks: "false alarms: nothing changed",
    repetitions: 10_000,
    once: (random, repetition) => {
      const values = new Float64Array(n);
      let [raw, noise] = [0, 0];
      for (let index = 0; index < n; index++) {
        const odd = (): number => (random.next() < 0.0101 ? random.next() : -1);
        const [one, again, candidate] = [odd(), odd(), odd()];
        const [isRaw, isNoise] = [one !== candidate, one !== again];
        raw += Number(isRaw);
        noise += Number(isNoise);
        values[index] = Number(isRaw) - Number(isNoise);
      }
      const relative = raw + noise === 0 ? 0 : (100 * Math.abs(raw - noise)) / (raw + noise);
      return {
        "fixed: raw above noise by 20 % and 0.03 points":
          raw > noise && relative > 20 && (100 * (raw - noise)) / n > 0.03,
        "**exact paired test of raw against noise**": beyondNoise(values, `${repetition}`) < alpha,
      };
    },
    promised: { "**exact paired test of raw against noise**": alpha },
  };
}

function texts(shift: number, given: Pick<Situation, "asks" | "promised" | "best">): Situation {
  return {
    name: "free text of 40 cases, two runs of the baseline",
    repetitions: 2_000,
    once: (random, repetition) => {
      const tally = relabelTally();
      const differs = new Float64Array(40);
      for (let index = 0; index < 40; index++) {
        // An answer is a place on a line; no two runs answer alike.
        const answers = [gauss(random), gauss(random), gauss(random) + shift];
        const apart = (one: number, other: number): number => Math.abs((answers[one] ?? 0) - (answers[other] ?? 0));
        tally.add(
          energyDistances({ baseline: 2, candidate: 1 }, (one, other) => Math.min(1, apart(one, other) / 8)),
          null,
        );
        differs[index] = Number(answers[0] !== answers[2]) - Number(answers[0] !== answers[1]);
      }
      return {
        "counting cases that differ": beyondNoise(differs, `${repetition}`) < alpha,
        "**distances, relabelled within cases**": (tally.test(`${repetition}`).greater.p ?? 1) < alpha,
      };
    },
    ...given,
  };
}

const family: Situation = {
  name: "3 metrics of 2 candidates, 220 cases each",
  asks: "false alarms: every drop is exactly the margin",
  repetitions: 10_000,
  once: (random) => {
    const data = Array.from({ length: 6 }, () => binaryPairs(220, worse, random));
    const together = gated(data, 0.05);
    return {
      "each gate by itself": data.some((each) => gated([each], 0.05)[0] === "regression"),
      "**gates together** say regression": together.includes("regression"),
      "**gates together** all pass": together.every((state) => state === "pass"),
    };
  },
  promised: { "**gates together** say regression": alpha, "**gates together** all pass": alpha },
};

/** The simulated situations. */
export const situations: readonly Situation[] = [
  passRates(worse, {
    asks: "finds: the candidate is 5 points worse",
    best: {
      "**mid-p McNemar** (the p reported)": ["unpaired z, two-sided", "exact McNemar"],
      "**gate**, margin 0": ["unpaired z, one-sided", "fixed: down more than 5 points"],
    },
  }),
  passRates(unchanged, {
    asks: "false alarms: nothing changed",
    promised: { "**mid-p McNemar** (the p reported)": alpha, "**gate**, margin 0": alpha },
  }),
  onTheMargin("220 cases, pass or fail, one run each", 0.05, (random) => binaryPairs(220, worse, random)),
  fewDiffer(165, { bothPass: 0.8, onlyA: 0, onlyB: 0.05 }),
  fewDiffer(60, { bothPass: 0.8, onlyA: 0.01, onlyB: 0.06 }),
  fewDiffer(52, { bothPass: 0.8, onlyA: 0, onlyB: 0.05 }),
  talk(10, 0, {
    asks: "false alarms: nothing changed",
    promised: { "**the p reported**": alpha, "**gate**, margin 0": alpha },
    repetitions: 10_000,
  }),
  onTheMargin("10 conversations of 6 turns, ICC 0.4", 0.3, (random) =>
    conversations({ conversations: 10, turns: 6, icc: 0.4, shift: -0.3 }, random),
  ),
  talk(40, 0, {
    asks: "false alarms: nothing changed",
    promised: { "**the p reported**": alpha, "**gate**, margin 0": alpha },
    repetitions: 1_000,
  }),
  onTheMargin("40 conversations of 6 turns, ICC 0.4", 0.3, (random) =>
    conversations({ conversations: 40, turns: 6, icc: 0.4, shift: -0.3 }, random),
  ),
  onTheMargin("60 cases, pass or fail, three runs each", 0.05, (random) =>
    flakyCases({ cases: 60, runs: 3, drop: 0.05 }, random),
  ),
  byBoundAndGate("60 cases, three runs each, of which one in twenty breaks for good", 0.05, (random) => ({
    differences: Float64Array.from({ length: 60 }, () => (random.next() < 0.05 ? -1 : 0)),
    clusters: null,
    counts: null,
    range: 1,
  })),
  rareFails(100, 0.97),
  rareFails(200, 0.99),
  family,
  nights,
  structure(30),
  structure(100),
  texts(1, {
    asks: "finds: the answers moved by one deviation",
    best: { "**distances, relabelled within cases**": ["counting cases that differ"] },
  }),
  texts(0, { asks: "false alarms: nothing changed", promised: { "**distances, relabelled within cases**": alpha } }),
];
