import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { placesIn } from "../doctor/reply-places.ts";
import type { FirstLook } from "../../runner/first-jobs.ts";
import { visible } from "../../report/text/visible.ts";
import { counted } from "../../report/say/quantity.ts";
import type { RunContext } from "../context.ts";
import { type Answer, isBesideThePoint, type Score } from "../../score/contract/scorer.ts";
import { type MadeScorer, runsCode } from "../../score/make.ts";
import { scorerOfType } from "../../score/registry.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import { expectations, firstAnswers, firstCases } from "../../store/results/first-answers.ts";
import { caseResultReader } from "../../store/results/results.ts";
import { hasChecks } from "../../store/scores/scores.ts";
import { gradeAtOnce, type Grades, gradingOf, mayGrade } from "./grading.ts";
import { gradedCase, storedAnswer } from "./score-answer.ts";
import { openScorers, type Scorers } from "./scorers.ts";

const mostSamples = 3;

/** Characters of a reply that are shown. */
const mostShown = 400;

/**
 * Grades a sample with the modules and commands of a suite before anything is sent: a few cases, with their expected
 * answers for answers. Throws SCORER_FAILS for one that can grade none of them, such as a module with another export.
 */
export async function tryOwnScorers({ db, suite, trust }: RunContext, batch: Batch): Promise<void> {
  if (!suite.scorers.some(runsCode)) return;
  const samples = sampleAnswers(db, batch).map(({ answer }) => answer);
  await using scorers = await openScorers(suite, { trust, checks: false, before: null });
  for (const made of scorers.made) {
    if (made !== null && runsCode(made.spec)) await tryScorer(made, samples);
  }
}

/** Answers to a few cases before there are any: what is expected, as if the first target had given it. */
export function sampleAnswers(db: Connection, batch: Batch): { caseId: number; answer: Answer }[] {
  const [target] = batchTargets(db, batch.id);
  if (target === undefined) return [];
  const cases = caseResultReader(db)(firstCases(db, batch.id, mostSamples).toSorted((a, b) => a - b));
  return cases.map((one) => ({ caseId: one.caseId, answer: sampleAnswer(one, target) }));
}

/** The expected answer, as if the target had given it. */
function sampleAnswer(result: CaseResult, { name, endpoint }: { name: string; endpoint: EndpointName }): Answer {
  const output = endpointOf(endpoint).outputSaying(result.expected ?? "A sample answer.");
  return {
    case: gradedCase(result),
    target: name,
    endpoint,
    repeat: 1,
    outcome: "ok",
    answer: endpointOf(endpoint).kindOf(output),
    record: { id: null, url: null, createdAt: null, output },
    error: null,
    latencyMs: 1000,
    firstMs: 200,
    usage: { input: 100, output: 100 },
    attempts: 1,
  };
}

async function tryScorer({ spec, scorer, applies }: MadeScorer, samples: readonly Answer[]): Promise<void> {
  if (scorer.kind !== "effect") return;
  const reasons: string[] = [];
  for (const sample of samples.filter(applies)) {
    const score = await scorer.grade(sample);
    if (!("unscored" in score)) return;
    reasons.push(score.unscored);
  }
  const [first] = reasons;
  if (first === undefined) return;
  throw new AppError(
    "SCORER_FAILS",
    `The scorer ${showText(spec.name)} (${spec.type}) could not grade ${counted(reasons.length, "sample answer")}: ${first}. Nothing was sent.`,
    {
      hint: "It was tried with the expected answers of the first cases. Correct it and run again; --no-preflight sends without this trial.",
    },
  );
}

/** Looks at the first answers of a batch, if it can at those of cases in which one is expected: most scorers need that. */
export function firstLook(run: RunContext, batch: Batch): FirstLook {
  return { prefers: expectations(run.db).ofCase, examine: () => firstAnswersFault(run, batch) };
}

/**
 * Grades the first answer of each target: the reason why no scorer can grade one, or null when all can be. Judges are not
 * asked: they may be able to. A case in which nothing is expected, as in others there is, tells nothing of the scorers.
 */
