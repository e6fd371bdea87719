import { pairVerdicts, type Preference } from "../../score/judge/pairwise.ts";
import { batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { jobTargets } from "../../store/results/results.ts";
import { type AskedQuestion, askedQuestions } from "../../store/scores/judges.ts";
import type { Scoring } from "../../store/scores/scores.ts";
import { judgeReplyOf } from "./score-answer.ts";

/** Decisions of a judge of two answers, and their dependence on which of them it saw first. */
export interface PairTotals {
  metric: string;
  /** The candidate. */
  target: string;
  /** Pairs about which both orders were answered and could be read. */
  pairs: number;
  wins: number;
  losses: number;
  /** Both orders called it a tie. */
  ties: number;
  /** The two orders said different things; each counts as a tie. */
  inconsistent: number;
  /** Share of the pairs on which both orders agree; null without pairs. */
  consistency: number | null;
  /** Share of replies for the answer shown first, among those that prefer one: 0.5 without a bias; null without any. */
  firstPreferred: number | null;
}

type Pair = readonly [Preference, Preference];

/** Counts the verdicts of all judges of two answers, by candidate, from their stored replies. */
export function pairTotals(db: Connection, scoring: Scoring): PairTotals[] {
  const places = new Set(scoring.scorers.flatMap(({ metric }, place) => (metric.against === null ? [] : [place])));
  if (places.size === 0) return [];
  // Replies to repeated questions count instead of those that could not be read.
  const again = new Map<string, Pair | null>();
  for (const { id, pair } of pairsOf(askedQuestions(db, scoring.id, 1), places)) again.set(id, pair);
  const targetOf = jobTargets(db);
  const tallies = new Map<string, Tally>();
  for (const { id, jobId, scorer, pair: first } of pairsOf(askedQuestions(db, scoring.id, 0), places)) {
    const pair = again.has(id) ? again.get(id) : first;
    if (pair === null || pair === undefined) continue;
    const key = `${scorer} ${targetOf(jobId)}`;
    const tally = tallies.get(key) ?? newTally();
    tallies.set(key, tally);
    count(tally, pair);
  }
  return batchTargets(db, scoring.batchId).flatMap(({ id, name: target }) =>
    [...places].flatMap((scorer) => {
      const tally = tallies.get(`${scorer} ${id}`);
      const metric = scoring.scorers[scorer]?.metric.name ?? "";
      return tally === undefined ? [] : [{ metric, target, ...totalsOf(tally) }];
    }),
  );
}

interface Tally {
  wins: number;
  losses: number;
  ties: number;
  inconsistent: number;
  first: number;
  second: number;
}

const newTally = (): Tally => ({ wins: 0, losses: 0, ties: 0, inconsistent: 0, first: 0, second: 0 });

/** The candidate was shown first for the first reply, the baseline for the second. */
function count(tally: Tally, [candidateFirst, baselineFirst]: Pair): void {
  if (candidateFirst !== baselineFirst) tally.inconsistent += 1;
  else if (candidateFirst === "candidate") tally.wins += 1;
  else if (candidateFirst === "baseline") tally.losses += 1;
  else tally.ties += 1;
  for (const [said, shownFirst] of [
    [candidateFirst, "candidate"],
    [baselineFirst, "baseline"],
  ] as const) {
    if (said !== "tie") tally[said === shownFirst ? "first" : "second"] += 1;
  }
}

function totalsOf({ wins, losses, ties, inconsistent, first, second }: Tally): Omit<PairTotals, "metric" | "target"> {
  const pairs = wins + losses + ties + inconsistent;
  return {
    pairs,
    wins,
    losses,
    ties,
    inconsistent,
    consistency: pairs === 0 ? null : (pairs - inconsistent) / pairs,
    firstPreferred: first + second === 0 ? null : first / (first + second),
  };
}

/** The verdicts about each answer in both orders; null where one cannot be read. */
function* pairsOf(
  questions: Iterable<AskedQuestion>,
  places: ReadonlySet<number>,
): Generator<{ id: string; jobId: number; scorer: number; pair: Pair | null }> {
  let own: AskedQuestion[] = [];
  for (const question of questions) {
    if (!places.has(question.scorer)) continue;
    const [head] = own;
    if (head !== undefined && (head.jobId !== question.jobId || head.scorer !== question.scorer)) {
      yield pairOf(own, head);
      own = [];
    }
    own.push(question);
  }
  const [head] = own;
  if (head !== undefined) yield pairOf(own, head);
}

function pairOf(questions: AskedQuestion[], { jobId, scorer }: AskedQuestion) {
  const replies = questions.map((question) => (question.outcome === "ok" ? judgeReplyOf(question) : null));
  const [first, second] = pairVerdicts(replies, []);
  const pair: Pair | null = first === null || second === null ? null : [first, second];
  return { id: `${jobId} ${scorer}`, jobId, scorer, pair };
}
