import { gateKindOf } from "../../compare/verdict/kinds.ts";
import type { Comparison } from "../../compare/comparison.ts";
import type { ComparisonPlan } from "../../compare/comparison-plan.ts";
import { sureMetrics } from "../../compare/summary/worse.ts";
import type { CandidateSummary } from "../../compare/summary/candidate-summary.ts";
import { isStructure, outcomeField } from "../../compare/cases/structure.ts";
import type { OutputFieldCount } from "../../compare/tallies/structure-tally.ts";
import { decimal, pValue } from "../words/figures.ts";
import type { ReportBehaviour, ReportFlip, ReportOutputField } from "../shape/model.ts";
import { onMetric } from "../words/metric-words.ts";
import { capitalised, counted, number } from "../words/quantity.ts";

/** A candidate, as whether it behaves differently is told of it. */
interface BehaviourView extends CandidateSummary {
  /** Tries of a case by the candidate. */
  tries: number;
  /** Names of the metrics of its answers that surely differ, whatever the distance of the texts says; most often none. */
  moved: readonly string[];
  /** The metric that the verdict is about. */
  decidedBy: string | null;
  /** It is the only candidate: of several each sentence names its own. */
  isAlone: boolean;
  /** Said beside a count of answers that may differ by chance alone; empty where it was said before. */
  askTwice: string;
}

/** Tells of each candidate if it behaves differently, whatever the scores are, and never against them. */
export function reportBehaviour(
  comparison: Comparison,
  {
    metrics,
    decidedBy,
    sides,
    fixedBaseline = false,
  }: Pick<ComparisonPlan, "metrics" | "sides"> & { decidedBy: string | null; fixedBaseline?: boolean },
): ReportBehaviour[] {
  // Stored answers cannot be asked for again.
  const canAsk = (baseline: string): boolean =>
    !fixedBaseline && !sides.some(({ target, answersOnly }) => target === baseline && answersOnly);
  const isAlone = comparison.candidates.length === 1;
  const asked = new Set<string>();
  return comparison.candidates.map((candidate) => {
    const target = comparison.targets.find((each) => each.target === candidate.candidate);
    const tries = Math.round((target?.jobs ?? 0) / Math.max(1, comparison.cases));
    const { state } = candidate.behaviour;
    const isByChance =
      state === "no-noise-floor" &&
      candidate.answerDiffers > 0 &&
      canAsk(candidate.baseline) &&
      !asked.has(candidate.baseline);
    const askTwice = isByChance ? askTwiceWords(candidate, isAlone) : "";
    if (isByChance) asked.add(candidate.baseline);
    const moved = movedIn(comparison, candidate, metrics);
    const reported = { ...candidate, tries, moved, decidedBy, isAlone, askTwice };
    return {
      candidate: candidate.candidate,
      changed: state === "changed" || isMoved(reported) ? true : state === "unchanged" ? false : null,
      sentence: behaviourSentence(reported, changedWords(reported)),
      short: behaviourSentence(reported, shortChangedWords(reported)),
      measured: measuredSentence(reported),
      kinds: candidate.changes,
    };
  });
}

