import type { Night, NightDifference, NightTarget, SuiteHistory } from "../shape/history.ts";
import type { Cell } from "./spreadsheet.ts";

const ofNight = ["night", "batch", "started_at", "state", "verdict", "why", "against", "changed", "alarms"];
const ofTarget = ["value", "lower", "upper", "cases", "failed", "runs", "latency_ms", "cost"];
const ofDifference = ["difference", "difference_lower", "difference_upper"];

/** A history as a table: a line for each night, the header first. `alarms`: those that were noticed in that night. */
export function historyRows({ nights }: Pick<SuiteHistory, "nights">): Cell[][] {
  const targets = distinct(nights.flatMap((night) => night.targets.map(({ target }) => target)));
  const candidates = distinct(nights.flatMap((night) => night.differences.map(({ candidate }) => candidate)));
  const header = [
    ...ofNight,
    ...targets.flatMap((name) => ["metric", ...ofTarget].map((column) => `${name}.${column}`)),
    ...candidates.flatMap((name) => ofDifference.map((column) => `${name}.${column}`)),
  ];
  const rows = nights.map((night) => [
    ...nightCells(night),
    ...targets.flatMap((name) => targetCells(night.targets.find(({ target }) => target === name))),
    ...candidates.flatMap((name) => differenceCells(night.differences.find(({ candidate }) => candidate === name))),
  ]);
  return [header, ...rows];
}

function nightCells(night: Night): Cell[] {
  const { label, batch, at, state, verdict, why, against, changes, noticed } = night;
  return [
    label,
    batch,
    new Date(at).toISOString(),
    state,
    verdict,
    why,
    against,
    changes.join("; "),
    noticed.join(" "),
  ];
}

function targetCells(target: NightTarget | undefined): Cell[] {
  if (target === undefined) return [null, ...ofTarget.map(() => null)];
  const { metric, value, interval, cases, failed, runs, latencyMs, cost } = target;
  return [metric, value, interval?.lower ?? null, interval?.upper ?? null, cases, failed, runs, latencyMs, cost];
}

function differenceCells(found: NightDifference | undefined): Cell[] {
  return [found?.difference ?? null, found?.interval?.lower ?? null, found?.interval?.upper ?? null];
}

function distinct(names: readonly string[]): string[] {
  return Array.from(new Set(names));
}
