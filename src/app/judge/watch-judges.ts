import { costOfRuns } from "../../api/price.ts";
import { ageOfDate } from "../../lib/clock.ts";
import type { ScorerSpec } from "../../score/contract/spec.ts";
import { judgeChangedSince, flipsOf, type GradesInOrder } from "../../stats/judged/grade-watch.ts";
import type { Batch } from "../../store/batches.ts";
import {
  type AskedAgain,
  type JudgeNight,
  type JudgeSign,
  judgeNights,
  type KeptQuestions,
  keptQuestions,
  newReplies,
  noteJudgeNight,
} from "../../store/scores/judge-nights.ts";
import { dropOpenChecks, isAskingAgain } from "../../store/scores/judge-checks.ts";
import { tallyOfCheck } from "../../store/scores/judges.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import { caseSpan } from "../../store/results/result-rows.ts";
import { judgePrice } from "../../suite/prices.ts";
import type { RunContext } from "../context.ts";
import { enteredJudges } from "../grade/questions.ts";
import { decidingScorers, judgeIdentity } from "../plan/checked-judges.ts";
import { withBatchLock } from "../send/send.ts";
import { askAll } from "./ask-probes.ts";
import { changedFactsOf, factsOf } from "./judge-facts.ts";
import { openJudge, watchedGrade } from "./kept-questions.ts";

/** A night that begins a little earlier than the one of last week asks too. */
const weekMs = 6.5 * 24 * 60 * 60_000;

/**
 * Looks at the judges that decide a gate and were checked: every night at the names in their replies, once a week at their grades
 * of the questions that the check kept, which are asked anew, with the limits of the run. Notes what shows that one has changed,
 * once for a night however often it is begun.
 */
export async function watchJudges(run: RunContext, night: Batch): Promise<void> {
  const { db, suite } = run;
  for (const spec of decidingScorers(suite)) {
    const identity = judgeIdentity(suite, spec);
    if (identity === null) continue;
    const kept = keptQuestions(db, identity);
    const before = judgeNights(db, night.suiteName).filter(({ scorer }) => scorer === spec.name);
    const isNew = before.every((each) => each.night !== night.name);
    if (!isNew || (kept === null && before.length === 0)) continue;
    // The run was interrupted: the questions that are open would be given up for those of the next judge.
    if ((await watchOne(run, night, { spec, identity, kept, before })) === "interrupted") return;
  }
  // Left by a judge that no longer decides: the night would be taken for one that was cut off.
  if (isAskingAgain(db, night.id)) dropOpenChecks(db, night.id);
}

interface Watched {
  spec: ScorerSpec;
  identity: string;
  /** Null: this judge was not checked, but one of that name before it. */
  kept: KeptQuestions | null;
  before: readonly JudgeNight[];
}

async function watchOne(run: RunContext, night: Batch, judge: Watched): Promise<"interrupted" | "noted"> {
  const { db, suite } = run;
  const { spec, identity, kept } = judge;
  const asked = kept !== null && isDue(judge, kept) ? await askAgain(run, night, { spec, kept }) : null;
  // It goes on where it was with the night.
  if (asked === "interrupted") return "interrupted";
  const checkId = asked?.checkId ?? null;
  const scoring = latestScoring(db, night.id);
  const place = scoring?.scorers.findIndex(({ metric }) => metric.name === spec.name) ?? -1;
  const replies = newReplies(db, { batchId: night.id, scoringId: scoring?.id ?? -1, scorer: place, checkId });
  const tonight: Omit<JudgeNight, "lastJob" | "alarm" | "sameUntil"> = {
    suiteName: night.suiteName,
    scorer: spec.name,
    judge: identity,
    night: night.name,
    at: Date.now(),
    facts: factsOf({ suite, spec }, replies),
    asked: asked?.again ?? null,
  };
  const signs = signsOf(judge, tonight);
  noteJudgeNight(db, { ...tonight, ...signs }, { batchId: night.id, checkId });
  return "noted";
}

/** Questions of which at least half have a grade: with fewer the service had trouble, which tells nothing of its grades. */
export function hasEnoughGrades({ asked }: Pick<JudgeNight, "asked">): boolean {
  const grades = asked?.grades ?? [];
  const given = grades.filter((grade) => grade !== null).length;
  return given > 0 && given * 2 >= grades.length;
}

/** The nights of this judge since its questions were kept. */
function nightsOf({ identity, before }: Watched, kept: KeptQuestions): JudgeNight[] {
  return before.filter(({ judge, at }) => judge === identity && at > kept.at);
}

function isDue(judge: Watched, kept: KeptQuestions): boolean {
  const last = nightsOf(judge, kept).findLast(hasEnoughGrades);
  return last === undefined || ageOfDate(last.at) >= weekMs;
}