/** ` Ask prod twice to see how many of these are chance: \`--noise-repeats 2\`.` */
function askTwiceWords({ baseline }: CandidateSummary, isAlone: boolean): string {
  const these = isAlone ? "these" : "the differences";
  return ` Ask ${baseline} twice to see how many of ${these} are chance: \`--noise-repeats 2\`.`;
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

/** Its scores tell it from the baseline, where its texts and their structure do not. */
function isMoved({ behaviour: { state }, moved }: BehaviourView): boolean {
  return moved.length > 0 && (state === "unchanged" || state === "too-few");
}

/** The answer to "did it change?" without statistics; `changed`: in which way, where it did. */
function behaviourSentence(reported: BehaviourView, changed: string): string {
  const { candidate, baseline, behaviour, moved } = reported;
  const { state, reason } = behaviour;
  if (isMoved(reported)) {
    const names = moved.slice(0, 2).map((name) => `\`${name}\``);
    const texts = state === "too-few" ? reason : `these differ no more than those of ${baseline} do from run to run`;
    return `${candidate} behaves differently from ${baseline}: it does by ${names.join(" and ")}. Its texts alone do not show it: ${texts}.`;
  }
  switch (state) {
    case "changed":
      return `${candidate} behaves differently from ${baseline}${changed}.`;
    case "unchanged":
      return `${candidate} answers like ${baseline}: ${alikeWords(reported)}.`;
    case "no-noise-floor":
      return `${openWords(reported)}.${reported.askTwice}`;
    case "too-few":
      return `Whether ${candidate} behaves differently from ${baseline} is not known: ${reason}.`;
    case "not-compared":
      return `${candidate} is not compared with ${baseline}: ${reason}.`;
  }
}

/** `All 40 answers are worded differently; none got better or worse`: how much the baseline varies by itself is not known. */
function openWords(reported: BehaviourView): string {
  const { baseline, candidate, isAlone, tries, answerDiffers, compared, metrics } = reported;
  if (answerDiffers === 0 || tries > 1) return whoDiffer(reported);
  const pair = isAlone ? "" : ` between ${baseline} and ${candidate}`;
  const of = counted(compared, "answer");
  const isAll = answerDiffers === compared && compared > 1;
  const are = `${isAll ? `All ${of}` : `${number(answerDiffers)} of ${of}`} ${answerDiffers === 1 ? "is" : "are"} worded differently${pair}`;
  const graded = metrics.filter(({ comparison }) => comparison !== null);
  const isCalm = graded.length > 0 && graded.every(({ worse, better }) => worse + better === 0);
  return isCalm ? `${are}; none got better or worse` : are;
}

/** Where more answers changed than would by chance, it is not said that none did: so few may be chance. */
function alikeWords(reported: BehaviourView): string {
  const { baseline, answerDiffers, compared, changes } = reported;
  const [changed, chance] = [changes.changed ?? 0, chanceOf(reported)];
  if (answerDiffers === 0 && compared > 0 && changed === 0) return "no answer differs";
  if (changed <= chance) return `its answers differ no more than those of ${baseline} from run to run`;
  return `${differWords(reported, "differ")}, ${number(changed)} of them more than ${baseline} changes between two runs, which may be chance`;
}

/** `150 changed more than prod changes between two runs; about 56 of these may be chance` */
function changedBy(reported: BehaviourView): string {
  const { changes, answerDiffers, baseline } = reported;
  const [changed, chance] = [changes.changed ?? 0, chanceOf(reported)];
  const byChance = chance === 0 ? "" : `; about ${number(chance)} of these may be chance`;
  return `${changed === answerDiffers ? "all of them" : number(changed)} changed more than ${baseline} changes between two runs${byChance}`;
}

/** `69 became flaky, and 8 no longer are`: rows that pass in some tries and not in others; empty where none is told apart. */
function flakyWords({ changes }: CandidateSummary): string {
  const [became, no] = [changes["newly-flaky"] ?? 0, changes["newly-stable"] ?? 0];
  if (became + no === 0) return "";
  const longer = `${number(no)} no longer ${no === 1 ? "is" : "are"}`;
  return became === 0 ? `${longer} flaky` : `${number(became)} became flaky${no === 0 ? "" : `, and ${longer}`}`;
}

/** Cases that would be changed by chance; a baseline that always answered alike is no cause of a change. */
function chanceOf({ behaviour, changedByChance }: CandidateSummary): number {
  const isAlike = behaviour.meanNoise === 0 && behaviour.paths.every(({ noise }) => noise === 0);
  return isAlike ? 0 : Math.round(changedByChance ?? 0);
}

/** `150 of 165 answers differ`; of several tries `the answers to 88 of 120 cases differ`. */
function differWords({ answerDiffers, compared, tries }: BehaviourView, verb: string): string {
  const of = `${number(answerDiffers)} of ${counted(compared, tries > 1 ? "case" : "answer")}`;
  return tries > 1 ? `the answers to ${of} ${verb}` : `${of} ${verb}`;
}

/** `150 of 165 answers differ`; of several candidates `150 of 165 answers differ between prod and test`. */
function whoDiffer(reported: BehaviourView): string {
  const { baseline, candidate, isAlone } = reported;
  return `${capitalised(differWords(reported, "differ"))}${isAlone ? "" : ` between ${baseline} and ${candidate}`}`;
}

/**
 * `: 160 of 165 answers are worded differently; 150 changed more than prod changes between two runs; about 56 of these may be
 * chance. Different is not wrong: see the 31 that got worse`. Where no more are than would be, it is told what else differs.
 */
function changedWords(reported: BehaviourView): string {
  const { compared, answerDiffers, tries, changes } = reported;
  const [changed, chance] = [changes.changed ?? 0, chanceOf(reported)];
  const also = otherwiseWords(reported);
  if (also !== null && changed <= chance) {
    if (compared === 0) return `: ${also}`;
    const all = `${number(changed)} of ${counted(compared, "answer")} changed`;
    const by = changed === 0 ? "no answer changed" : `${all}, and about ${number(chance)} would even without a change`;
    return `: ${also}. Apart from that the answers differ no more than by chance: ${by}`;
  }
  const flaky = flakyWords(reported);
  if (changed === 0 && flaky === "") return "";
  if (!isWording(reported, changed)) {
    const byChance = chance === 0 ? "" : ` (about ${number(chance)} by chance alone)`;
    const [noun, as] = tries > 1 ? ["case", "answered as before"] : ["answer", "as before"];
    const are = `${number(changed)} of ${counted(compared, noun)} ${changed === 1 ? "is" : "are"} not ${as}${byChance}`;
    return `: ${joined(changed === 0 ? "" : are, flaky)}`;
  }
  const differ = wordedWords(reported);
  const isPlain = changed === 0 || (changed === answerDiffers && chance === 0);
  const worded = isPlain ? differ : `${differ}; ${changedBy(reported)}`;
  return `: ${joined(worded, flaky)}. Different is not wrong${worseOnes(reported)}`;
}

/** `: 150 of 165 answers changed more than prod changes between two runs; about 56 would by chance`; all of it where texts do not decide. */
function shortChangedWords(reported: BehaviourView): string {
  const [changed, chance] = [reported.changes.changed ?? 0, chanceOf(reported)];
  const isByFields = otherwiseWords(reported) !== null && changed <= chance;
  if (isByFields || changed === 0 || !isWording(reported, changed)) return changedWords(reported);
  if (chance === 0) return `: ${wordedWords(reported)}`;
  const { baseline, compared, tries } = reported;
  const of = counted(compared, tries > 1 ? "case" : "answer");
  return `: ${number(changed)} of ${of} changed more than ${baseline} changes between two runs; about ${number(chance)} would by chance`;
}

/** `160 of 165 answers are worded differently` */
function wordedWords(reported: BehaviourView): string {
  const { answerDiffers, tries } = reported;
  return differWords(reported, `${answerDiffers === 1 && tries < 2 ? "is" : "are"} worded differently`);
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== "").join("; ");
}

