import { checkedJudges, decidingScorers, judgeIdentity } from "./checked-judges.ts";
import type { ReportedCheck } from "../../report/shape/model.ts";
import { costOf, isByToken, type Price } from "../../api/price.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { endpointWord } from "../../api/endpoint-name.ts";
import { type BatchTarget, batchTargets, targetAddress } from "../../store/batches.ts";
import { openDatabase } from "../../store/database.ts";
import type { Connection } from "../../store/connection.ts";
import {
  type EarlierRuns,
  countClusters,
  earlierRuns,
  longestCluster,
  plannedJobs,
} from "../../store/plan/expectation.ts";
import { keptQuestions } from "../../store/scores/judge-nights.ts";
import { hasChecks } from "../../store/scores/scores.ts";
import { asksAgain } from "../../suite/confirmation.ts";
import { judgePrice, targetPrice } from "../../suite/prices.ts";
import type { Rate, Suite } from "../../suite/suite.ts";
import { type PlannedRequest, plannedRequests } from "./planned-request.ts";
import { mismatchLines, missingScorerLines, unreadLines } from "./scorer-fit.ts";
import { prepareBatch, type PreparedBatch, type PrepareOptions } from "./prepare.ts";
import { askedJudges } from "../../suite/used.ts";

/** Requests, time and cost of a run; nothing was sent to know them. */
export interface SuitePlan extends Pick<PreparedBatch, "cases" | "stored" | "files" | "rowsShow" | "groupsShow"> {
  suite: string;
  /** Number of jobs that would be sent. */
  jobs: number;
  /** Conversations, where cases belong together; else as many as cases. */
  clusters: number;
  targets: TargetPlan[];
  /** Questions to judges about the answers, as jobs, at the most. */
  judges: TargetPlan[];
  /** The judge of each score, with its latest check for biases. */
  judgeChecks: (ReportedCheck & { judge: string })[];
  queues: QueueEstimate[];
  /** Questions of earlier checks that a night asks judges once a week beside these; cost null without a price. */
  weekly: { scorer: string; questions: number; cost: number | null }[];
  /** Time of the slowest queue, and of the slowest that asks judges after it; null: not known. */
  durationMs: number | null;
  /** It may take longer: something that counts is not known. */
  atLeast: boolean;
  /** Cost of all runs, without retries, in the unit of the prices; null when no deployment has a price. */
  cost: number | null;
  /** The most that asking the cases of a regression once more takes; null: nothing is asked again. */
  secondLook: { jobs: number; cost: number | null } | null;
  /** Deployments without a price, where others have one. */
  unpriced: string[];
  requests: PlannedRequest[];
  /** Scorers that do not fit what is expected, and the lack of any: sentences. */
  warnings: string[];
}

interface TargetPlan {
  target: string;
  deployment: string;
  baseUrl: string;
  /** In one word. */
  endpoint: string;
  exampleId: string;
  repeats: number;
  jobs: number;
  /** null without a price. */
  cost: number | null;
}

/** One endpoint of one deployment: what has limits of its own. */
export interface QueueEstimate {
  name: string;
  jobs: number;
  concurrency: number;
  rate: Rate | null;
  /** null: no run is stored to measure. */
  earlier: EarlierRuns | null;
  durationMs: number | null;
  atLeast: boolean;
}

export interface PlanRequest extends PrepareOptions {
  suite: Suite;
  /** A private folder that is removed afterwards. */
  scratch: string;
  /** The database with earlier runs, whether it exists or not. */
  database: string;
  /** The case whose requests are shown; null: the first of each target. */
  show: string | null;
  env: Readonly<Record<string, string | undefined>>;
}

