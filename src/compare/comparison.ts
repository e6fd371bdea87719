import type { CaseResult } from "../store/results.ts";
import { candidateTally } from "./candidate-tally.ts";
import type { CandidateSummary } from "./candidate-tally.ts";
import { compareCase } from "./case-comparison.ts";
import type { CaseComparison, ComparedTarget, Lineup } from "./case-comparison.ts";
import { targetTally } from "./target-tally.ts";
import type { TargetSummary } from "./target-tally.ts";
import { validityOf } from "./validity.ts";
import type { Validity } from "./validity.ts";

/** What a batch came to: a summary whose size does not depend on the number of cases. */
export interface Comparison {
  cases: number;
  /** Null when nothing is compared. */
  baseline: string | null;
  targets: TargetSummary[];
  candidates: CandidateSummary[];
  /** Null when nothing is compared. */
  validity: Validity | null;
  /** Names of the dataset's columns, in the order in which they were met. */
  columns: string[];
}

/** Who is compared, and how many cases without a run record a valid comparison may have. */
export interface ComparisonSettings {
  /** All targets of the batch, in the order of the suite; `stopped`: why nothing more was sent to it. */
  targets: ReadonlyArray<ComparedTarget & { stopped?: string | null }>;
  /** Names of targets; null and none when nothing is compared. */
  baseline: string | null;
  candidates: readonly string[];
  /** Share of the cases, per target. */
  maxErrorShare: number;
}

/** Compares case by case. Take the summary after the cases have been drawn. */
export interface ComparisonStream {
  /** Compares a case and counts it. */
  add: (result: CaseResult) => CaseComparison;
  /** Each case compared, as it is read; memory stays flat. */
  cases: (results: Iterable<CaseResult>) => Generator<CaseComparison>;
  summary: () => Comparison;
}

export function comparisonStream(settings: ComparisonSettings): ComparisonStream {
  const lineup = lineupOf(settings);
  const targets = settings.targets.map((target) => ({
    name: target.target,
    tally: targetTally(target, target.stopped ?? null),
  }));
  const candidates = lineup.candidates.map(({ target }) => ({ name: target, tally: candidateTally(target) }));
  const columns = new Set<string>();
  let cases = 0;

  const count = (result: CaseResult, compared: CaseComparison): void => {
    cases += 1;
    for (const name of Object.keys(result.columns)) columns.add(name);
    const sides = new Map(compared.sides.map((side) => [side.target, side]));
    for (const { name, tally } of targets) {
      const side = sides.get(name);
      if (side !== undefined) tally.add(result, side);
    }
    const baseline = lineup.baseline === null ? undefined : sides.get(lineup.baseline.target);
    for (const { name, tally } of candidates) {
      const side = sides.get(name);
      const difference = compared.differences.find(({ candidate }) => candidate === name);
      if (baseline !== undefined && side !== undefined && difference !== undefined) {
        tally.add(compared, baseline, side, difference);
      }
    }
  };

  const add = (result: CaseResult): CaseComparison => {
    const compared = compareCase(result, lineup);
    count(result, compared);
    return compared;
  };

  return {
    add,
    *cases(results) {
      for (const result of results) yield add(result);
    },
    summary() {
      const sums = {
        cases,
        targets: targets.map(({ tally }) => tally.summary()),
        candidates: candidates.map(({ tally }) => tally.summary()),
      };
      const validity = candidates.length === 0 ? null : validityOf({ ...sums, maxErrorShare: settings.maxErrorShare });
      return { ...sums, baseline: lineup.baseline?.target ?? null, validity, columns: Array.from(columns) };
    },
  };
}

/** Compares all cases at once and gives only the summary. */
export function compareCases(results: Iterable<CaseResult>, settings: ComparisonSettings): Comparison {
  const stream = comparisonStream(settings);
  const cases = stream.cases(results);
  while (cases.next().done !== true);
  return stream.summary();
}

function lineupOf({ targets, baseline, candidates }: ComparisonSettings): Lineup {
  const base = targets.find(({ target }) => target === baseline) ?? null;
  const others = targets.filter(({ target }) => base !== null && target !== baseline && candidates.includes(target));
  return { targets, baseline: base, candidates: others };
}
