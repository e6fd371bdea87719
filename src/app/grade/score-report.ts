import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { type JudgeTally, judgeTallies, repairedAnswers } from "../../store/scores/judges.ts";
import { countLabels } from "../../store/scores/labels.ts";
import type { Scoring } from "../../store/scores/scores.ts";
import type { Suite } from "../../suite/suite.ts";
import { withCosts } from "../plan/judge-costs.ts";
import type { Scored } from "./score-batch.ts";
import { type ScoreTotals, scoreTotals } from "./score-totals.ts";

/** The results of a scoring, for a terminal and for programs. */
export interface ScoreReport extends ScoreTotals {
  batch: string;
  batchId: number;
  state: Scored["state"];
  /** null: nothing was ever graded. */
  scoring: {
    id: number;
    suiteHash: string;
    createdAt: string;
    finishedAt: string | null;
    complete: boolean;
    answers: number;
    scorers: { name: string; type: string; primary: boolean; graded: string }[];
  } | null;
  judges: (JudgeTally & { cost: number | null })[];
  /** Answers about which a judge was asked again, because its reply could not be read, by scorer. */
  repaired: { metric: string; answers: number }[];
  labels: number;
}

const nothing: ScoreTotals = { metrics: [], passes: [] };

/** Counts what a scoring came to, from the database alone. */
export function scoreReport(
  db: Connection,
  batch: Batch,
  { scored, suite }: { scored: Pick<Scored, "scoring" | "state">; suite: Suite },
): ScoreReport {
  const { scoring, state } = scored;
  return {
    batch: batch.name,
    batchId: batch.id,
    state,
    scoring: scoring === null ? null : scoringJson(scoring),
    ...(scoring === null ? nothing : scoreTotals(db, scoring)),
    judges: scoring === null ? [] : withCosts(judgeTallies(db, scoring), suite),
    repaired: scoring === null ? [] : repairs(db, scoring),
    labels: countLabels(db, batch.id),
  };
}

function scoringJson(scoring: Scoring): NonNullable<ScoreReport["scoring"]> {
  const { id, suiteHash, complete, answers, createdAt, finishedAt, scorers } = scoring;
  return {
    id,
    suiteHash,
    createdAt: new Date(createdAt).toISOString(),
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    complete,
    answers,
    scorers: scorers.map(({ metric: { name, type, primary }, graded }) => ({ name, type, primary, graded })),
  };
}

function repairs(db: Connection, scoring: Scoring): ScoreReport["repaired"] {
  return repairedAnswers(db, scoring.id).map(({ scorer, answers }) => ({
    metric: scoring.scorers[scorer]?.metric.name ?? String(scorer),
    answers,
  }));
}
