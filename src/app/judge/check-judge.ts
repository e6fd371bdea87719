import { costOfRuns } from "../../api/price.ts";
import { AppError } from "../../errors.ts";
import { hashText } from "../../lib/hash.ts";
import type { JsonObject } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import type { Load } from "../../runner/drive.ts";
import { watchedAs } from "../../runner/runner.ts";
import type { JudgeScorer } from "../../score/contract/scorer.ts";
import { type MadeScorer } from "../../score/make.ts";
import { scorerOfType } from "../../score/registry.ts";
import { type AskedProbe, askedProbes, type ProbeGrade, readProbe } from "../../score/probes/asked-probes.ts";
import type { JudgeProbe, ProbeName } from "../../score/probes/probe-plan.ts";
import { defaultDoubtPolicy } from "../../store/at-workers.ts";
import { checkRead } from "../../store/batch-state.ts";
import { type Batch, findBatch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import { settleInDoubt } from "../../store/journal/in-doubt.ts";
import { createJudgeJournal } from "../../store/journal/judge-journal.ts";
import {
  askProbes,
  beginCheck,
  finishCheck,
  openCheck,
  probeReplies,
  type ProbeQuestion,
  type ProbeReply,
  unfinishedProbes,
} from "../../store/scores/judge-checks.ts";
import { batchJudges } from "../../store/scores/judges.ts";
import { judgePrice } from "../../suite/prices.ts";
import type { Suite } from "../../suite/suite.ts";
import { type EnteredJudge, enteredJudges, questionTo } from "../grade/questions.ts";
import { judgeReplyOf } from "../grade/score-answer.ts";
import { openScorers } from "../grade/scorers.ts";
import type { RunContext } from "../context.ts";
import { type SendEnd, sendLocked, withBatchLock } from "../send/send.ts";
import { checkVerdict, type JudgeVerdictOfCheck } from "./check-verdict.ts";
import { type BiasFinding, biasFindings, tolerance } from "./bias-findings.ts";
import { findingWords, type FindingWords } from "./finding-words.ts";
import { judgeIdentity } from "../plan/checked-judges.ts";
import { observedErrors } from "./observed-errors.ts";
import { probeSources, type ProbedAnswer } from "./probe-sources.ts";

/** A judge that is to be tried with the answers of a batch. */
export interface CheckRequest {
  out: string;
  /** Reference of the batch whose answers are used. */
  batch: string;
  /** One that the user names; null: that of the batch. */
  suite: Suite | null;
  /** Name of the score that the judge gives. */
  name: string;
  probes: readonly ProbeName[];
  cases: number;
  repeats: number;
  seed: string;
}

/** The questions of a check, before anything is sent. */
export interface CheckPlan {
  batch: string;
  scorer: string;
  judge: string;
  /** The things that it is tried for. */
  probes: readonly ProbeName[];
  /** Answers of the batch that the judge is tried with. */
  answers: number;
  /** Questions by what they try. */
  parts: { kind: JudgeProbe["kind"]; questions: number }[];
  questions: number;
  /** Questions of them that were answered before this check was broken off. */
  known: number;
  /** Null: no price is known. */
  cost: number | null;
  seed: string;
}

/** The result of a check. */
export interface JudgeCheckReport extends CheckPlan, JudgeVerdictOfCheck {
  /** ISO 8601. */
  at: string;
  /** Bias that is no bias, as a share of the scale. */
  tolerance: number;
  findings: ToldFinding[];
}

/** A finding with its words. */
export interface ToldFinding extends BiasFinding, FindingWords {}

interface Prepared {
  plan: CheckPlan;
  db: Connection;
  stored: Batch;
  suite: Suite;
  made: MadeScorer & { scorer: JudgeScorer };
  sources: readonly ProbedAnswer[];
  asked: readonly AskedProbe[];
  identity: string;
  questionOf: (place: number, bodies: readonly JsonObject[], round: number) => ProbeQuestion[];
  /** Hash of all first questions. */
  planHash: string;
  openId: number | null;
}

/** Says what a check would ask. Nothing is written. */
export async function planCheck(request: CheckRequest): Promise<CheckPlan> {
  using db = openDatabase(databasePath(request.out), { mustExist: true });
  return (await prepare(db, request)).plan;
}

/** Asks a judge the questions that try it and says what they show; null where questions are left. Broken off, it goes on where it was. */
export async function checkJudge(
  run: RunContext,
  request: CheckRequest,
  { onPlan, now }: { onPlan: (plan: CheckPlan) => Promise<void>; now: () => number },
): Promise<{ report: JudgeCheckReport | null; plan: CheckPlan; end: SendEnd }> {
  const prepared = await prepare(run.db, request);
  await onPlan(prepared.plan);
  return await withBatchLock(run.db, prepared.stored, () => ask(run, prepared, now));
}

async function prepare(db: Connection, request: CheckRequest): Promise<Prepared> {
  const stored = findBatch(db, request.batch);
  checkRead(db, stored);
  const suite = request.suite ?? stored.suite;
  const spec = suite.scorers.find(({ name }) => name === request.name);
  const identity = spec === undefined ? null : judgeIdentity(suite, spec);
  if (spec === undefined || identity === null) throw noJudge(suite, request.name);
  // A judge runs no code of the suite's.
  const scorers = await openScorers({ ...suite, scorers: [spec] }, { trust: null, checks: false, before: null });
  await scorers.close();
  const [made] = scorers.made;
  if (made?.scorer.kind !== "judge") throw noJudge(suite, request.name);
  const { scorer } = made;
  const baseline = (suite.compare ?? stored.suite.compare)?.baseline ?? null;
  const { cases, seed, probes, repeats } = request;
  const sources = probeSources(db, stored, { made, baseline, cases, seed });
  if (sources.length === 0) throw nothingToAsk(stored, spec.name, scorer);
  const asked = askedProbes(scorer, sources, { probes, repeats });
  const entered = enteredJudges(db, stored.id, { suite, judgeOf: new Map([[0, scorer.target]]) }).get(scorer.target);
  if (entered === undefined) throw noJudge(suite, request.name);
  const questionOf = questionsFor(entered, sources, asked);
  const planHash = hashText(JSON.stringify(asked.flatMap(({ bodies }, place) => questionOf(place, bodies, 0))), 40);
  const openId = openCheck(db, { batchId: stored.id, judge: identity, plan: planHash });
  const known = openId === null ? 0 : probeReplies(db, openId).filter(({ outcome }) => outcome !== null).length;
  const questions = asked.reduce((sum, { bodies }) => sum + bodies.length, 0);
  const price = judgePrice(suite, { name: scorer.target, deployment: entered.judge.deployment });
  const plan: CheckPlan = {
    batch: stored.name,
    scorer: spec.name,
    judge: scorer.target,
    probes,
    answers: sources.length,
    parts: Array.from(
      Map.groupBy(asked, ({ probe }) => probe.kind),
      ([kind, own]) => ({ kind, questions: own.reduce((sum, { bodies }) => sum + bodies.length, 0) }),
    ),
    questions,
    known,
    cost: costOfRuns(price, { runs: 0, input: 0, output: 0, cached: 0 }, questions - known),
    seed,
  };
  return { plan, db, stored, suite, made: { ...made, scorer }, sources, asked, identity, questionOf, planHash, openId };
}

function questionsFor(
  entered: EnteredJudge,
  sources: readonly ProbedAnswer[],
  asked: readonly AskedProbe[],
): Prepared["questionOf"] {
  return (place, bodies, round) => {
    const probe = asked[place]?.probe;
    const source = probe === undefined ? sources[0] : sources[probe.unit];
    return bodies.map((body, number) => {
      const question = questionTo(entered, body);
      return { place, round, number, caseId: source?.caseId ?? 0, judge: entered.stored.id, ...question };
    });
  };
}

/** Sends what is open, once more what could not be read, and makes the findings. */
async function ask(
  run: RunContext,
  prepared: Prepared,
  now: () => number,
): Promise<{ report: JudgeCheckReport | null; plan: CheckPlan; end: SendEnd }> {
  const { db, plan, stored, suite, made, asked, identity, questionOf } = prepared;
  const questions = asked.flatMap(({ bodies }, place) => questionOf(place, bodies, 0));
  const about = { batchId: stored.id, scorer: made.spec.name, judge: identity, plan: prepared.planHash };
  const checkId = prepared.openId ?? beginCheck(db, { ...about, questions });
  settleInDoubt(db, stored.id, defaultDoubtPolicy(db, stored.id, suite), "probe");
  const end: SendEnd = { stopped: [], stops: [] };
  for (const isRepaired of [false, true]) {
    const sent = await sendOpen(run, prepared);
    end.stopped.push(...sent.stopped);
    end.stops.push(...sent.stops);
    if (unfinishedProbes(db, stored.id).size > 0) return { report: null, plan, end };
    if (isRepaired) break;
    const again = readAll(prepared, probeReplies(db, checkId)).flatMap((read, place) => {
      if (!("repair" in read)) return [];
      // One that is as it was has a reply that could be read.
      const before = asked[place]?.bodies ?? [];
      return questionOf(place, read.repair, 1).filter(({ number }) => read.repair[number] !== before[number]);
    });
    if (again.length === 0) break;
    askProbes(db, { checkId, batchId: stored.id, questions: again });
  }
  const grades = readAll(prepared, probeReplies(db, checkId)).map((read, place): ProbeGrade => {
    const probe = asked[place]?.probe;
    if (probe === undefined) throw new Error("a check has a reply to what it does not ask");
    return "repair" in read ? { probe, score: { unscored: "the replies cannot be read" }, pair: null } : read;
  });
  const findings = biasFindings(grades, {
    metric: made.metric,
    observed: observedErrors(db, stored, { suite, name: made.spec.name }),
    probes: plan.probes,
  });
  const at = now();
  const told = findings.map((finding) => ({ ...finding, ...findingWords(finding) }));
  const report: JudgeCheckReport = {
    ...plan,
    ...checkVerdict(findings, plan.probes),
    at: new Date(at).toISOString(),
    tolerance,
    findings: told,
  };
  finishCheck(db, checkId, { result: JSON.stringify(report), at });
  return { report, plan, end };
}

/** The grade of each probe by the replies of its last round, or the questions that ask once more. */
function readAll({ asked, made }: Prepared, replies: readonly ProbeReply[]): ReturnType<typeof readProbe>[] {
  const byPlace = Map.groupBy(replies, ({ place }) => place);
  return asked.map((each, place) => {
    const own = byPlace.get(place) ?? [];
    const round = own.reduce((last, reply) => Math.max(last, reply.round), 0);
    // A reply that was read is not asked for again: it stands in the round before.
    const last = each.bodies.map(
      (_, number) =>
        own.find((reply) => reply.round === round && reply.number === number) ??
        own.find((reply) => reply.round === 0 && reply.number === number),
    );
    const read = last.map((reply) => (reply?.outcome === "ok" ? judgeReplyOf(reply) : null));
    return readProbe(made.scorer, each, { replies: read, isRepaired: round > 0 });
  });
}

function sendOpen(run: RunContext, { db, stored, suite, plan: { judge } }: Prepared): Promise<SendEnd> {
  const unfinished = unfinishedProbes(db, stored.id);
  if (unfinished.size === 0) return Promise.resolve({ stopped: [], stops: [] });
  const { name, deployments, onAmbiguous, judges, folder } = suite;
  const load: Load = {
    role: "judge",
    suite: { name, deployments, targets: judges, onAmbiguous, interleave: "off", folder },
    targets: batchJudges(db, stored.id).map((each) => ({
      ...each,
      price: judgePrice(suite, each),
      unfinished: unfinished.get(each.id) ?? 0,
    })),
    journal: createJudgeJournal(db, stored.id, "probe"),
    conversations: false,
    isAside: true,
    left: () => [...unfinishedProbes(db, stored.id).values()].reduce((sum, count) => sum + count, 0),
  };
  const onRunner: RunContext["onRunner"] = (runner) =>
    run.onRunner(
      watchedAs(runner, {
        snapshot: () => runner.snapshot().map((each) => ({ ...each, name: `${each.name} (check of ${judge})` })),
      }),
    );
  return sendLocked({ ...run, onRunner }, stored, load, { isLater: true });
}

function noJudge(suite: Suite, name: string): AppError {
  const judges = suite.scorers.flatMap((spec) => (judgeIdentity(suite, spec) === null ? [] : [spec.name]));
  const spec = suite.scorers.find((each) => each.name === name);
  const measures = spec !== undefined && scorerOfType(spec.type)?.family === "judge";
  const message = spec
    ? `The scorer ${showText(name)} of ${suite.name} is no judge${measures ? " that has an opinion: its model turns texts into numbers, and there is no bias to try" : ""}.`
    : `The suite ${suite.name} has no scorer ${showText(name)}.`;
  const listed =
    judges.length === 0
      ? "It has no judge: add a scorer of the type judge, function-judge or pairwise."
      : `Judges: ${judges.join(", ")}.`;
  return new AppError("USAGE", message, { hint: didYouMean(name, judges) ?? listed });
}

function nothingToAsk(batch: Batch, name: string, { against }: JudgeScorer): AppError {
  const what =
    against === null
      ? `no answer that ${name} would be asked about`
      : `no case with two different answers, of the baseline and of a candidate, that ${name} would be asked about`;
  return new AppError("USAGE", `${batch.name} has ${what}.`, {
    hint: "Name another batch: --batch NAME, or run the suite first.",
  });
}