/** Reads and checks everything as a run would, in a database of its own. Throws what a run would throw before it sends. */
export async function planSuite(request: PlanRequest): Promise<SuitePlan> {
  const { suite } = request;
  using db = openDatabase(join(request.scratch, "plan.db"));
  const { batch, cases, jobs, stored, expected, scorerNotes, files, ...shown } = await prepareBatch(db, suite, {
    ...request,
    earlier: request.database,
    proposesGroups: true,
  });
  const counts = plannedJobs(db, batch.id);
  const targets = batchTargets(db, batch.id).map((target) => ({
    ...target,
    jobs: target.deployment === "" ? 0 : (counts.get(target.id) ?? 0),
  }));
  const chain = suite.mapping.turn === null ? 1 : longestCluster(db, batch.id);
  using earlier = existsSync(request.database) ? openDatabase(request.database, { reading: true }) : null;
  const known = { suite, earlier };
  const queues = queueEstimates(known, targets, chain);
  const judges = plannedJudges(suite, targets);
  const judgeQueues = queueEstimates(known, judges, 1).map((queue) => ({ ...queue, name: `${queue.name} (judges)` }));
  const plans = targets.map((target) => targetPlan(target, targetPrice(suite, target), known));
  const judgePlans = judges.map((judge) => targetPlan(judge, judgePrice(suite, judge), known));
  const about = { expected, hasChecks: hasChecks(db, batch.id) };
  const [first, then] = [slowest(queues), slowest(judgeQueues)];
  return {
    suite: suite.name,
    cases,
    clusters: suite.mapping.cluster === null && suite.mapping.turns === undefined ? cases : countClusters(db, batch.id),
    jobs: jobs - stored,
    stored,
    targets: plans,
    judges: judgePlans,
    judgeChecks: checkedJudges(earlier, suite),
    weekly: weeklyPlans(known, judges),
    queues: [...queues, ...judgeQueues],
    durationMs: first === null && then === null ? null : (first ?? 0) + (then ?? 0),
    atLeast: [...queues, ...judgeQueues].some(({ atLeast }) => atLeast),
    ...costOfPlans([...plans, ...judgePlans]),
    secondLook: secondLookOf(suite, plans, judgePlans),
    rowsShow: [...shown.groupFaults, ...shown.rowsShow],
    groupsShow: shown.groupsShow,
    warnings: [
      ...mismatchLines(suite, expected, earlier),
      ...missingScorerLines(suite, about),
      ...unreadLines(suite, about),
      ...scorerNotes,
    ],
    files,
    requests: plannedRequests(db, batch.id, { suite, targets, show: request.show, env: request.env }),
  };
}

/** The cost of everything whose price is known, and the deployments of the rest; nothing where none is. */
function costOfPlans(plans: readonly TargetPlan[]): Pick<SuitePlan, "cost" | "unpriced"> {
  const asked = plans.filter(({ deployment }) => deployment !== "");
  if (asked.every(({ cost }) => cost === null)) return { cost: null, unpriced: [] };
  const unpriced = asked.flatMap(({ cost, deployment }) => (cost === null ? deployment : []));
  return { cost: asked.reduce((sum, { cost }) => sum + (cost ?? 0), 0), unpriced: [...new Set(unpriced)] };
}

/** Every case on both sides once more, with the questions to judges. */
function secondLookOf(
  suite: Suite,
  plans: readonly TargetPlan[],
  judges: readonly TargetPlan[],
): SuitePlan["secondLook"] {
  if (!asksAgain(suite)) return null;
  const asked = plans.filter(({ deployment }) => deployment !== "");
  const { cost } = costOfPlans([...asked, ...judges]);
  return { jobs: asked.reduce((sum, { jobs }) => sum + jobs, 0), cost };
}

/** Longest time of the queues. */
function slowest(queues: readonly QueueEstimate[]): number | null {
  const known = queues.flatMap(({ durationMs }) => durationMs ?? []);
  return known.length === 0 ? null : Math.max(...known);
}

/** A suite, and the database with its earlier runs. */
interface Known {
  suite: Suite;
  earlier: Connection | null;
}

/** A target, or a judge, with the jobs that it would be sent at the most. */
type CountedTarget = BatchTarget & { jobs: number };

/** The cost of a price by the token goes by what runs of the target took before. */
function targetPlan(target: CountedTarget, price: Price | null, { suite, earlier }: Known): TargetPlan {
  const { name, deployment, baseUrl, endpoint, exampleId, repeats, jobs } = target;
  const known = isByToken(price) && earlier !== null ? earlierRuns(earlier, suite.name, target) : null;
  const one = costOf(price, known?.usage ?? null);
  const cost = one === null ? null : one * jobs;
  return { target: name, deployment, baseUrl, endpoint: endpointWord(endpoint), exampleId, repeats, jobs, cost };
}

