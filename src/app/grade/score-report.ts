import { sideOutcome } from "../../compare/cases/side-outcome.ts";
import { fileColumn } from "../../lib/file-column.ts";
import type { Cell } from "../../report/tables/spreadsheet.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { batchColumns } from "../../store/results/results.ts";
import { type JudgeTally, judgeTallies, repairedAnswers } from "../../store/scores/judges.ts";
import { countLabels } from "../../store/scores/labels.ts";
import { type Scoring, scoredResults } from "../../store/scores/scores.ts";
import type { Suite } from "../../suite/suite.ts";
import { withCosts } from "../plan/judge-costs.ts";
import { pairTotals, type PairTotals } from "./pair-totals.ts";
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
  /** Decisions of judges of two answers, and their dependence on the order. */
  pairs: PairTotals[];
  labels: number;
}

const nothing: ScoreTotals = { metrics: [], passes: [], groups: [], leftOut: [] };

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
    pairs: scoring === null ? [] : pairTotals(db, scoring),
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

/** Every score of a scoring as lines of a table, the header first; memory stays flat. */
export function* scoreRows(db: Connection, { batchId, scoring }: ScoreReport): Generator<Cell[]> {
  // As in the other tables, the name of the file is a column only where the rows are of several.
  const ofFile = batchColumns(db, batchId).filter((name) => name === fileColumn);
  yield [
    "case_key",
    "row",
    ...ofFile,
    "target",
    "repeat",
    "outcome",
    "scorer",
    "value",
    "pass",
    "reason",
    "run_id",
    "url",
  ];
  if (scoring === null) return;
  const targets = new Map(batchTargets(db, batchId).map(({ id, name }) => [id, name]));
  for (const { key, row, columns, jobs } of scoredResults(db, batchId, scoring.id, { reasons: true })) {
    for (const job of jobs) {
      const { targetId, repeat, runId, url, scores } = job;
      for (const [at, score] of scores.entries()) {
        if (score === undefined) continue;
        const { value, pass, reason } = score;
        const name = scoring.scorers[at]?.name ?? "";
        const place = [key, row, ...ofFile.map((column) => columns[column] ?? null)];
        const target = targets.get(targetId) ?? "";
        yield [...place, target, repeat, sideOutcome(job), name, value, pass, reason, runId, url];
      }
    }
  }
}
