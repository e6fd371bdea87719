import type { CandidateSummary } from "../../compare/summary/candidate-summary.ts";
import { isStructure, outcomeField } from "../../compare/cases/structure.ts";
import type { OutputFieldCount } from "../../compare/tallies/structure-tally.ts";
import { decimal, pValue } from "../words/figures.ts";
import type { ReportBehaviour, ReportFlip, ReportOutputField } from "../shape/model.ts";
import { counted, number } from "../words/quantity.ts";

/** Tells if a candidate behaves differently, whatever the scores are. */
export function reportBehaviour(candidate: CandidateSummary): ReportBehaviour {
  const { state } = candidate.behaviour;
  return {
    candidate: candidate.candidate,
    changed: state === "changed" ? true : state === "unchanged" ? false : null,
    sentence: behaviourSentence(candidate),
    measured: measuredSentence(candidate),
    kinds: candidate.changes,
  };
}

/** The answer to "did it change?" without statistics. */
function behaviourSentence(summary: CandidateSummary): string {
  const { candidate, baseline, behaviour, compared } = summary;
  const { state, reason } = behaviour;
  const counts = changedWords(summary);
  switch (state) {
    case "changed":
      return `${candidate} behaves differently from ${baseline}${counts}.`;
    case "unchanged":
      return `${candidate} behaves like ${baseline}: its answers differ no more than those of ${baseline} from run to run.`;
    case "no-noise-floor":
      return `${number(summary.answerDiffers)} of ${counted(compared, "answer")} differ; ${baseline} has only one answer to each, so it is not known how much it varies by itself.`;
    case "too-few":
      return `Whether ${candidate} behaves differently from ${baseline} is not known: ${reason}.`;
    case "not-compared":
      return `${candidate} is not compared with ${baseline}: ${reason}.`;
  }
}

/**
 * `: 150 of 165 answers are worded differently; about 56 would be by chance alone. Different is not wrong: see the 31
 * that got worse`. Where no more did than would, it is told what else differs.
 */
function changedWords(summary: CandidateSummary): string {
  const { compared, changes, changedByChance, behaviour } = summary;
  const changed = changes.changed ?? 0;
  // A baseline that always answered alike is no cause of a change.
  const isAlike = behaviour.meanNoise === 0 && behaviour.paths.every(({ noise }) => noise === 0);
  const chance = isAlike ? 0 : Math.round(changedByChance ?? 0);
  const also = otherwiseWords(summary);
  if (also !== null && changed <= chance) {
    if (compared === 0) return `: ${also}`;
    const all = `${number(changed)} of ${counted(compared, "answer")} changed`;
    const by = changed === 0 ? "no answer changed" : `${all}, and about ${number(chance)} would even without a change`;
    return `: ${also}. Apart from that the answers differ no more than by chance: ${by}`;
  }
  if (changed === 0) return "";
  const are = changed === 1 ? "is" : "are";
  const isWorded = isWording(summary, changed);
  const how = isWorded ? "worded differently" : "not as before";
  const byChance = chance === 0 ? "" : `; about ${number(chance)} would be by chance alone`;
  const wrong = isWorded ? `. Different is not wrong${worseOnes(summary)}` : "";
  return `: ${number(changed)} of ${counted(compared, "answer")} ${are} ${how}${byChance}${wrong}`;
}

/** `: see the 31 that got worse`, by the main metric; empty where none did. */
function worseOnes({ metrics: [first] }: CandidateSummary): string {
  const worse = first?.worse ?? 0;
  return worse === 0 ? "" : `: see the ${number(worse)} that got worse`;
}

/** `20 of 59 cases end otherwise, such as without an answer`: the structure by which it was decided; null where texts decide too. */
function otherwiseWords(summary: CandidateSummary): string | null {
  const { behaviour, compared, failed } = summary;
  const [first] = behaviour.paths;
  if (first === undefined || first.adjusted > 0.05 || isFurther(summary)) return null;
  const of = `${number(first.raw)} of ${counted(compared + failed, "case")}`;
  return first.path === outcomeField
    ? `${of} ended in another way, such as without an answer`
    : `\`${first.path}\` differs in ${number(first.raw)} of ${counted(compared, "case")}`;
}