/** The judges of a suite that decide something, and whose questions were kept. */
function weeklyPlans({ suite, earlier }: Known, judges: readonly CountedTarget[]): SuitePlan["weekly"] {
  return decidingScorers(suite).flatMap((spec) => {
    const identity = judgeIdentity(suite, spec);
    const kept = identity === null || earlier === null ? null : keptQuestions(earlier, identity);
    const judge = judges.find(({ name }) => name === spec.options["target"]);
    if (judge === undefined || kept === null) return [];
    const questions = kept.questions.reduce((sum, { bodies }) => sum + bodies.length, 0);
    const { cost } = targetPlan({ ...judge, jobs: questions }, judgePrice(suite, judge), { suite, earlier });
    return [{ scorer: spec.name, questions, cost }];
  });
}

function queueEstimates({ suite, earlier }: Known, targets: CountedTarget[], chain: number): QueueEstimate[] {
  return suite.deployments.flatMap((deployment) => {
    const own = targets.filter((target) => target.deployment === deployment.name);
    const byEndpoint = Map.groupBy(own, ({ endpoint }) => endpointWord(endpoint));
    return Array.from(byEndpoint, ([endpoint, ofQueue]) => {
      const { name, concurrency, rate } = deployment;
      const jobs = ofQueue.reduce((sum, target) => sum + target.jobs, 0);
      const before = earlierOf(earlier, suite.name, ofQueue);
      const durationMs = expectedMs({ jobs, concurrency, rate, meanMs: before?.meanMs ?? null, chain });
      const atLeast = before === null && jobs > 0;
      return { name: `${name}/${endpoint}`, jobs, concurrency, rate, earlier: before, durationMs, atLeast };
    });
  });
}

/** Earlier runs of several targets, as one: weighed by the jobs that are planned. null when one is unknown. */
function earlierOf(db: Connection | null, suite: string, targets: CountedTarget[]): EarlierRuns | null {
  if (db === null) return null;
  const found = targets.map((target) => ({ jobs: target.jobs, earlier: earlierRuns(db, suite, target) }));
  const jobs = found.reduce((sum, one) => sum + one.jobs, 0);
  let [meanMs, runs, batch] = [0, 0, ""];
  for (const { jobs: own, earlier } of found) {
    if (earlier === null) return null;
    meanMs += (earlier.meanMs * own) / Math.max(1, jobs);
    runs += earlier.runs;
    batch = earlier.batch;
  }
  return { batch, runs, meanMs, usage: null };
}

/**
 * Time that jobs take at limits that are kept exactly: by the rate (a window's first requests leave at once), by the
 * runs that go on at once, and by the longest conversation, whose turns wait for each other. null: neither rate nor
 * duration is known.
 */
export function expectedMs(given: {
  jobs: number;
  concurrency: number;
  rate: Rate | null;
  /** Mean time of one run; null: not known. */
  meanMs: number | null;
  /** The most runs that wait for each other. */
  chain: number;
}): number | null {
  const { jobs, concurrency, rate, meanMs, chain } = given;
  if (jobs === 0) return 0;
  const byRate = rate === null ? null : Math.floor((jobs - 1) / rate.count) * rate.windowMs;
  // A rate that lets everything through at once says nothing.
  if (meanMs === null) return byRate === 0 ? null : byRate;
  const rounds = Math.max(jobs / concurrency, chain, 1);
  return Math.max(rounds * meanMs, (byRate ?? 0) + meanMs);
}

/** Counts the questions of a suite's scorers to its judges, by the jobs of the targets that are graded; what is known already is not asked again. */
function plannedJudges(suite: Suite, targets: readonly CountedTarget[]): CountedTarget[] {
  const all = targets.reduce((sum, { jobs }) => sum + jobs, 0);
  const baseline = targets.find(({ name }) => name === suite.compare?.baseline)?.jobs ?? 0;
  const cases = Math.max(0, ...targets.map(({ jobs, repeats }) => Math.ceil(jobs / repeats)));
  return askedJudges(suite).map((judge, index) => {
    const asking = suite.scorers.filter(({ options }) => options["target"] === judge.name);
    const questions = asking.map(({ type }) => {
      // A judge of two answers is asked in both orders, about each candidate.
      if (type === "pairwise") return 2 * (all - baseline);
      // A text that is expected is asked about once, whichever target answered.
      return type === "embedding-similarity" ? all + cases : all;
    });
    const { name, deployment, endpoint, exampleId } = judge;
    return {
      id: -1 - index,
      name,
      deployment,
      baseUrl: targetAddress(suite, judge),
      endpoint,
      exampleId,
      body: JSON.stringify(judge.body),
      repeats: 1,
      stopped: null,
      jobs: questions.reduce((sum, each) => sum + each, 0),
    };
  });
}
