import { endOf, type ShownOutcome, type OutcomeCounts } from "../../api/outcomes.ts";
import type { PairedResult } from "../cases/case-comparison.ts";
import { type ReadSide, latencyOf, usageOf } from "../cases/case-side.ts";
import { isSound, isSpared, lacksAnswer, notPlanned, triedAs } from "../cases/side-outcome.ts";
import { type EchoChange, type OutputShape, shapeTally, topMembers } from "./drift.ts";
import { type ComparedTarget, type ComparisonPlan, type ComparedMetric, lowerIsBetter } from "../comparison-plan.ts";
import { isOwn } from "../cases/pairing.ts";
import { scoreTally, type TargetScore, type ScoreTally } from "./score-tally.ts";
import type { CaseResult, JobScore, JobResult } from "../../store/results/case-result.ts";
import { costOfRuns, type Price, type TokenTotals } from "../../api/price.ts";
import { durations, type Durations } from "./durations.ts";
import { hash53 } from "../../lib/random.ts";
import { messageShape } from "../../text/message-shape.ts";
import { growingFloats } from "./growing.ts";
import type { TagValue } from "../slice-name.ts";
import { fileColumn } from "../../lib/file-column.ts";
import type { Interval } from "../../stats/interval.ts";
import type { SideValue } from "../cases/side-value.ts";
import type { Integer } from "../../lib/integer.ts";

/** Results of one target over all its jobs, repeats included. */
export interface TargetSummary extends JobCounts {
  target: string;
  endpoint: ComparedTarget["endpoint"];
  /** Cases of its batches. */
  cases: number;
  /** Their messages: those that differ only in numbers and ids are one group. The largest first, at most 20. */
  errorGroups: ErrorGroup[];
  /** Reasons why answers have no grade of a metric: they could not be graded, or the case lacks what is compared with. */
  ungraded: UngradedGroup[];
  /** Finished jobs that have an expected text, and those whose answer holds it; null when no case expects one. */
  expected: Share | null;
  /** Means over its cases, in the order of the metrics. */
  scores: TargetScore[];
  /** The primary metric by the values of tags, the lowest first; left out where targets are compared, and where there is none. */
  byTag?: TaggedScore[];
  /** Members at the top of its outputs. */
  members: number;
  /** Changes of the configuration that its outputs told while the batch ran. */
  echoChanges: EchoChange[];
  /** The reason why nothing more was sent to it; null otherwise. */
  stopped: string | null;
  /** Scores that people put in the place of what a scorer said; left out where there are none. */
  edited?: number;
  /** Scores that are made of these and were computed again; left out where there are none. */
  following?: number;
  /** Answers whose run id another one has; left out where there are none. */
  sharedIds?: SharedIds;
}

/** k of n. */
interface Share {
  found: number;
  of: number;
}

interface TalliedCase {
  /** Number of the case's cluster. */
  cluster: number;
  /** False for a case that was not looked at when the run was decided: its runs are told, and nothing is decided by them. */
  isCounted: boolean;
}

/** Counts the jobs of one target, case by case. `clustered`: several cases may be of one cluster. */
export function targetTally(
  target: ComparedTarget,
  { metrics, ignore, clustered, pairs }: Pick<ComparisonPlan, "metrics" | "ignore" | "pairs"> & { clustered: boolean },
) {
  const jobs = jobTally(target.price);
  const messages = jobMessages(metrics);
  const edits = editTally();
  const ids = sharedIds();
  const expected: Share = { found: 0, of: 0 };
  const scores = metrics.map((metric) => scoreTally(metric, clustered));
  // Where targets are compared the slices of the pairs say more.
  const primary = pairs.length > 0 ? -1 : metrics.findIndex(({ metric }) => metric.primary);
  const tags = taggedScores(metrics[primary] ?? null, clustered);
  const shapes = shapeTally(target.endpoint, ignore);
  let cases = 0;

  const countExpected = (found: boolean | null): void => {
    if (found === null) return;
    expected.of += 1;
    if (found) expected.found += 1;
  };

  return {
    add(result: PairedResult, { side, runs: all }: ReadSide, { cluster, isCounted }: TalliedCase): void {
      // A case that its batches do not have is not one of its own.
      if (all.length === 0 && !isOwn(result, target)) return;
      cases += 1;
      for (const { job, outcome, output, found } of all) {
        jobs.add(job, outcome, isCounted);
        messages.add(job, outcome, result);
        ids.add(job);
        countExpected(found);
        for (const score of job.scores) edits.add(score);
        if (output !== null && result.sampled !== false) shapes.add(output, job.sentAt);
      }
      if (all.length === 0) for (let run = 0; run < Math.max(1, target.repeats); run++) jobs.missing();
      if (isCounted) tags.add(result.tags, side.scores[primary], cluster);
      if (isCounted) scores.forEach((tally, place) => tally.add(side.scores[place], cluster));
    },
    summary(): TargetSummary {
      const [shape, shared] = [shapes.shape(), ids.counts()];
      return {
        target: target.target,
        endpoint: target.endpoint,
        cases,
        ...jobs.counts(),
        ...messages.groups(),
        expected: expected.of === 0 ? null : { ...expected },
        scores: scores.map((tally) => tally.score()),
        ...tags.result(),
        members: topMembers(shape).length,
        echoChanges: shape.changes,
        stopped: target.stopped,
        ...edits.counts(),
        ...(shared !== null && { sharedIds: shared }),
      };
    },
    /** Shape of its outputs; null if only answers are kept. */
    shape: (): OutputShape | null => (target.answersOnly ? null : shapes.shape()),
  };
}

