import { fewestToPassByBetting } from "../../stats/betting/fewest.ts";
import { type Bets, openBets, pOfBest } from "../../stats/betting/bets.ts";
import { type ComparedMetric, lossOf, type MetricGate, rangeOf, worstOf } from "../comparison-plan.ts";
import type { TaggedCases } from "../summary/gate-result.ts";
import type { GateStand } from "../summary/gates.ts";
import type { CaseNumbers } from "../cases/case-turn.ts";

/** A gate that is looked at while its cases come in. */
export interface WatchedGate {
  metric: string;
  candidate: string;
  slice: TaggedCases | null;
  /** Enters a case of the cluster that is being entered. */
  add: (numbers: CaseNumbers) => void;
  /** The cluster is whole. */
  end: () => void;
  /** Where it stands; `isValid`: something may be decided. */
  stand: (isValid: boolean) => GateStand;
  /** Its way to a decision, from 0 to 1, at these levels. */
  share: (levels: { regression: number; pass: number }) => number;
}

/** The part of the plan that a gate is about. */
export interface GatePlan {
  candidate: string;
  slice: TaggedCases | null;
  /** Values of the tag that its gate asks one by one; 1 without a tag. */
  values: number;
  /** Cases that it will have at most, and the most of one cluster. */
  planned: number;
  most: number;
  passAlpha: number;
}

export function watchedGate(compared: ComparedMetric, gate: MetricGate, plan: GatePlan): WatchedGate {
  const about = { metric: compared.metric.name, candidate: plan.candidate, slice: plan.slice };
  if (gate.kind === "losses") return { ...about, ...lossesWatch(gate.losses, plan) };
  return { ...about, ...marginWatch(compared, gate.margin ?? 0, plan) };
}

type Watch = Omit<WatchedGate, "metric" | "candidate" | "slice">;

function marginWatch(compared: ComparedMetric, margin: number, plan: GatePlan): Watch {
  const range = rangeOf(compared) ?? 1;
  const { most, planned, passAlpha, values } = plan;
  const wager = { margin: lossOf(compared, margin) / range, most };
  const bets = openBets(wager);
  // At its floor a metric says nothing, unless the candidate has surely risen from there.
  const rise = openBets({ margin: 0, most });
  const fewest = plan.slice === null ? 0 : fewestToPassByBetting(wager, passAlpha);
  const cluster = clusterOf([bets, rise], range);
  const worst = worstOf(compared) ?? 0;
  let [cases, baselines] = [0, 0];
  const isAtFloor = (): boolean => {
    if (cases === 0 || Math.abs(baselines / cases - worst) >= margin * (1 - 1e-9)) return false;
    return pOfBest(rise.best().pass) > 0.05;
  };
  return {
    add({ difference, baseline }) {
      if (Number.isNaN(difference)) return;
      cases += 1;
      baselines += baseline;
      cluster.add(difference);
    },
    end: () => cluster.end(),
    stand: (isValid) => ({
      kind: "margin",
      // It keeps its place among the gates: who is left out for a while must not make it easier for the others.
      claims: isValid ? claimsOf(bets) : { pRegression: 1, pPass: null },
      values,
      isAtFloor,
      hasTooFew: () => fewest > planned && !isAtFloor(),
    }),
    share(levels) {
      const { pass, regression } = bets.best();
      return Math.min(1, Math.max(pass / -Math.log(levels.pass), regression / -Math.log(levels.regression)));
    },
  };
}

function claimsOf(bets: Bets) {
  const { pass, regression } = bets.best();
  return { pRegression: pOfBest(regression), pPass: pOfBest(pass) };
}

/** Collects a cluster, which is bet on as a whole; the sum is compensated (Neumaier). */
function clusterOf(all: readonly Bets[], range: number) {
  let [total, lost, size] = [0, 0, 0];
  return {
    add(value: number): void {
      const next = total + value;
      lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
      total = next;
      size += 1;
    },
    end(): void {
      if (size > 0) for (const bets of all) bets.add((total + lost) / range, size);
      [total, lost, size] = [0, 0, 0];
    },
  };
}

/** Too many losses are so at once; none are only known of all cases. */
function lossesWatch(losses: number, { planned }: GatePlan): Watch {
  let [cases, lost, passing] = [0, 0, 0];
  return {
    add({ difference, baseline }) {
      cases += 1;
      if (Number.isNaN(difference)) return;
      passing += baseline;
      if (difference === -1) lost += 1;
    },
    end: () => {},
    stand(isValid) {
      const found = cases < planned || passing < 0.5 ? "inconclusive" : "pass";
      return { kind: "losses", state: !isValid ? "invalid" : lost > losses ? "regression" : found };
    },
    share: () => (lost > losses ? 1 : Math.min(1, cases / Math.max(1, planned))),
  };
}
