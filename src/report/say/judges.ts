import type { JudgeWatch } from "../shape/judge-watch.ts";
import type { ReportedCheck, ReportJudge } from "../shape/model.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { shareFigure } from "./figures.ts";
import { dayLabel } from "./night-names.ts";
import { counted, number, price } from "./quantity.ts";

/** `helpful never checked`, or `better checked on 25 November: fit to use`. */
export function checkedWords({ scorer, at, verdict }: ReportedCheck): string {
  if (at === null || verdict === null) return `${scorer} never checked for biases`;
  return `${scorer} checked on ${dayLabel(new Date(at).getTime())}: ${verdict}`;
}

/** `judge: 240 questions, 80 of them asked now, 2 without a reply, cost 1.6; helpful never checked for biases` */
export function judgeWords({ name, questions, asked, failed, cost, checks }: ReportJudge): string {
  const parts = [
    counted(questions, "question"),
    ...(asked === questions ? [] : [`${number(asked)} of them asked now`]),
    ...(failed === 0 ? [] : [`${number(failed)} without a reply`]),
    ...(cost === null ? [] : [`cost ${price(cost)}`]),
  ];
  return [`${name}: ${parts.join(", ")}`, ...checks.map(checkedWords)].join("; ");
}

/** A judge that is watched, in a sentence or two. */
export function watchWords(judge: JudgeWatch): string {
  const { scorer, state, questions, answered, higher, lower, of, noise, reason } = judge;
  switch (state) {
    case "changed":
      return changedWords(judge);
    case "unanswered": {
      const why = reason === null ? "" : ` The reason: ${reason}.`;
      return `The judge \`${scorer}\` gave a grade to ${number(answered)} of the ${counted(questions, "question")} of its check: too few to say whether it has changed.${why} They are asked again the next night.`;
    }
    case "noisy":
      return `The judge \`${scorer}\` contradicts itself in ${shareFigure(noise ?? 0)} of its grades, so that others are no alarm: only its model, fingerprint and settings are watched${costWords(judge)}. Ask it with temperature 0 (\`body\` of the judge), or for a verdict of a closed set; then \`tandem judge check ${shellWord(scorer)}\`.`;
    case "same":
      return `The judge \`${scorer}\` was asked the questions of its check again: ${number(higher + lower)} of ${counted(of, "grade")} changed${costWords(judge)}.`;
  }
}

/** `; 60 requests, cost 0.12` */
function costWords({ requests, cost }: JudgeWatch): string {
  return `; ${counted(requests, "request")}${cost === null ? "" : `, cost ${price(cost)}`}`;
}

/** The signs that a judge has changed, and the next step. */
function changedWords({ scorer, signs, grade, at }: JudgeWatch): string {
  const shown = signs.map((sign) => {
    switch (sign.kind) {
      case "grades": {
        const since = dayOf(sign.since) === dayOf(at) ? "" : `, since about ${dayOf(sign.since)}`;
        return `${number(sign.higher + sign.lower)} of ${counted(sign.of, "grade")} changed (${number(sign.higher)} higher, ${number(sign.lower)} lower)${since}`;
      }
      case "model":
        return `another model replied: ${sign.now}; before: ${sign.before}`;
      case "fingerprint":
        return `another fingerprint replied: ${sign.now}; before: ${sign.before}`;
      case "settings":
        return "it is asked in another way, or somebody else is asked";
    }
  });
  const commands = grade.map((batch) => `\`tandem score ${shellWord(batch)}\``).join(" and ");
  return `THE JUDGE CHANGED: \`${scorer}\`: ${shown.join("; ")}. Comparisons with what was graded before are invalid until both sides are graded again${commands === "" ? "" : `: ${commands}`}. The stored answers are enough, and labels stay valid.`;
}

const dayOf = (at: string): string => dayLabel(new Date(at).getTime());

/** A judge that is watched, for one who looks over its nights. */
export function watchLines(judge: JudgeWatch): string[] {
  const { changedBefore, at } = judge;
  const before = changedBefore === null ? [] : [`It was found to have changed on ${dayOf(changedBefore)}.`];
  return [`${dayOf(at)}: ${watchWords(judge)}`, ...before];
}
