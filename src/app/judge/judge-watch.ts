import type { JudgeState, JudgeWatch } from "../../report/shape/judge-watch.ts";
import { flipsOf, gradeNoise, isNoisy } from "../../stats/judged/grade-watch.ts";
import { type Batch, listBatches } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { type JudgeNight, judgeNights, type KeptQuestions, keptQuestions } from "../../store/scores/judge-nights.ts";
import { gradesSince, hasEnoughGrades } from "./watch-judges.ts";

/** The judges of which a night has something to tell: it asked their questions again, or found that they have changed. */
export function judgesOfNight(db: Connection, { name, suiteName }: Batch): JudgeWatch[] {
  const nights = judgeNights(db, suiteName);
  return nights.flatMap((each) => (each.night === name && isTold(each) ? [judgeWatch(db, each, nights)] : []));
}

/** The judges of a suite that are watched, each as the latest night tells that asked it again or found that it has changed. */
export function judgesWatched(db: Connection, suite: string): JudgeWatch[] {
  const nights = judgeNights(db, suite);
  const latest = new Map(nights.filter(isTold).map((each) => [each.scorer, each]));
  return Array.from(latest.values(), (each) => judgeWatch(db, each, nights));
}

const isTold = ({ asked, alarm }: JudgeNight): boolean => asked !== null || alarm !== null;

function judgeWatch(db: Connection, night: JudgeNight, all: readonly JudgeNight[]): JudgeWatch {
  const { suiteName, scorer, asked, alarm, at } = night;
  const own = all.slice(0, all.indexOf(night)).filter((each) => each.scorer === scorer);
  const kept = keptQuestions(db, night.judge);
  const before = kept === null ? [] : own.filter(({ judge, at: then }) => judge === night.judge && then > kept.at);
  const known = kept === null ? [] : gradesSince({ kept, nights: before });
  const grades = asked?.grades ?? [];
  const watched = {
    asked: [...known.map((each) => each.grades), ...(hasEnoughGrades(night) ? [grades] : [])],
    noise: noNoise(kept),
  };
  const stored = new Set(listBatches(db, suiteName).map(({ name }) => name));
  const changed = own.findLast((each) => each.alarm !== null);
  return {
    suite: suiteName,
    scorer,
    at: new Date(at).toISOString(),
    state: stateOf(night, isNoisy(watched)),
    questions: grades.length,
    answered: grades.filter((grade) => grade !== null).length,
    ...flipsOf(known[0]?.grades ?? [], grades),
    noise: gradeNoise(watched),
    requests: asked?.requests ?? 0,
    cost: asked?.cost ?? null,
    reason: asked?.reason ?? null,
    signs: (alarm ?? []).map((sign) =>
      sign.kind === "grades" ? { ...sign, since: dayOf(sign.since, [...own, night]) } : sign,
    ),
    grade: alarm === null ? [] : [...own.slice(-1), night].map((each) => each.night).filter((name) => stored.has(name)),
    changedBefore: changed === undefined ? null : new Date(changed.at).toISOString(),
  };
}

const noNoise = (kept: KeptQuestions | null): KeptQuestions["noise"] => kept?.noise ?? { flips: 0, verdicts: 0 };

/** The moment of a night, by its name. */
function dayOf(name: string, nights: readonly JudgeNight[]): string {
  return new Date(nights.find(({ night }) => night === name)?.at ?? 0).toISOString();
}

function stateOf(night: JudgeNight, isNoisyJudge: boolean): JudgeState {
  if (night.alarm !== null) return "changed";
  if (!hasEnoughGrades(night)) return "unanswered";
  return isNoisyJudge ? "noisy" : "same";
}
