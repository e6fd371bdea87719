import { costOfRuns } from "../../api/price.ts";
import { AppError } from "../../errors.ts";
import type { Integer } from "../../lib/integer.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import type { JudgeScorer, Metric } from "../../score/contract/scorer.ts";
import type { ScorerSpec } from "../../score/contract/spec.ts";
import { scorerOfType } from "../../score/registry.ts";
import { type AskedProbe, askedProbes, type ProbeGrade } from "../../score/probes/asked-probes.ts";
import type { JudgeProbe, ProbeName } from "../../score/probes/probe-plan.ts";
import { checkRead } from "../../store/batch-state.ts";
import { type Batch, findBatch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import { probeReplies } from "../../store/scores/judge-checks.ts";
import { endCheck } from "../../store/scores/judge-nights.ts";
import { judgePrice } from "../../suite/prices.ts";
import type { Suite } from "../../suite/suite.ts";
import { enteredJudges } from "../grade/questions.ts";
import type { RunContext } from "../context.ts";
import { type SendEnd, withBatchLock } from "../send/send.ts";
import { askAll, brokenOffCheck, type ProbeList } from "./ask-probes.ts";
import { type BiasFinding, biasFindings, tolerance } from "./bias-findings.ts";
import { checkVerdict, findingWords, type FindingWords, type JudgeVerdictOfCheck } from "./finding-words.ts";
import { factsOf } from "./judge-facts.ts";
import { keptOf, openJudge, watchedGrade } from "./kept-questions.ts";
import { judgeIdentity } from "../plan/checked-judges.ts";
import { observedErrors } from "./observed-errors.ts";
import { probeSources } from "./probe-sources.ts";

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
  /** Questions of it that `tandem night` asks again each week where the judge decides a gate; 0: they are too few. */
  kept: Integer;
}

/** A finding with its words. */
export interface ToldFinding extends BiasFinding, FindingWords {}

interface Prepared {
  plan: CheckPlan;
  list: ProbeList;
  spec: ScorerSpec;
  metric: Metric;
  asked: readonly AskedProbe[];
  /** The batch may have other answers than were drawn. */
  hasMore: boolean;
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
  return await withBatchLock(run.db, prepared.list.batch, () => ask(run, prepared, now));
}

async function prepare(db: Connection, request: CheckRequest): Promise<Prepared> {
  const stored = findBatch(db, request.batch);
  checkRead(db, stored);
  const suite = request.suite ?? stored.suite;
  const spec = suite.scorers.find(({ name }) => name === request.name);
  const opened = spec === undefined ? null : await openJudge(suite, spec);
  if (spec === undefined || opened === null) throw noJudge(suite, request.name);
  const { made, scorer, identity } = opened;
  const baseline = (suite.compare ?? stored.suite.compare)?.baseline ?? null;
  const { cases, seed, probes, repeats } = request;
  const sources = probeSources(db, stored, { made, baseline, cases, seed });
  if (sources.length === 0) throw nothingToAsk(stored, spec.name, scorer);
  const asked = askedProbes(scorer, sources, { probes, repeats });
  const entered = enteredJudges(db, stored.id, { suite, judgeOf: new Map([[0, scorer.target]]) }).get(scorer.target);
  if (entered === undefined) throw noJudge(suite, request.name);
  const list: ProbeList = {
    batch: stored,
    suite,
    name: spec.name,
    scorer,
    entered,
    identity,
    probes: asked.map(({ bodies, probe }) => ({ bodies, caseId: sources[probe.unit]?.caseId ?? 0 })),
  };
  const openId = brokenOffCheck(db, list);
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
  return { plan, list, spec, metric: made.metric, asked, hasMore: sources.length >= cases };
}

/** Sends what is open, once more what could not be read, and makes the findings. */
async function ask(
  run: RunContext,
  { plan, list, spec, metric, asked, hasMore }: Prepared,
  now: () => number,
): Promise<{ report: JudgeCheckReport | null; plan: CheckPlan; end: SendEnd }> {
  const { db } = run;
  const { checkId, readings, isOpen, end } = await askAll(run, list);
  if (isOpen) return { report: null, plan, end };
  const grades = asked.flatMap(({ probe }, place): ProbeGrade[] => {
    const reading = readings[place];
    return reading === undefined ? [] : [{ probe, ...reading }];
  });
  const { batch, suite, name, identity } = list;
  const findings = biasFindings(grades, {
    metric,
    observed: observedErrors(db, batch, { suite, name }),
    probes: plan.probes,
  });
  const kept = keptOf(grades, { asked, gradeOf: watchedGrade(suite, metric) });
  const at = now();
  const report: JudgeCheckReport = {
    ...plan,
    ...checkVerdict(findings, plan.probes),
    at: new Date(at).toISOString(),
    tolerance,
    findings: findings.map((finding) => ({ ...finding, ...findingWords(finding, hasMore) })),
    kept: kept?.questions.length ?? 0,
  };
  const facts = factsOf(
    { suite, spec },
    probeReplies(db, checkId).flatMap(({ body }) => body ?? []),
  );
  endCheck(
    db,
    { checkId, judge: identity, at, result: JSON.stringify(report) },
    kept === null ? null : { ...kept, facts },
  );
  return { report, plan, end };
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
