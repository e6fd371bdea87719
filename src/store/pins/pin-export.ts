import type { Connection } from "../connection.ts";
import type { Pin } from "./pins.ts";
import { pairedResults } from "../compared/paired-results.ts";
import { latestScoring, type Scoring } from "../scores/scores.ts";
import type { JobResult } from "../results/case-result.ts";
import { batchTargets } from "../batches.ts";
import type { PinnedCase, PinnedRun, PinnedTarget } from "./pin-lines.ts";

/** The written content of a pin: the answers and scores of its cases, without inputs and whole records. */
export interface PinContent {
  targets: PinnedTarget[];
  cases: (answerOf: AnswerOf) => Generator<PinnedCase>;
}

/** Reads the answer of a run. */
type AnswerOf = (target: PinnedTarget, job: JobResult) => string | null;

/** Reads the cases of a pin, the runs of its batches one after the other. The scores are those of its first batch's scorers. */
export function pinContent(db: Connection, { batches }: Pin): PinContent {
  const targets = new Map<string, PinnedTarget>();
  const names = new Map<number, string>();
  for (const { id } of batches) {
    for (const target of batchTargets(db, id)) {
      const { name, endpoint, exampleId, repeats } = target;
      names.set(target.id, name);
      const known = targets.get(name);
      targets.set(name, { name, endpoint, exampleId, repeats: (known?.repeats ?? 0) + repeats });
    }
  }
  const scorings = batches.map(({ id }) => latestScoring(db, id));
  const [first = null] = scorings;
  // Scores name their scorer by its place: those of other scorers would pass for those of the first batch.
  const compared = batches.map(({ id }, i) => ({
    batchId: id,
    scoringId: scorersOf(scorings[i]) === scorersOf(first) ? (scorings[i]?.id ?? null) : null,
  }));
  return {
    targets: Array.from(targets.values()),
    *cases(answerOf) {
      for (const { key, inputHash, cluster, turn, jobs } of pairedResults(db, compared)) {
        const runs: Record<string, PinnedRun[]> = {};
        for (const job of jobs) {
          const name = names.get(job.targetId) ?? "";
          const target = targets.get(name);
          if (target !== undefined) (runs[name] ??= []).push(pinnedRun(job, answerOf(target, job)));
        }
        yield { key, input_hash: inputHash, cluster, turn, runs };
      }
    },
  };
}

function scorersOf(scoring: Scoring | null | undefined): string {
  return JSON.stringify((scoring?.scorers ?? []).map(({ spec, code }) => [spec, code]));
}

function pinnedRun(job: JobResult, answer: string | null): PinnedRun {
  const { outcome, answer: kind, error, runId, url, createdAt, sentAt, doneAt, scores } = job;
  return {
    outcome,
    kind,
    answer,
    error,
    run_id: runId,
    url,
    created_at: createdAt,
    sent_at: sentAt,
    done_at: doneAt,
    scores: Array.from(scores, (score) =>
      score === undefined || score.lack === "row" ? null : { value: score.value, pass: score.pass },
    ),
  };
}
