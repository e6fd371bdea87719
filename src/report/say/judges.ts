import type { ReportedCheck } from "../shape/model.ts";
import { dayLabel } from "./night-names.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { noiseLimit } from "../../stats/judged/anchor-charts.ts";
import type { JudgeSign } from "../../store/scores/anchors.ts";
import type { JudgeWatch } from "../shape/judge-watch.ts";
import type { ShownInterval } from "../shape/interval.ts";
import { difference, type ShownMeasure, range, shareFigure } from "./figures.ts";
import { counted, number, price } from "./quantity.ts";

/** `helpful never checked`, or `better checked on 25 November: fit to use`. */
export function checkedWords({ scorer, at, verdict }: ReportedCheck): string {
  if (at === null || verdict === null) return `${scorer} never checked for biases`;
  return `${scorer} checked on ${dayLabel(new Date(at).getTime())}: ${verdict}`;
}

/** The figures of a judge that is watched, as they are told. */
interface Watched extends Pick<JudgeWatch, "scorer" | "anchors" | "answered" | "gone" | "charts" | "asked" | "change"> {
  /** Nights of reference that there are, and that it takes. */
  nights: number;
  needed: number;
  /** The day on which it was found to have changed before; null: it was not. */
  since: string | null;
}

/** One line where all is well: how many anchors flipped this night. */
export function sameJudgeWords({ scorer, charts = [], change, asked }: Watched, measure: ShownMeasure): string {
  const flips = charts.map(({ direction, nights }) => {
    const last = nights.at(-1);
    const grades = direction === "up" ? "higher" : "lower";
    return `${number(last?.flips ?? 0)} of ${number(last?.anchors ?? 0)} ${grades}`;
  });
  return `The judge \`${scorer}\` is the same as in its nights of reference: it grades ${flips.join(" and ")}${changeWords(change, measure)}${costWords(asked)}.`;
}

/** `; its grades moved by +0.4 points (−1.2 to +2.0)`: the judge's part of any difference to those nights. */
function changeWords(change: { mean: number; interval: ShownInterval | null } | null, measure: ShownMeasure): string {
  if (change === null) return "";
  const between = change.interval === null ? "" : ` (95 %: ${range(change.interval, measure)})`;
  return `; its grades of the anchors moved by ${difference(change.mean, measure)}${between} since then`;
}

/** `; 60 questions, cost 0.12` */
function costWords(asked: Watched["asked"]): string {
  if (asked === null) return "";
  return `; ${counted(asked.questions, "question")}${asked.cost === null ? "" : `, cost ${price(asked.cost)}`}`;
}

export function referenceWords({ scorer, nights, needed, asked, since }: Watched): string {
  const again = since === null ? "" : ` It changed on ${since}, and is known anew from then on.`;
  return `The judge \`${scorer}\` has ${number(nights)} of ${needed} nights of reference: its grades are watched after them, the name of its model and its prompt from now on${costWords(asked)}.${again}`;
}

/** A judge that gave no verdict says nothing about whether it is the same: that is no flip. */
export function noVerdictWords({ scorer, anchors, answered }: Watched, reason: string | null): string {
  const why = reason === null ? "" : ` The reason: ${reason}.`;
  return `The judge \`${scorer}\` gave a verdict on ${number(answered)} of ${counted(anchors, "anchor")} this night: too few to say whether it has changed, and none of them counts as a change.${why} They are asked again the next night.`;
}

export function notAskedWords(scorer: string): string {
  return `The anchors of the judge \`${scorer}\` were not asked: the suite of this night has no such scorer.`;
}

export function goneWords(gone: number): string {
  const [are, answers] = gone === 1 ? ["is", "answer"] : ["are", "answers"];
  return `${number(gone)} frozen ${answers} ${are} gone from the database, or changed in it: without ${gone === 1 ? "it" : "them"} a change is harder to see.`;
}

/** A judge that contradicts itself hides a small drift: that is simulated up to 3 % of flips. `isSoFar`: the nights of reference go on. */
export function noisyWords(judge: WatchedName, { noise, isSoFar }: { noise: number; isSoFar: boolean }): string {
  const when = isSoFar ? "so far" : "in the nights of reference";
  const limit = noise > noiseLimit ? "above 5 % flips will be no alarm" : "above 3 % a small change is found late";
  return `The judge \`${judge.scorer}\` contradicted itself in ${shareFigure(noise)} of its verdicts ${when}: ${limit}. ${wayOut(judge)}`;
}

/** A judge of which flips tell nothing. */
export function noisyJudgeWords(judge: Watched & { suite: string }, noise: number): string {
  const { scorer, asked } = judge;
  return `The judge \`${scorer}\` contradicted itself in ${shareFigure(noise)} of its verdicts in the nights of reference: above 5 % flips of anchors are no alarm, since chance alone would make too many. Its model, fingerprint, prompt and settings are watched${costWords(asked)}. ${wayOut({ suiteName: judge.suite, scorer })}`;
}

/** A judge that is watched, and its suite. */
interface WatchedName {
  suiteName: string;
  scorer: string;
}

const wayOut = ({ suiteName, scorer }: WatchedName): string =>
  `Ask it with temperature 0 (\`body\` of the judge), or for a verdict of a closed set; or freeze other answers: \`tandem judge anchors ${shellWord(suiteName)} --metric ${shellWord(scorer)} --remove\`, then \`tandem judge anchors --seed 2\`.`;

/** The signs that a judge has changed, each in a few words. */
export function signWords(signs: readonly JudgeSign[], dayOf: (batch: string) => string): string[] {
  return signs.map((sign) => {
    switch (sign.kind) {
      case "up":
        return `${number(sign.flips)} of ${number(sign.anchors)} anchors are graded higher than they used to be, since about ${dayOf(sign.since)}`;
      case "down":
        return `${number(sign.flips)} of ${number(sign.anchors)} anchors are graded lower than they used to be, since about ${dayOf(sign.since)}`;
      case "model":
        return `another model replied: ${sign.now}; before: ${sign.before}`;
      case "fingerprint":
        return `another fingerprint replied: ${sign.now}; before: ${sign.before}`;
      case "prompt":
        return "it is asked something else about the same answers";
      case "settings":
        return "its settings in the suite are others";
    }
  });
}

/** The signs that a judge has changed, and the next step: `nights`, the one before it was found and the one in which it was, are graded again. */
export function changedJudgeWords(scorer: string, signs: readonly string[], nights: readonly string[]): string {
  const commands = nights.map((night) => `\`tandem score ${shellWord(night)}\``).join(" and ");
  return `THE JUDGE CHANGED: \`${scorer}\`: ${signs.join("; ")}. Comparisons with what was graded before are invalid until both sides are graded again: ${commands}. The stored answers are enough, and labels stay valid.`;
}
