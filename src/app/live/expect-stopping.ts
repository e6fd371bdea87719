import { isMargin, lossOf, rangeOf } from "../../compare/comparison-plan.ts";
import type { Random } from "../../lib/random.ts";
import { knownMetric } from "../../score/make.ts";
import { drawnCluster } from "../../stats/betting/imitated-bot.ts";
import { type ImitatedRuns, imitatedRuns } from "../../stats/betting/until-decided.ts";
import type { Suite } from "../../suite/suite.ts";
import { decisionLevels } from "../plan/decision-levels.ts";
import { plannedMetrics } from "../compare/compared-metrics.ts";
import { whyToTheEnd } from "../compare/stop-rule.ts";
import type { SuitePlan } from "../plan/estimate.ts";

/** The cases that a run is expected to take until it is decided. */
export interface ExpectedStop {
  /** The reason why everything is sent all the same; null: it can stop. */
  why: string | null;
  /** The gate that is hardest to decide, and its margin; null where everything is sent. */
  gate: { metric: string; margin: number } | null;
  /** Share of the cases in which the sides are taken to differ by chance. */
  noise: number;
  expected: ExpectedCases[];
}

interface ExpectedCases extends ImitatedRuns {
  /** True drop of the candidate, in the unit of the margin. */
  drop: number;
}

/** A share that most bots at a temperature above 0 have. */
const assumedNoise = 0.02;
/** So that a plan takes no longer for it. */
const [imitations, mostCases] = [200, 5_000];

/** Null: the suite does not ask to stop. Runs are imitated with the conversations and repeats of the suite. */
export function expectStopping(
  suite: Suite,
  { cases, clusterSizes }: Pick<SuitePlan, "cases" | "clusterSizes">,
): ExpectedStop | null {
  const { decision, compare, repeats } = suite;
  if (decision.stopWhen !== "decided" || cases === 0) return null;
  const metrics = plannedMetrics(decision, suite.scorers.flatMap(knownMetric));
  const why = whyToTheEnd(metrics);
  const gates = metrics.flatMap((compared) =>
    compared.gates.flatMap((gate) => {
      const range = rangeOf(compared);
      if (!isMargin(gate) || gate.margin === null || range === null) return [];
      return [
        { metric: compared.metric.name, margin: gate.margin, range, share: lossOf(compared, gate.margin) / range },
      ];
    }),
  );
  const [hardest] = gates.toSorted((one, other) => one.share - other.share);
  if (why !== null || hardest === undefined) return { why, gate: null, noise: assumedNoise, expected: [] };
  const claims = gates.length * Math.max(1, compare?.candidates.length ?? 1);
  const levels = decisionLevels(decision);
  const looked = {
    margin: hardest.share,
    most: clusterSizes.reduce((most, { size }) => Math.max(most, size), 1),
    alpha: levels.alpha / claims,
    passAlpha: levels.passAlpha,
    atMost: Math.min(cases, mostCases),
  };
  const runs = { baseline: Math.max(repeats, compare?.noiseRepeats ?? 1), candidate: repeats };
  const expected = [0, 1, 2].map((times) => {
    const bot = { drop: Math.min(1, times * hardest.share), noise: assumedNoise, runs };
    const draw = (random: Random) => drawnCluster(bot, drawnSize(clusterSizes, random), random);
    return { drop: times * hardest.margin, ...imitatedRuns(draw, looked, { runs: imitations, seed: `plan ${times}` }) };
  });
  const { metric, margin } = hardest;
  return { why: null, gate: { metric, margin }, noise: assumedNoise, expected };
}

function drawnSize(sizes: SuitePlan["clusterSizes"], random: Random): number {
  const all = sizes.reduce((sum, { clusters }) => sum + clusters, 0);
  let left = Math.floor(random() * all);
  for (const { size, clusters } of sizes) {
    if (left < clusters) return size;
    left -= clusters;
  }
  return 1;
}
