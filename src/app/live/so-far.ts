import { type CaseComparison, compareRead } from "../../compare/cases/case-comparison.ts";
import { readSide } from "../../compare/cases/case-side.ts";
import type { ComparisonSettings } from "../../compare/comparison.ts";
import { lowerIsBetter } from "../../compare/comparison-plan.ts";
import { reportMetrics } from "../../report/model/model-gates.ts";
import { reportRow } from "../../report/model/model-row.ts";
import { headOf } from "../../report/model/row-figures.ts";
import type { SoFar } from "../../report/shape/so-far.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { caseKeys } from "../../store/plan/case-keys.ts";
import { caseProgress, plannedCases } from "../../store/plan/planned-cases.ts";
import { hasChecks } from "../../store/scores/scores.ts";
import { gradingOf } from "../grade/grading.ts";
import { openScorers } from "../grade/scorers.ts";
import { gradedAtOnce, gradedCaseReader, provisionalComparison } from "./graded-now.ts";

/** Looks at the finished cases of a batch as they come, in the order of sending. */
export interface SoFarWatch {
  /** Looks at more, for about so many milliseconds. */
  advance: (budgetMs: number) => void;
  told: () => SoFar;
}

const shownRows = 40;
/** Cases that are begun and not finished: more are not waited for at a time. */
const mostOpen = 1000;

/**
 * Grades with the scorers that need nothing but the answer, and counts. A case counts once, by the first run of each
 * target, which may come late where a target runs less often than another. Nothing is written: what counts is graded at the end
 * of the run. Memory does not grow with the cases.
 */
export async function watchSoFar(db: Connection, batch: Batch): Promise<SoFarWatch> {
  const scorers = await openScorers(batch.suite, { trust: null, checks: hasChecks(db, batch.id), before: null });
  const grading = gradingOf(scorers);
  const atOnce = gradedAtOnce(grading);
  const { settings, batches } = provisionalComparison(db, batch, {
    suiteHash: scorers.hash,
    scorers: scorers.stored.filter((_, place) => atOnce.has(place)),
  });
  const later = scorers.stored.flatMap(({ metric }, place) => (atOnce.has(place) ? [] : [metric.name]));
  await scorers.close();
  const targets = batchTargets(db, batch.id);
  const repeats = Math.max(1, ...targets.map((target) => target.repeats));
  const readCase = gradedCaseReader(db, targets, { batches, grading, firstRuns: true });
  const keyOf = caseKeys(db);
  const tally = soFarTally(settings);
  const next = plannedCases(db, batch.id);
  const progress = caseProgress(db);
  /** Case to its first runs that were finished when it was looked at last. */
  const open = new Map<number, number>();
  const rows = new Map<number, SoFar["rows"][number]>();

  const look = (caseId: number, complete: boolean): void => {
    const result = readCase(keyOf(caseId));
    if (result === null) return;
    const read = settings.sides.map((side) => readSide(result, side, settings.metrics));
    const compared = compareRead(result, read, settings);
    if (complete) tally.add(compared);
    const at = Math.max(0, ...result.jobs.map(({ doneAt }) => doneAt ?? 0));
    rows.set(caseId, { at, complete, head: headOf(reportRow(result, compared, settings, 1)) });
  };

  return {
    advance(budgetMs) {
      const end = performance.now() + budgetMs;
      if (open.size < mostOpen) for (const id of next(mostOpen - open.size)) open.set(id, 0);
      for (const { caseId, jobs, finished } of progress(Array.from(open.keys()))) {
        if (performance.now() > end) break;
        if (finished === open.get(caseId)) continue;
        const complete = finished === jobs;
        look(caseId, complete);
        if (complete) open.delete(caseId);
        else open.set(caseId, finished);
      }
      const latest = Array.from(rows).toSorted(([, a], [, b]) => b.at - a.at);
      for (const [caseId] of latest.slice(shownRows)) rows.delete(caseId);
    },
    told: () => ({ ...tally.told(), repeats, later, rows: Array.from(rows.values()).toSorted((a, b) => b.at - a.at) }),
  };
}

/** Sums over cases: means and counts, no test and no interval, which would be looked at again and again. */
function soFarTally({ sides, pairs, metrics }: ComparisonSettings) {
  const isBackwards = metrics.map(lowerIsBetter);
  const own = sides.map(() => metrics.map(() => ({ cases: 0, sum: 0 })));
  const between = pairs.map(() => ({ same: 0, different: 0, metrics: metrics.map(noSums) }));
  let cases = 0;
  return {
    add({ sides: read, differences }: CaseComparison): void {
      cases += 1;
      for (const [side, sums] of own.entries()) {
        for (const [place, sum] of sums.entries()) {
          const mean = read[side]?.scores[place]?.mean ?? null;
          if (mean === null) continue;
          sum.cases += 1;
          sum.sum += mean;
        }
      }
      for (const [place, pair] of pairs.entries()) {
        const [counts, change] = [between[place], differences[place]?.change];
        if (counts === undefined || change === undefined) continue;
        if (change === "same") counts.same += 1;
        else if (change !== "not-compared") counts.different += 1;
        for (const [metric, sum] of counts.metrics.entries()) {
          const from = read[pair.baseline]?.scores[metric]?.mean ?? null;
          const to = read[pair.candidate]?.scores[metric]?.mean ?? null;
          if (from === null || to === null) continue;
          sum.cases += 1;
          sum.baseline += from;
          sum.now += to;
          if (from !== to) sum[to > from === isBackwards[metric] ? "worse" : "better"] += 1;
        }
      }
    },
    told(): Pick<SoFar, "cases" | "targets" | "pairs"> {
      const named = reportMetrics(metrics).map(({ name, passes }) => ({ metric: name, passes }));
      const nameOf = (side: number): string => sides[side]?.target ?? "";
      return {
        cases,
        targets: sides.map(({ target }, side) => ({
          name: target,
          scores: named.map((metric, place) => ({ ...metric, ...meanOf(own[side]?.[place]) })),
        })),
        pairs: pairs.map((pair, place) => {
          const { same = 0, different = 0, metrics: sums = [] } = between[place] ?? {};
          return {
            baseline: nameOf(pair.baseline),
            candidate: nameOf(pair.candidate),
            same,
            different,
            metrics: named.map((metric, at) => ({ ...metric, ...meansOf(sums[at] ?? noSums()) })),
          };
        }),
      };
    },
  };
}

const noSums = () => ({ cases: 0, baseline: 0, now: 0, worse: 0, better: 0 });

function meansOf({ cases, baseline, now, worse, better }: ReturnType<typeof noSums>) {
  const mean = (sum: number): number | null => (cases === 0 ? null : sum / cases);
  return { cases, baseline: mean(baseline), now: mean(now), worse, better };
}

function meanOf(sums: { cases: number; sum: number } | undefined): { cases: number; mean: number | null } {
  const { cases = 0, sum = 0 } = sums ?? {};
  return { cases, mean: cases === 0 ? null : sum / cases };
}
