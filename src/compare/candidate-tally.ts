import type { CaseComparison, Difference, Side } from "./case-comparison.ts";
import { durations } from "./durations.ts";
import type { MemberKind } from "./members.ts";
import { ranking } from "./ranking.ts";

/** One candidate against the baseline, over all cases (first repeats). */
export interface CandidateSummary {
  candidate: string;
  /** Cases in which both sides have a run record: the counts of answers and members are out of these. */
  compared: number;
  /** Cases in which a side is not finished or was never planned. */
  unfinished: number;
  /** Cases in which a side ended without a run record. */
  failed: number;
  answerDiffers: number;
  membersDiffer: number;
  /** Out of all finished cases. */
  outcomeDiffers: number;
  /** Among the cases that expect a text and are finished: only the baseline's answer holds it, only the candidate's. */
  expectedLost: number;
  expectedGained: number;
  /** The most frequent first; see `otherMembers`. */
  members: MemberCount[];
  /** Differences in paths beyond the first 200 different ones that were met. */
  otherMembers: number;
  /** Mean of the distances that were measured; null when there are none. */
  meanDistance: number | null;
  /** Milliseconds between the sending of the two sides of a case, within 1 %; null when nothing was sent. */
  medianGapMs: number | null;
  /** At most 20: changes of outcome first, then an expected text lost or gained, then by distance. */
  mostDifferent: DifferentCase[];
}

/** In how many cases a member path differs in one respect. */
export interface MemberCount {
  path: string;
  kind: MemberKind;
  cases: number;
  /** How it differs in the first of them. */
  example: string;
}

/** A case of which a person should read both answers. */
export interface DifferentCase {
  key: string;
  distance: number | null;
  outcomeDiffers: boolean;
  baseline: DifferentSide;
  candidate: DifferentSide;
}

/** Enough of a side to show it; an answer is cut after its first 2,000 code units. */
export type DifferentSide = Pick<Side, "outcome" | "answer" | "expectedFound" | "url" | "error">;

/** Counts the differences of one candidate, case by case. */
export interface CandidateTally {
  add: (compared: CaseComparison, baseline: Side, candidate: Side, difference: Difference) => void;
  summary: () => CandidateSummary;
}

const mostShown = 20;
const mostPaths = 200;
const longestShown = 2000;

export function candidateTally(candidate: string): CandidateTally {
  const count = {
    compared: 0,
    unfinished: 0,
    failed: 0,
    answerDiffers: 0,
    membersDiffer: 0,
    outcomeDiffers: 0,
    expectedLost: 0,
    expectedGained: 0,
  };
  const distances = { sum: 0, count: 0 };
  const gaps = durations();
  const members = memberCounts();
  const most = ranking<DifferentCase>(mostShown);

  const countCase = (baseline: Side, other: Side, difference: Difference): void => {
    if (difference.outcomeDiffers === null) count.unfinished += 1;
    else if (difference.answerDiffers === null) count.failed += 1;
    else count.compared += 1;
    if (difference.answerDiffers === true) count.answerDiffers += 1;
    if (difference.outcomeDiffers === true) count.outcomeDiffers += 1;
    if (baseline.expectedFound === true && other.expectedFound === false) count.expectedLost += 1;
    if (baseline.expectedFound === false && other.expectedFound === true) count.expectedGained += 1;
  };

  return {
    add({ key }, baseline, other, difference) {
      countCase(baseline, other, difference);
      if (difference.distance !== null) {
        distances.sum += difference.distance;
        distances.count += 1;
      }
      if (difference.gapMs !== null) gaps.add(difference.gapMs);
      if (difference.members !== null && difference.members.length > 0) {
        count.membersDiffer += 1;
        members.add(difference);
      }
      const outcomeDiffers = difference.outcomeDiffers === true;
      if (difference.answerDiffers !== true && !outcomeDiffers) return;
      const rank = rankOf(baseline, other, difference);
      if (!most.admits(rank)) return;
      const { distance } = difference;
      most.add(rank, { key, distance, outcomeDiffers, baseline: shown(baseline), candidate: shown(other) });
    },
    summary: () => ({
      candidate,
      ...count,
      members: members.counts(),
      otherMembers: members.others(),
      meanDistance: distances.count === 0 ? null : distances.sum / distances.count,
      medianGapMs: gaps.quantile(0.5),
      mostDifferent: most.entries(),
    }),
  };
}

/** An answer against none counts as entirely different. */
function rankOf(baseline: Side, candidate: Side, difference: Difference): number[] {
  const flips =
    baseline.expectedFound !== null &&
    candidate.expectedFound !== null &&
    baseline.expectedFound !== candidate.expectedFound;
  return [difference.outcomeDiffers === true ? 1 : 0, flips ? 1 : 0, difference.distance ?? 1];
}

function shown({ outcome, answer, expectedFound, url, error }: Side): DifferentSide {
  return { outcome, answer: cut(answer), expectedFound, url, error: cut(error) };
}

function cut(text: string | null): string | null {
  if (text === null || text.length <= longestShown) return text;
  // A copy through bytes: a slice would keep the whole answer alive, which may be many megabytes.
  return `${Buffer.from(text.slice(0, longestShown)).toString()}…`;
}

/** Counts per path and kind; a function that returns random names cannot make it grow without end. */
function memberCounts(): { add: (difference: Difference) => void; counts: () => MemberCount[]; others: () => number } {
  const known = new Map<string, MemberCount>();
  let others = 0;
  return {
    add({ members }) {
      for (const { path, kind, baseline, candidate } of members ?? []) {
        const name = `${kind} ${path}`;
        const seen = known.get(name);
        if (seen !== undefined) seen.cases += 1;
        else if (known.size >= mostPaths) others += 1;
        else known.set(name, { path, kind, cases: 1, example: `${baseline} -> ${candidate}` });
      }
    },
    counts: () => Array.from(known.values()).toSorted((a, b) => b.cases - a.cases),
    others: () => others,
  };
}