async function firstAnswersFault({ db, suite, trust, onNotice }: RunContext, batch: Batch): Promise<string | null> {
  await using scorers = await openScorers(suite, { trust, checks: hasChecks(db, batch.id), before: null });
  for (const [target, answer] of givenAnswers(db, batch)) {
    const lack = lackOf(answer);
    noteWholeReply(target, answer, onNotice);
    if (lack !== null) return `the first answer of ${target} is not where the suite says: ${lack}`;
    const fault = await answerFault(scorers, answer);
    if (fault === null || (answer.case.expected === null && expectations(db).inBatch(batch.id))) continue;
    return `no scorer can grade the first answer of ${target}: ${fault}`;
  }
  return null;
}

/** Warns of JSON that is graded as the text that it is, because nothing says where the answer is in it. */
function noteWholeReply(target: string, { endpoint, outcome, record }: Answer, onNotice: RunContext["onNotice"]): void {
  const { readsWhole, textOf } = endpointOf(endpoint);
  const text = outcome === "ok" && record !== null && readsWhole ? textOf(record.output) : null;
  if (record === null || text === null || !/^\s*[{[]/.test(text)) return;
  const { answer } = placesIn(record.output["$"] ?? record.output);
  const written = answer === null ? "a JSONPath to the answer" : `\`answer: ${answer}\``;
  onNotice(
    `warning: ${target} replies in JSON, and all of it is graded, braces and names included: ${visible(text.slice(0, mostShownWhole))}. Write ${written} into its endpoint to grade the answer alone.`,
  );
}

/** Characters of a reply in a warning. */
const mostShownWhole = 120;

/** The reason why a first answer shows that its endpoint is described wrongly, with the beginning of the reply. */
function lackOf({ endpoint, outcome, record }: Answer): string | null {
  if (outcome !== "ok" || record === null) return null;
  const lack = endpointOf(endpoint).call.lacksAnswer(record.output);
  return lack === null ? null : `${lack}, which begins ${visible(JSON.stringify(record.output).slice(0, mostShown))}`;
}

function givenAnswers(db: Connection, batch: Batch): [target: string, Answer][] {
  const targets = new Map(batchTargets(db, batch.id).map((target) => [target.id, target]));
  const read = caseResultReader(db);
  return firstAnswers(db, batch.id).flatMap(({ targetId, jobId, caseId }): [string, Answer][] => {
    const [result] = read([caseId]);
    const target = targets.get(targetId);
    const job = result?.jobs.find((each) => each.jobId === jobId);
    if (result === undefined || target === undefined || job === undefined) return [];
    return [[target.name, storedAnswer(gradedCase(result), job, target)]];
  });
}

/** The reasons why no scorer that is about an answer can grade it; null: one can, a judge might, or at most tokens and the like are asked of it. */
async function answerFault({ made, stored }: Scorers, answer: Answer): Promise<string | null> {
  const grading = gradingOf({ made, stored });
  const about = made.flatMap((each) => (each !== null && mayGrade(each, answer) ? [each] : []));
  if (about.some(({ scorer }) => scorer.kind === "judge")) return null;
  const grades: Grades = [];
  gradeAtOnce(grading, answer, grades);
  for (const place of grading.effects) {
    const each = made[place];
    if (each?.scorer.kind === "effect" && mayGrade(each, answer)) grades[place] = await each.scorer.grade(answer);
  }
  const given = grades.flatMap((grade, place) =>
    grade === null || grade === undefined || grade === "later" || isBesideThePoint(grade) ? [] : [{ grade, place }],
  );
  const isMeasure = (place: number): boolean => {
    const spec = stored[place]?.spec;
    return spec !== undefined && !spec.primary && scorerOfType(spec.type)?.measuresRun === true;
  };
  if (given.every(({ place }) => isMeasure(place)) || given.some(({ grade }) => !("unscored" in grade))) return null;
  return given.map(({ grade, place }) => `${stored[place]?.spec.name ?? ""}: ${unscoredReason(grade)}`).join("; ");
}

const unscoredReason = (score: Score): string => ("unscored" in score ? score.unscored : "");
