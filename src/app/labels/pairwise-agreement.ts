import { cohensKappa, type Kappa } from "../../stats/rater-agreement.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import {
  pairwiseLabels,
  type BetterSide,
  preferences,
  type StoredPairwiseLabel,
} from "../../store/scores/pairwise-labels.ts";
import { jobScores, type Scoring } from "../../store/scores/scores.ts";

/** Votes on which of two answers is better, for a candidate and its baseline. */
export interface PairwiseAgreement {
  baseline: string;
  candidate: string;
  votes: number;
  /** Votes of people who saw the names only afterwards. */
  blind: number;
  candidateBetter: number;
  baselineBetter: number;
  neither: number;
  /** Scorers against people, where both prefer one of the two answers. */
  scorers: { scorer: string; answers: number; agree: number; kappa: Kappa }[];
  /** People against people, for each two who voted on the same answers. */
  authors: { authors: [string, string]; answers: number; kappa: Kappa }[];
}

/** Holds the votes on the answers of a batch against each other, and against what its scorers prefer. */
export function pairwiseAgreement(db: Connection, batch: Batch, scoring: Scoring | null): PairwiseAgreement[] {
  const groups = Map.groupBy(pairwiseLabels(db, batch.id), ({ baseline, candidate }) =>
    JSON.stringify([baseline, candidate]),
  );
  return Array.from(groups.values(), (votes) => {
    const [{ baseline, candidate } = { baseline: "", candidate: "" }] = votes;
    const count = (wanted: BetterSide): number => votes.filter(({ better }) => better === wanted).length;
    return {
      baseline,
      candidate,
      votes: votes.length,
      blind: votes.filter(({ blind }) => blind).length,
      candidateBetter: count("candidate"),
      baselineBetter: count("baseline"),
      neither: count("neither"),
      scorers: scoring === null ? [] : scorersAgainst(db, scoring, votes),
      authors: votersAgainst(votes),
    };
  });
}

function scorersAgainst(
  db: Connection,
  scoring: Scoring,
  votes: readonly StoredPairwiseLabel[],
): PairwiseAgreement["scorers"] {
  const scored = votes.map((vote) => ({
    better: vote.better,
    before: jobScores(db, scoring.id, { caseId: vote.baselineCase, jobId: vote.baselineJob }),
    now: jobScores(db, scoring.id, { caseId: vote.caseId, jobId: vote.candidateJob }),
  }));
  return scoring.scorers.flatMap(({ metric }, place) => {
    const table: [[number, number], [number, number]] = [
      [0, 0],
      [0, 0],
    ];
    for (const { better, before, now } of scored) {
      const [from, to] = [before[place]?.value ?? null, now[place]?.value ?? null];
      if (better === "neither" || from === null || to === null || from === to) continue;
      table[better === "candidate" ? 0 : 1][to > from === metric.lowerIsBetter ? 1 : 0] += 1;
    }
    const [[both, onlyPeople], [onlyScorer, none]] = table;
    const answers = both + onlyPeople + onlyScorer + none;
    return answers === 0 ? [] : [{ scorer: metric.name, answers, agree: both + none, kappa: cohensKappa(table) }];
  });
}

const mostVoters = 20;

function votersAgainst(votes: readonly StoredPairwiseLabel[]): PairwiseAgreement["authors"] {
  const byAnswers = Map.groupBy(votes, ({ baselineJob, candidateJob }) => `${baselineJob} ${candidateJob}`);
  const authors = Array.from(new Set(votes.map(({ author }) => author))).slice(0, mostVoters);
  return authors.flatMap((one, index) =>
    authors.slice(index + 1).flatMap((other) => {
      const table = preferences.map(() => preferences.map(() => 0));
      let answers = 0;
      for (const group of byAnswers.values()) {
        const [first, second] = [one, other].map((author) => group.find((vote) => vote.author === author));
        const row = first === undefined ? undefined : table[preferences.indexOf(first.better)];
        if (row === undefined || second === undefined) continue;
        answers += 1;
        const column = preferences.indexOf(second.better);
        row[column] = (row[column] ?? 0) + 1;
      }
      const both: [string, string] = [one, other];
      return answers === 0 ? [] : [{ authors: both, answers, kappa: cohensKappa(table) }];
    }),
  );
}
