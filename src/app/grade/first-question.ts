import type { JsonObject } from "../../lib/json.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { RunContext } from "../context.ts";
import type { Answer, JudgeScorer } from "../../score/contract/scorer.ts";
import { type Batch, setBatchState } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { unfinishedJobs } from "../../store/journal/unfinished.ts";
import { planFirstQuestion, questionReply } from "../../store/scores/judges.ts";
import { hasChecks, listScorings } from "../../store/scores/scores.ts";
import { type SendEnd, withBatchLock } from "../send/send.ts";
import type { Suite } from "../../suite/suite.ts";
import { visible } from "../../report/text/visible.ts";
import { mayGrade } from "./grading.ts";
import { type EnteredJudge, enteredJudges, questionTo } from "./questions.ts";
import { judgeReplyOf } from "./score-answer.ts";
import { openScorers, type Scorers } from "./scorers.ts";
import { sendQuestions } from "./send-questions.ts";
import { sampleAnswers } from "./trial.ts";

/** Characters of a reply that are shown. */
const mostShown = 200;

/** The question that a judge is asked first. */
interface First {
  asked: EnteredJudge;
  scorer: JudgeScorer;
  caseId: number;
  /** The questions about the sample; a judge of two answers is asked in one order. */
  bodies: JsonObject[];
}

/**
 * Asks each judge one question before any bot is asked: about what is expected in a case, as if it had been answered. Null:
 * all replies can be read, or no judge has to be asked; else the end, with the reason why no bot was asked. A batch that
 * was graded before has asked its judges.
 */
export async function askJudgesFirst(run: RunContext, batch: Batch): Promise<SendEnd | null> {
  const { db, suite, trust } = run;
  if (unfinishedJobs(db, batch.id).size === 0 || listScorings(db, batch.id).some(({ answers }) => answers > 0))
    return null;
  if (suite.judges.length === 0) return null;
  await using scorers = await openScorers(suite, { trust, checks: hasChecks(db, batch.id), before: null });
  const firsts = questionsToAsk(db, batch, { suite, scorers });
  if (firsts.length === 0) return null;
  return await withBatchLock(db, batch, () => askAll(run, batch, firsts));
}

async function askAll(run: RunContext, batch: Batch, firsts: First[]): Promise<SendEnd | null> {
  const { db } = run;
  let left = firsts;
  for (const isRepaired of [false, true]) {
    const asked = left.map((first) => ({ first, job: entered(db, batch, first, isRepaired) }));
    const isOpen = ({ job }: { job: number }): boolean => questionReply(db, job)?.outcome === null;
    const refused = new Set<string>();
    const end = asked.some(isOpen)
      ? await sendQuestions({ ...run, onEvent: noting(run.onEvent, refused) }, batch)
      : { stopped: [], stops: [] };
    const open = asked.filter(isOpen);
    // Interrupted, or the budget is spent: the stop says so.
    if (open.length > 0 && refused.size === 0) return end;
    const read = asked
      .filter((each) => !isOpen(each))
      .map(({ first, job }) => ({ first, said: saidBy(db, first, job, isRepaired) }));
    const faults = [
      ...open.map(({ first }) => `the judge ${nameOf(first)} did not take its first question`),
      ...read.flatMap(({ first, said }) => (typeof said === "string" ? [`the judge ${nameOf(first)} ${said}`] : [])),
    ];
    if (faults.length > 0) {
      const refusal = `no bot was asked: ${faults.join("; ")}`;
      setBatchState(db, batch.id, "stopped", { reason: refusal, keepsTime: false });
      return { ...end, refusal };
    }
    left = read.flatMap(({ first, said }) => (Array.isArray(said) ? [{ ...first, bodies: said }] : []));
  }
  return null;
}

/** Notes what was stopped because of an answer of a service, or because there was none. */
function noting(onEvent: RunContext["onEvent"], stopped: Set<string>): RunContext["onEvent"] {
  return (event) => {
    if ((event.type === "target-stopped" || event.type === "queue-stopped") && event.kind !== null) {
      stopped.add(event.queue);
    }
    onEvent(event);
  };
}

/**
 * The job that asks: one that the batch entered before, unless its reply is of no use. A reply of another batch would not tell
 * whether the judge is still there.
 */
function entered(db: Connection, batch: Batch, first: First, isRepaired: boolean): number {
  const { asked, caseId, bodies } = first;
  const [body = {}] = bodies;
  const question = { caseId, judge: asked.stored.id, ...questionTo(asked, body) };
  const job = planFirstQuestion(db, batch.id, { ...question, reuse: "own" });
  const isUseless = questionReply(db, job)?.outcome === "ok" && saidBy(db, first, job, isRepaired) !== null;
  return isUseless ? planFirstQuestion(db, batch.id, { ...question, reuse: "none" }) : job;
}

/** Null for a verdict; the question that asks once more; or why there is neither. */
function saidBy(
  db: Connection,
  { scorer, bodies }: First,
  job: number,
  isRepaired: boolean,
): null | string | JsonObject[] {
  const reply = questionReply(db, job);
  if (reply === undefined || reply.outcome !== "ok") {
    return `did not answer its first question (${reply?.outcome ?? "unknown"}): ${reply?.error ?? "no reason was given"}`;
  }
  const read = judgeReplyOf(reply);
  const said = scorer.read(
    // In the other order it would be another question, and the same form of reply.
    bodies.map(() => read),
    isRepaired,
    () => bodies,
  );
  if ("repair" in said) return said.repair;
  if (!("unscored" in said)) return null;
  const text = endpointOf(read.endpoint).textOf(read.output);
  return `replies what cannot be read (${said.unscored}): ${visible(JSON.stringify((text ?? "").slice(0, mostShown)))}`;
}

const nameOf = ({ asked }: First): string => visible(asked.judge.name);

/** Finds for each judge the question of its first scorer that asks about a sample. */
function questionsToAsk(db: Connection, batch: Batch, { suite, scorers }: { suite: Suite; scorers: Scorers }): First[] {
  const judges = enteredJudges(db, batch.id, { suite, judgeOf: scorers.judgeOf });
  const samples = sampleAnswers(db, batch);
  const firsts = new Map<string, First>();
  for (const [place, name] of scorers.judgeOf) {
    const [made, asked] = [scorers.made[place], judges.get(name)];
    if (made?.scorer.kind !== "judge" || asked === undefined || firsts.has(name)) continue;
    const { scorer } = made;
    for (const { caseId, answer } of samples.filter((sample) => mayGrade(made, sample.answer))) {
      const bodies = scorer.ask(answer, scorer.against === null ? null : otherThan(answer));
      if (!Array.isArray(bodies)) continue;
      firsts.set(name, { asked, scorer, caseId, bodies });
      break;
    }
  }
  return [...firsts.values()];
}

/** An answer with which a judge of two can compare another. */
function otherThan(answer: Answer): Answer {
  const output = endpointOf(answer.endpoint).outputSaying("Another sample answer.");
  return { ...answer, record: { id: null, url: null, createdAt: null, output } };
}