/** Groups the messages of errors, and the reasons why answers have no grade. */
function jobMessages(metrics: ComparisonPlan["metrics"]) {
  const errors = messageTally<ShownOutcome>(
    (outcome) => outcome,
    (outcome) => endOf(outcome).follows,
  );
  const ungraded = messageTally<Pick<UngradedGroup, "metric" | "applies">>(
    ({ metric, applies }) => `${metric} ${applies}`,
  );
  // A scorer that passes and measures is two metrics: its answers are counted once.
  const scorers = metrics.filter(
    ({ metric }, i) => metrics.findIndex((other) => other.metric.name === metric.name) === i,
  );
  return {
    add(job: JobResult, outcome: ShownOutcome, found: Pick<CaseResult, "key" | "row" | "columns">): void {
      if (job.error !== null && lacksAnswer(outcome)) errors.add(outcome, job.error, found);
      for (const { metric, places } of scorers) {
        const score = job.scores[places.get(job.targetId) ?? -1];
        if (score === undefined || score.value !== null) continue;
        const kind = { metric: metric.name, applies: score.lack !== "row" };
        ungraded.add(kind, score.reason ?? "no reason is known", found);
      }
    },
    groups: (): Pick<TargetSummary, "errorGroups" | "ungraded"> => ({
      errorGroups: errors.groups().map(({ kind: outcome, ...group }) => ({ outcome, ...group })),
      ungraded: ungraded.groups().map(({ kind, ...group }) => ({ ...kind, ...group, row: group.rows[0]?.row ?? null })),
    }),
  };
}

/** Counts the scores that people edited, and those that follow them. */
function editTally() {
  let [edited, following] = [0, 0];
  return {
    add(score: JobScore | undefined): void {
      if (score?.edit === undefined) return;
      if (score.edit.from === undefined) edited += 1;
      else following += 1;
    },
    counts: (): Pick<TargetSummary, "edited" | "following"> => ({
      ...(edited === 0 ? {} : { edited }),
      ...(following === 0 ? {} : { following }),
    }),
  };
}

/** Counts of jobs, whatever was asked and expected. */
interface JobCounts {
  jobs: number;
  /** Jobs with a run record that answers: `answered`, `truncated` or `warning`. */
  answered: number;
  /** Outcome, and for a run record without a sound answer its kind (`empty`, `function-error`), to number of jobs. */
  errors: OutcomeCounts;
  unfinished: number;
  /** Jobs of the plan that were never sent, because the run was decided without them: one in doubt is not among them. */
  spared: number;
  /** Jobs whose answer was cut off or came with a warning; they are among the answered. */
  truncated: number;
  warnings: number;
  /** Milliseconds, of jobs with a run record, within 1 %; null when there are none. */
  latency: { median: number; p90: number; p95: number; p99: number } | null;
  attempts: number;
  possiblyPaid: number;
  /** Tokens of the runs that told them; null: none did. */
  tokens: TokenTotals | null;
  /** Runs with a record, and those that may have been paid without one: what `cost` is made of. */
  runsPaid: number;
  /** Price of the runs that are known or possibly paid; null without a price, or without the tokens that it needs. */
  cost: number | null;
  /** Price of the jobs that were spared; null where there are none, and where `cost` is not known. */
  saved: number | null;
  /** Runs of its cases, repeats included, without the turns that were skipped: what the error rate is a share of. */
  runsTried: number;
  /** Number of those runs without an answer: failed, not finished, not planned, or with a run record that answers nothing. */
  runsWithoutAnswer: number;
  /** Turns that were not sent because an earlier one of their conversation failed. */
  runsSkipped: number;
}