/** `: see the 31 that got worse`, by the main metric, which is named where the verdict is about another; empty where none did. */
function worseOnes({ metrics: [first], decidedBy }: BehaviourView): string {
  if (first === undefined || first.worse === 0) return "";
  return `: see the ${number(first.worse)} that got worse${onMetric(first.metric, decidedBy)}`;
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
function measuredSentence(summary: BehaviourView): string {
  const { reason, unseen } = summary.behaviour;
  const who = summary.isAlone ? "" : ` of ${summary.candidate}`;
  return `Behaviour${who}: ${reason}${evidence(summary)}${unseen === null ? "" : `; ${unseen}`}. ${countSentence(summary)}`.trimEnd();
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
function countSentence(reported: BehaviourView): string {
  const { baseline, answerVaries, compared, behaviour } = reported;
  if (compared === 0) return "No answer could be compared.";
  // The sentence says no more than that.
  if (behaviour.state === "no-noise-floor" && answerVaries === 0) return "";
  const like = answerVaries === 0 ? "" : `, ${number(answerVaries)} of them no more than ${baseline} varies by itself`;
  return `${whoDiffer(reported)}${like}.`;
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
    found.map(({ path, change: about, cases }) => {
      return { candidate, path, about, cases, noise: null, of: compared, p: null };
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
    ? first.change
    : members.map(({ change, cases }) => `${change} ${number(cases)}`).join(", ");
}