async function askAgain(
  run: RunContext,
  night: Batch,
  { spec, kept }: { spec: ScorerSpec; kept: KeptQuestions },
): Promise<{ checkId: number; again: AskedAgain } | "interrupted" | null> {
  const { db, suite } = run;
  const opened = await openJudge(suite, spec);
  // They are about answers of another batch, which may be gone: a job stands at a case.
  const { from: caseId, to } = caseSpan(db, night.id);
  if (opened === null || to < caseId) return null;
  const { made, scorer, identity } = opened;
  const entered = enteredJudges(db, night.id, { suite, judgeOf: new Map([[0, scorer.target]]) }).get(scorer.target);
  if (entered === undefined) return null;
  const probes = kept.questions.map(({ bodies }) => ({ bodies, caseId }));
  const list = { batch: night, suite, name: spec.name, scorer, entered, identity, probes, again: true };
  const { checkId, readings, end } = await withBatchLock(db, night, () => askAll(run, list));
  if (end.stopped.length > 0 && run.isInterrupted()) return "interrupted";
  const gradeOf = watchedGrade(suite, made.metric);
  const { requests, paid, tokens } = tallyOfCheck(db, checkId);
  const price = judgePrice(suite, { name: scorer.target, deployment: entered.judge.deployment });
  const unscored = readings.map(({ score }) => (score !== null && "unscored" in score ? score.unscored : null));
  return {
    checkId,
    again: {
      grades: readings.map(({ score }) => gradeOf(score)),
      requests,
      cost: paid === 0 && price !== null ? 0 : costOfRuns(price, tokens, paid),
      reason: end.stopped[0]?.reason ?? unscored.find((each) => each !== null) ?? null,
    },
  };
}

/** The signs in a night that the judge is another, and up to which job its replies are those of the one before. */
function signsOf(
  judge: Watched,
  tonight: Pick<JudgeNight, "facts" | "asked" | "night">,
): Pick<JudgeNight, "alarm" | "sameUntil"> {
  const { kept, before } = judge;
  const facts = changedFactsOf(tonight.facts, knownFacts(judge));
  const changed = kept === null ? null : changedGrades(judge, kept, tonight);
  if (facts.length === 0 && changed === null) return { alarm: null, sameUntil: null };
  const lastJob = before.at(-1)?.lastJob ?? kept?.lastJob ?? 0;
  return {
    alarm: [...facts, ...(changed === null ? [] : [changed.sign])],
    sameUntil: changed === null ? lastJob : Math.min(changed.sameUntil, lastJob),
  };
}

const isByFact = ({ alarm }: JudgeNight): boolean => alarm?.some(({ kind }) => kind !== "grades") === true;

/** The facts of the check and of the nights before, from the last on that knew by a fact that the judge was another. */
function knownFacts({ kept, before }: Watched): JudgeNight["facts"][] {
  const own = before.slice(Math.max(0, before.findLastIndex(isByFact)));
  const nights = own.map(({ facts }) => facts);
  // A check of today would hide that it was another yesterday.
  const isFirst = kept !== null && own.every(({ at }) => at > kept.at);
  return isFirst ? [kept.facts, ...nights] : nights;
}

/** The grades that the judge gave to its questions, by which it is known and watched: from the last on that were found to be others. */
export function gradesSince({
  kept,
  nights,
}: {
  kept: KeptQuestions;
  nights: readonly Omit<JudgeNight, "sameUntil">[];
}): { night: string | null; grades: GradesInOrder; lastJob: number }[] {
  const changed = nights.findLastIndex(({ alarm }) => alarm !== null);
  const own = nights
    .slice(Math.max(0, changed))
    .filter(hasEnoughGrades)
    .map(({ night, asked, lastJob }) => ({ night, grades: asked?.grades ?? [], lastJob }));
  const ofCheck = { night: null, grades: kept.questions.map(({ grade }) => grade), lastJob: kept.lastJob };
  return changed === -1 ? [ofCheck, ...own] : own;
}

function changedGrades(
  judge: Watched,
  kept: KeptQuestions,
  tonight: Pick<JudgeNight, "asked" | "night">,
): { sign: JudgeSign; sameUntil: number } | null {
  if (!hasEnoughGrades(tonight)) return null;
  const known = gradesSince({ kept, nights: nightsOf(judge, kept) });
  const [first] = known;
  const now = tonight.asked?.grades ?? [];
  if (first === undefined) return null;
  const since = judgeChangedSince({
    asked: [...known.map(({ grades }) => grades), now],
    noise: kept.noise,
    isChecked: first.night === null,
  });
  if (since === null) return null;
  const sign: JudgeSign = {
    kind: "grades",
    ...flipsOf(first.grades, now),
    since: known[since]?.night ?? tonight.night,
  };
  return { sign, sameUntil: known[since - 1]?.lastJob ?? 0 };
}