/** Its texts differ, beyond chance and in as many cases: not only fields beside them, or runs that failed. */
function isWording(summary: CandidateSummary, changed: number): boolean {
  return isFurther(summary) && summary.answerDiffers >= changed;
}

/** Its texts are further from the baseline's than those from each other, beyond chance. */
function isFurther({ behaviour: { text } }: CandidateSummary): boolean {
  const p = text?.greater.p ?? null;
  return p !== null && p <= 0.05;
}

/** The test behind it: what differs from what, and how surely. */
function measuredSentence(summary: CandidateSummary): string {
  const { reason, unseen } = summary.behaviour;
  return `Behaviour: ${reason}${evidence(summary)}${unseen === null ? "" : `; ${unseen}`}. ${countSentence(summary)}`;
}

/** ` (texts +0.22 further apart, p 0.0001; references in 32 cases against 0, p < 0.0001)` */
function evidence({ behaviour: { text, paths, measured }, compared }: CandidateSummary): string {
  const parts: string[] = [];
  if (text !== null && text.statistic !== null && text.greater.p !== null) {
    const further = `${text.statistic > 0 ? "+" : ""}${decimal(text.statistic, 2)}`;
    parts.push(`texts ${further} further apart, p ${pValue(text.greater.p)}`);
  }
  const [first] = paths;
  if (first !== undefined && first.adjusted <= 0.05) {
    const what = first.path === outcomeField ? "outcomes" : first.path;
    parts.push(`${what} in ${counted(first.raw, "case")} against ${number(first.noise)}, p ${pValue(first.adjusted)}`);
  }
  if (measured < compared)
    parts.push(
      `how much the baseline varies by itself is known of ${number(measured)} of ${counted(compared, "case")}`,
    );
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

/** `12 of 20 answers differ, 4 of them no more than prod varies by itself.` */
function countSentence({ baseline, answerDiffers, answerVaries, compared }: CandidateSummary): string {
  if (compared === 0) return "No answer could be compared.";
  const like = answerVaries === 0 ? "" : `, ${number(answerVaries)} of them no more than ${baseline} varies by itself`;
  return `${number(answerDiffers)} of ${counted(compared, "answer")} differ${like}.`;
}

/** The flips of a candidate: every kind, also those without a case. */
export function reportFlips({ candidate, flips: { metric, lists } }: CandidateSummary): ReportFlip[] {
  return lists.map(({ kind, cases, first }) => {
    const rows = first.map(({ row, file }) => ({ row, file }));
    return { candidate, metric, kind, cases, keys: first.map(({ key }) => key), rows };
  });
}

/** Member paths of the output that differ. */
export function reportOutputFields({
  candidate,
  behaviour,
  members,
  compared,
  failed,
}: CandidateSummary): ReportOutputField[] {
  if (behaviour.measured > 0) {
    return behaviour.paths
      .filter(({ raw }) => raw > 0)
      .map(({ path, about, raw, noise, adjusted }) => {
        if (path === outcomeField) {
          // The outcome of a run is known for the cases without an answer too.
          return { candidate, path, about: "is another", cases: raw, noise, of: compared + failed, p: adjusted };
        }
        const own = members.filter((member) => member.path === path && isStructure(member) === (about === "structure"));
        return { candidate, path, about: changesWords(own), cases: raw, noise, of: compared, p: adjusted };
      });
  }
  return members.map(({ path, change: about, cases }) => {
    return { candidate, path, about, cases, noise: null, of: compared, p: null };
  });
}

/** `became empty`, or of several `became empty 30, has fewer entries 2`. */
function changesWords(members: readonly OutputFieldCount[]): string {
  const [first, ...others] = members;
  if (first === undefined) return "";
  return others.length === 0
    ? first.change
    : members.map(({ change, cases }) => `${change} ${number(cases)}`).join(", ");
}