/** Counts jobs one by one. */
function jobTally(price: Price | null) {
  const latencies = durations();
  const errors = new Map<ShownOutcome, number>();
  const count = noJobs();
  const runs = { runsTried: 0, runsWithoutAnswer: 0, runsSkipped: 0 };
  const tokens: TokenTotals = { runs: 0, input: 0, output: 0, cached: 0 };
  let made = 0;

  const countOutcome = ({ attempts }: JobResult, outcome: ShownOutcome): void => {
    if (outcome === "unfinished") count.unfinished += 1;
    else if (isSpared(outcome)) count.spared += attempts === 0 ? 1 : 0;
    else if (isSound(outcome)) count.answered += 1;
    else if (lacksAnswer(outcome)) errors.set(outcome, (errors.get(outcome) ?? 0) + 1);
    if (outcome === "truncated") count.truncated += 1;
    if (outcome === "warning") count.warnings += 1;
  };

  const countRun = (job: JobResult | null, outcome: ShownOutcome): void => {
    const tried = triedAs(job, outcome);
    if (tried === "skipped") runs.runsSkipped += 1;
    if (tried === "answered" || tried === "unanswered") runs.runsTried += 1;
    if (tried === "unanswered") runs.runsWithoutAnswer += 1;
  };

  return {
    /** `isTried`: the run counts for the share of those without an answer. */
    add(job: JobResult, outcome: ShownOutcome, isTried: boolean): void {
      count.jobs += 1;
      count.attempts += job.attempts;
      if (job.possiblyPaid) count.possiblyPaid += 1;
      if (isTried) countRun(job, outcome);
      countOutcome(job, outcome);
      if (job.outcome !== "ok") return;
      made += 1;
      const latency = latencyOf(job);
      if (latency !== null) latencies.add(latency);
      const usage = usageOf(job);
      if (usage === null) return;
      tokens.runs += 1;
      tokens.input += usage.input;
      tokens.output += usage.output;
      tokens.cached += usage.cached ?? 0;
    },
    /** A run that was never planned has no job. */
    missing: (): void => countRun(null, notPlanned),
    counts: (): JobCounts => ({
      ...count,
      errors: byCount(errors),
      latency: quantilesOf(latencies),
      ...runs,
      tokens: tokens.runs === 0 ? null : tokens,
      runsPaid: made + count.possiblyPaid,
      cost: costOfRuns(price, tokens, made + count.possiblyPaid),
      saved: count.spared === 0 ? null : costOfRuns(price, tokens, count.spared),
    }),
  };
}

function noJobs() {
  return { jobs: 0, answered: 0, unfinished: 0, spared: 0, truncated: 0, warnings: 0, attempts: 0, possiblyPaid: 0 };
}

function quantilesOf({ count, quantile }: Durations): JobCounts["latency"] {
  const at = (share: number): number => quantile(share) ?? 0;
  return count() === 0 ? null : { median: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99) };
}

/** The most frequent first, those that follow from others last. */
function byCount(counts: ReadonlyMap<ShownOutcome, number>): OutcomeCounts {
  const sorted = Array.from(counts).toSorted(
    ([a, x], [b, y]) => Number(endOf(a).follows) - Number(endOf(b).follows) || y - x || (a < b ? -1 : 1),
  );
  return Object.fromEntries(sorted);
}

/** Messages of one kind that differ only in numbers and ids. */
interface MessageGroup<Kind> {
  kind: Kind;
  /** The message of the first of them, cut after 300 characters. */
  message: string;
  jobs: number;
  /** Key of the first case with it. */
  example: string;
  /** Rows of the first cases with it. */
  rows: RowPlace[];
}

/** The place of a case in its sheet. */
interface RowPlace {
  /** As a spreadsheet shows it; null where the case is of no file. */
  row: number | null;
  /** File of the row, where the dataset has several. */
  file: string | null;
}

/** Errors of one outcome whose messages differ only in numbers and ids. */
interface ErrorGroup extends Omit<MessageGroup<never>, "kind"> {
  outcome: ShownOutcome;
}

/** Runs that a metric has no grade of, for one reason. */
interface UngradedGroup extends Omit<MessageGroup<never>, "kind"> {
  metric: string;
  /** False: the case lacks what the scorer compares with. True: it could not be graded. */
  applies: boolean;
  /** Row of the first case as a spreadsheet shows it; null or left out: it is of no file. */
  row?: number | null;
}

const mostGroups = 500;
const mostShown = 20;
const longestMessage = 300;
/** Rows that are named of a group. */
const mostRows = 3;

