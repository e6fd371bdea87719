import { answerPasses } from "../../score/contract/case-pass.ts";
import { isBesideThePoint } from "../../score/contract/scorer.ts";
import type { Interval } from "../../stats/interval.ts";
import { wilsonInterval } from "../../stats/paired/proportion.ts";
import { batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { JobScore } from "../../store/results/case-result.ts";
import { scoredAnswers } from "../../store/scores/scored-answers.ts";
import type { Scoring } from "../../store/scores/scores.ts";
import { scoreOf } from "../../store/results/case-result.ts";

/** Totals of one scorer over the answers of one target. */
export interface MetricTotals {
  metric: string;
  target: string;
  /** Answers with a score; the unscored are apart. */
  scored: number;
  unscored: number;
  mean: number | null;
  /** Pass rate of the answers that pass or fail; null for a scorer that only measures. */
  passed: PassRate | null;
}

/** A share with Wilson's 95 % interval. */
export interface PassRate {
  count: number;
  of: number;
  share: number | null;
  interval: Interval | null;
}

/** Everything that a scoring came to. */
export interface ScoreTotals {
  metrics: MetricTotals[];
  /** Answers that pass as a whole by the suite's rule, by target; `undecided`: something that counts is unscored. */
  passes: { target: string; passed: PassRate; undecided: number }[];
}

/** Counts a scoring in one pass over its scores. */
export function scoreTotals(db: Connection, scoring: Scoring): ScoreTotals {
  const metrics = scoring.scorers.map(({ metric }) => metric);
  const targets = batchTargets(db, scoring.batchId).map(({ id, name }) => ({
    id,
    name,
    tallies: metrics.map(() => ({ scored: 0, unscored: 0, sum: 0, passed: 0, rated: 0 })),
    whole: { pass: 0, fail: 0, undecided: 0 },
  }));
  const byId = new Map(targets.map((target) => [target.id, target]));
  for (const { targetId, scores } of scoredAnswers(db, scoring.id)) {
    const target = byId.get(targetId);
    if (target === undefined) continue;
    for (const [place, tally] of target.tallies.entries()) addTo(tally, scores[place]);
    const graded = metrics.map((_, place) => (scores[place] === undefined ? null : scoreOf(scores[place])));
    if (graded.every((score) => score === null || isBesideThePoint(score))) continue;
    const pass = answerPasses(scoring.rule, metrics, graded);
    target.whole[pass === null ? "undecided" : pass ? "pass" : "fail"] += 1;
  }
  return {
    metrics: metrics.flatMap(({ name: metric }, place) =>
      targets.flatMap(({ name: target, tallies }): MetricTotals[] => {
        const tally = tallies[place];
        if (tally === undefined || tally.scored + tally.unscored === 0) return [];
        const { scored, unscored, sum, passed, rated } = tally;
        const mean = scored === 0 ? null : sum / scored;
        return [{ metric, target, scored, unscored, mean, passed: rated === 0 ? null : rateOf(passed, rated) }];
      }),
    ),
    passes: targets.flatMap(({ name: target, whole: { pass, fail, undecided } }) =>
      pass + fail + undecided === 0 ? [] : [{ target, passed: rateOf(pass, pass + fail), undecided }],
    ),
  };
}

interface Tally {
  scored: number;
  unscored: number;
  sum: number;
  passed: number;
  rated: number;
}

function addTo(tally: Tally, score: JobScore | undefined): void {
  if (score === undefined || score.lack === "row") return;
  const { value, pass } = score;
  if (value === null) {
    tally.unscored += 1;
    return;
  }
  tally.scored += 1;
  tally.sum += value;
  if (pass === null) return;
  tally.rated += 1;
  if (pass) tally.passed += 1;
}

function rateOf(count: number, of: number): PassRate {
  return { count, of, share: of === 0 ? null : count / of, interval: wilsonInterval(count, of, 0.95) };
}
