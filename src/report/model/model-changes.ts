import { gateKindOf } from "../../compare/verdict/kinds.ts";
import type { Comparison } from "../../compare/comparison.ts";
import type { ComparisonPlan } from "../../compare/comparison-plan.ts";
import { sureMetrics } from "../../compare/summary/worse.ts";
import type { CandidateSummary } from "../../compare/summary/candidate-summary.ts";
import { isStructure, outcomeField } from "../../compare/cases/structure.ts";
import type { OutputFieldCount } from "../../compare/tallies/structure-tally.ts";
import { decimal, pValue } from "../say/figures.ts";
import type { ReportBehaviour, ReportFlip, ReportOutputField } from "../shape/model.ts";
import { behaviourReason, structureWords, unseenWords } from "../say/behaviour.ts";
import { counted, number } from "../say/quantity.ts";

/** Tells of each candidate if it behaves differently, whatever the scores are, and never against them. */
export function reportBehaviour(
  comparison: Comparison,
  { metrics, sides, fixedBaseline = false }: Pick<ComparisonPlan, "metrics" | "sides"> & { fixedBaseline?: boolean },
): ReportBehaviour[] {
  return comparison.candidates.map((candidate) => {
    const { baseline, behaviour, changes, answerDiffers, compared } = candidate;
    const { state } = behaviour;
    const moved = movedIn(comparison, candidate, metrics);
    const isMoved = moved.length > 0 && (state === "unchanged" || state === "too-few");
    const chance = chanceOf(candidate);
    // Stored answers cannot be asked for again.
    const isStored = sides.some(({ target, answersOnly }) => target === baseline && answersOnly);
    return {
      candidate: candidate.candidate,
      baseline,
      changed: state === "changed" || isMoved ? true : state === "unchanged" ? false : null,
      state,
      reason: behaviourReason(behaviour),
      moved: isMoved ? moved : [],
      differ: answerDiffers,
      beyond: changes.changed ?? 0,
      byChance: chance,
      of: compared,
      otherwise: otherwiseIn(candidate, chance),
      canAskTwice: state === "no-noise-floor" && answerDiffers > 0 && !fixedBaseline && !isStored,
      measured: measuredSentence(candidate, comparison.candidates.length === 1),
      kinds: changes,
    };
  });
}

/** The metrics that tell the answers of a candidate from the baseline's for certain, by a gate or among all metrics. */
function movedIn(
  { candidates, gates, validity }: Comparison,
  { candidate }: CandidateSummary,
  metrics: ComparisonPlan["metrics"],
): string[] {
  if (validity?.state !== "valid") return [];
  const sure = sureMetrics(candidates).filter((each) => each.candidate === candidate);
  const found = metrics.filter(({ metric, of, measuresRun = false }, place) => {
    if (measuresRun) return false;
    const isRegression = gates.some(
      (gate) =>
        gateKindOf(gate).claims &&
        gate.candidate === candidate &&
        gate.metric === metric.name &&
        gate.of === of &&
        gate.state === "regression",
    );
    return isRegression || sure.some((each) => each.place === place);
  });
  return Array.from(new Set(found.map(({ metric }) => metric.name)));
}

/** Cases that would be changed by chance; a baseline that always answered alike is no cause of a change. */
function chanceOf({ behaviour, changedByChance }: CandidateSummary): number {
  const isAlike = behaviour.meanNoise === 0 && behaviour.paths.every(({ noise }) => noise === 0);
  return isAlike ? 0 : Math.round(changedByChance ?? 0);
}

/** The structure by which it was decided; null where texts decide too, or more answers changed than would by chance. */
function otherwiseIn(summary: CandidateSummary, chance: number): ReportBehaviour["otherwise"] {
  const { behaviour, compared, failed, changes } = summary;
  const [first] = behaviour.paths;
  const isByTexts = isFurther(summary) || (changes.changed ?? 0) > chance;
  if (behaviour.state !== "changed" || first === undefined || first.adjusted > 0.05 || isByTexts) return null;
  if (first.path === outcomeField) return { path: null, rows: first.raw, of: compared + failed };
  return { path: first.path, rows: first.raw, of: compared };
}

/** Its texts are further from the baseline's than those from each other, beyond chance. */
function isFurther({ behaviour: { text } }: CandidateSummary): boolean {
  const p = text?.greater.p ?? null;
  return p !== null && p <= 0.05;
}

/** The test behind it: what differs from what, and how surely. */
function measuredSentence(summary: CandidateSummary, isAlone: boolean): string {
  const { unseen } = summary.behaviour;
  const who = isAlone ? "" : ` of ${summary.candidate}`;
  return `Behaviour${who}: ${behaviourReason(summary.behaviour)}${evidence(summary)}${unseen === null ? "" : `; ${unseenWords(unseen)}`}. ${countSentence(summary)}`.trimEnd();
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
    parts.push(`${what} in ${counted(first.raw, "row")} against ${number(first.noise)}, p ${pValue(first.adjusted)}`);
  }
  if (measured < compared)
    parts.push(`how much the baseline varies by itself is known of ${number(measured)} of ${counted(compared, "row")}`);
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

/** `12 of 20 answers differ, 4 of them no more than prod varies by itself.` */
function countSentence({ baseline, answerDiffers, answerVaries, compared, behaviour }: CandidateSummary): string {
  if (compared === 0) return "No answer could be compared.";
  if (behaviour.state === "no-noise-floor" && answerVaries === 0) return "";
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
  const counts = (found: readonly OutputFieldCount[]): ReportOutputField[] =>
    found.map(({ path, change, cases }) => {
      return { candidate, path, about: structureWords[change], cases, noise: null, of: compared, p: null };
    });
  if (behaviour.measured > 0) {
    const tested = behaviour.paths
      .filter(({ raw }) => raw > 0)
      .map(({ path, about, raw, noise, adjusted }) => {
        if (path === outcomeField) {
          // The outcome of a run is known for the cases without an answer too.
          return { candidate, path, about: "is another", cases: raw, noise, of: compared + failed, p: adjusted };
        }
        const own = members.filter((member) => member.path === path && isStructure(member) === (about === "structure"));
        return { candidate, path, about: changesWords(own), cases: raw, noise, of: compared, p: adjusted };
      });
    // Where a target names its answer, other fields are told and not tested.
    const paths = new Set(behaviour.paths.map(({ path }) => path));
    return [...tested, ...counts(members.filter(({ path }) => !paths.has(path)))];
  }
  return counts(members);
}

/** `became empty`, or of several `became empty 30, has fewer entries 2`. */
function changesWords(members: readonly OutputFieldCount[]): string {
  const [first, ...others] = members;
  if (first === undefined) return "";
  return others.length === 0
    ? structureWords[first.change]
    : members.map(({ change, cases }) => `${structureWords[change]} ${number(cases)}`).join(", ");
}