/**
 * Counts messages by kind and shape; memory does not grow with them. `nameOf`: different kinds have different names. `follows`: such a kind
 * only follows from another one, however often.
 */
function messageTally<Kind>(nameOf: (kind: Kind) => string, follows: (kind: Kind) => boolean = () => false) {
  const groups = new Map<string, MessageGroup<Kind>>();
  return {
    add(
      kind: Kind,
      message: string,
      { key: example, row, columns }: Pick<CaseResult, "key" | "row" | "columns">,
    ): void {
      // A copy through bytes: a slice of the text would keep the whole message alive, which may be a page.
      const text = Buffer.from(message.slice(0, longestMessage)).toString();
      const shape = `${nameOf(kind)} ${messageShape(text)}`;
      const place = { row, file: columns[fileColumn] ?? null };
      const known = groups.get(shape);
      if (known === undefined) {
        if (groups.size < mostGroups) groups.set(shape, { kind, message: text, jobs: 1, example, rows: [place] });
        return;
      }
      known.jobs += 1;
      const last = known.rows.at(-1);
      // Several runs of a case are of one row.
      const isNext = last?.row !== place.row || last.file !== place.file;
      if (known.rows.length < mostRows && isNext) known.rows.push(place);
    },
    /** The largest groups first, those that only follow from others last; at most 20. */
    groups: (): MessageGroup<Kind>[] =>
      Array.from(groups.values(), (group) => ({ ...group, rows: [...group.rows] }))
        .toSorted((a, b) => Number(follows(a.kind)) - Number(follows(b.kind)) || b.jobs - a.jobs)
        .slice(0, mostShown),
  };
}

/** Answers that were sent for and came with a run id, and how many of them have one that another of them has, too. */
interface SharedIds {
  shared: number;
  of: number;
}

/** Counts answers whose run id is not their own, as from a cache on the way, in 8 bytes for each answer. */
function sharedIds() {
  const ids = growingFloats();
  return {
    add({ outcome, runId, sentAt }: Pick<JobResult, "outcome" | "runId" | "sentAt">): void {
      // Nothing was sent for a stored answer: rows of an export may well be of one run.
      if (outcome !== "ok" || runId === null || sentAt === null) return;
      ids.push(hash53(runId));
    },
    /** Null where each answer has an id of its own, or none. */
    counts(): SharedIds | null {
      // In their place, whose order means nothing: a copy would be 8 MB at a million answers.
      // oxlint-disable-next-line unicorn/no-array-sort
      const sorted = ids.view().sort();
      const shared = sorted.reduce((sum, id, at) => sum + (id === sorted[at - 1] || id === sorted[at + 1] ? 1 : 0), 0);
      return shared === 0 ? null : { shared, of: sorted.length };
    },
  };
}

/** A metric of one target in the cases with one value of a tag: a description, by which nothing is decided. */
export interface TaggedScore extends TagValue {
  /** Cases with it that have a score. */
  cases: Integer;
  /** Pass rate, or mean of the values. */
  mean: number | null;
  /** As of all cases together. */
  interval: Interval | null;
}

/** Values of tags that are counted, and those that are told: the lowest tell most. */
const mostCounted = 400;
const mostTold = 40;

/** Scores of a metric by the values of tags; null: of none. */
function taggedScores(compared: ComparedMetric | null, clustered: boolean) {
  const tallies = new Map<string, { tag: string; value: string; tally: ScoreTally }>();
  return {
    add(tags: Readonly<Record<string, string>>, score: SideValue | undefined, cluster: number): void {
      if (compared === null) return;
      for (const [tag, value] of Object.entries(tags)) {
        if (value.trim() === "") continue;
        const name = JSON.stringify([tag, value]);
        let known = tallies.get(name);
        if (known === undefined) {
          if (tallies.size >= mostCounted) continue;
          known = { tag, value, tally: scoreTally(compared, clustered) };
          tallies.set(name, known);
        }
        known.tally.add(score, cluster);
      }
    },
    result(): { byTag?: TaggedScore[] } {
      if (tallies.size === 0) return {};
      const found = Array.from(tallies.values(), ({ tag, value, tally }): TaggedScore => {
        const { cases, mean, interval } = tally.score();
        return { tag, value, cases, mean, interval };
      });
      const lower = compared !== null && lowerIsBetter(compared) ? -1 : 1;
      const reported = found
        .filter(({ cases }) => cases > 0)
        .toSorted((a, b) => lower * ((a.mean ?? 0) - (b.mean ?? 0)));
      return { byTag: reported.slice(0, mostTold) };
    },
  };
}
