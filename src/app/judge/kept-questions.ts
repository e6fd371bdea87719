import type { JudgeScorer, Metric, Score } from "../../score/contract/scorer.ts";
import type { ScorerSpec } from "../../score/contract/spec.ts";
import { type MadeScorer } from "../../score/make.ts";
import type { AskedProbe, ProbeGrade } from "../../score/probes/asked-probes.ts";
import { flipShare } from "../../stats/judged/grade-watch.ts";
import type { KeptQuestions } from "../../store/scores/judge-nights.ts";
import type { Suite } from "../../suite/suite.ts";
import { openScorers } from "../grade/scorers.ts";
import { judgeIdentity } from "../plan/checked-judges.ts";
import { shareReader } from "./bias-findings.ts";

/** Most questions that are kept, of answers that the judge graded high and low as many, and the fewest that tell something. */
const mostKept = 60;
const fewestKept = 30;

/** A judge that has an opinion of answers. */
interface OpenedJudge {
  made: MadeScorer;
  scorer: JudgeScorer;
  /** A hash over the parts that make it. */
  identity: string;
}

/** The judge of a scorer. It runs no code of the suite's. */
export async function openJudge(suite: Suite, spec: ScorerSpec): Promise<OpenedJudge | null> {
  const identity = judgeIdentity(suite, spec);
  if (identity === null) return null;
  const scorers = await openScorers({ ...suite, scorers: [spec] }, { trust: null, checks: false, before: null });
  await scorers.close();
  const [made] = scorers.made;
  return made?.scorer.kind === "judge" ? { made, scorer: made.scorer, identity } : null;
}

/** Reads a grade of a judge from 0 to 1 as the gates of its suite do: by what passes, or by its values. Null: it gave none. */
export function watchedGrade({ decision }: Suite, metric: Metric): (score: Score | null) => number | null {
  const gated = decision.gates.flatMap((gate) => (gate.metric === metric.name ? (gate.of ?? []) : []));
  const isByPass = gated.length === 0 ? metric.passes : gated[0] === "pass";
  const share = shareReader(metric);
  return (score) => {
    const value = share(score);
    if (value === null || score === null || "unscored" in score) return null;
    return isByPass && score.pass !== null ? Number(score.pass) : value;
  };
}

/** The order in which questions are taken. */
const kinds = ["plain", "wrong", "padded"] as const;

/**
 * The questions of a check that nights ask again: as many with a high grade as with a low one, those before others about which
 * the judge was asked several times and said the same. Null: they are too few.
 */
export function keptOf(
  grades: readonly ProbeGrade[],
  { asked, gradeOf }: { asked: readonly AskedProbe[]; gradeOf: (score: Score | null) => number | null },
): Pick<KeptQuestions, "questions" | "noise"> | null {
  const noise = { flips: 0, verdicts: 0 };
  const found = kinds.flatMap((kind) => {
    const own = grades.flatMap(({ probe, score }, place) => (probe.kind === kind ? [{ probe, score, place }] : []));
    const same = Map.groupBy(own, ({ probe: { unit, variant } }) => `${unit} ${variant}`);
    return Array.from(same.values()).flatMap(([first, ...others]) => {
      const grade = first === undefined ? null : gradeOf(first.score);
      if (first === undefined || grade === null) return [];
      const again = others.flatMap(({ score }) => gradeOf(score) ?? []);
      const flips = again.filter((each) => Math.abs(each - grade) > flipShare).length;
      noise.flips += flips;
      noise.verdicts += again.length;
      const bodies = asked[first.place]?.bodies ?? [];
      return flips > 0 ? [] : [{ bodies: [...bodies], grade }];
    });
  });
  const half = mostKept / 2;
  const [high, low] = [true, false].map((isHigh) => found.filter(({ grade }) => grade >= 0.5 === isHigh));
  const chosen = [...(high ?? []).slice(0, half), ...(low ?? []).slice(0, half)];
  const rest = [...(high ?? []).slice(half), ...(low ?? []).slice(half)].slice(0, mostKept - chosen.length);
  const questions = [...chosen, ...rest];
  return questions.length < fewestKept ? null : { questions, noise };
}
