import { whereWords } from "../words/tag-words.ts";
import { sentenceList } from "../../lib/sentence-list.ts";
import type { Comparison } from "../../compare/comparison.ts";
import { isMargin } from "../../compare/comparison-plan.ts";
import type { LostTag } from "../../compare/summary/lost-tags.ts";
import type { GateState } from "../../compare/verdict-word.ts";
import { sureLevel, type VerdictWord, wordFacts } from "../../compare/verdict-word.ts";
import {
  isTime,
  limitFigure,
  lossTeller,
  scoreFigure,
  scoreRange,
  sidesFigures,
  sizeOfChange,
} from "../words/figures.ts";
import { alsoWorseWords, type ShownWorse, worstSegmentWords } from "../words/worse-words.ts";
import { lossShown, shownAs } from "./gate-details.ts";
import { invalidVerdict } from "./invalid-verdict.ts";
import { hiddenLossWords } from "../words/hidden-loss-words.ts";
import { openGainOf } from "../../compare/summary/candidate-verdict.ts";
import type { MetricSummary } from "../../compare/summary/metric-summary.ts";
import { alwaysWords, peopleLines } from "../words/people-words.ts";
import { openGainWords } from "../words/dependence-words.ts";
import { lostTagWords } from "../words/lost-tag-words.ts";
import { isFlipped } from "../words/flip-words.ts";
import { gateFigures, gateKindWords } from "../words/gate-words.ts";
import type { Claim } from "../words/kind-words.ts";
import { choiceWords } from "../words/choice-words.ts";
import type { ReportChoice } from "../shape/choice.ts";
import { choiceWord } from "../../compare/choice/choice.ts";
import { betterWords, claimWords, evidenceWords, isWorse } from "../words/verdict-words.ts";
import { type DeadPlace, deadPlaceWords } from "../words/place-words.ts";
import type { ReportGate, ReportMetric, ReportPlace, Verdict } from "../shape/model.ts";
import { counted, number } from "../words/quantity.ts";
import type { TargetSummary } from "../../compare/tallies/target-tally.ts";

/** The whole result of a comparison in plain words: one sentence, and what stands behind it. Nothing else words it. */
export function verdictOf(
  comparison: Comparison,
  {
    gates,
    metrics,
    proposal,
    choice,
  }: {
    gates: readonly ReportGate[];
    metrics: readonly ReportMetric[];
    proposal: DecidingScorer | null;
    choice: ReportChoice | null;
  },
): Verdict {
  const { candidates, verdict, word } = comparison;
  if (verdict === "invalid") return invalidVerdict(comparison, gates);
  if (candidates.length === 0)
    return {
      ...noVerdict,
      sentence: aloneSentence(comparison, metrics),
      details: aloneDetails(comparison, metrics),
    };
  const worse = shownWorse(comparison, gates, metrics);
  if (verdict === null || word === null) {
    const [why] = comparison.decision.notCompared;
    const details = why === undefined ? undecided(comparison, proposal) : [`Nothing decides: ${why}.`];
    const isAlone = candidates.length === 1;
    const also = alsoWorseWords(worse, { isMore: false, isGated: false, say: lossTeller(), isAlone });
    return {
      ...noVerdict,
      sentence: `${differenceSentence(comparison)}${also}`,
      details: [
        ...lostIn(comparison, { gates, metrics, worse, metric: null, dead: null }),
        ...worstIn(worse, { metric: null, candidates }),
        ...details,
      ],
    };
  }
  const chosen = chosenWords(choice, metrics);
  if (chosen !== null && comparison.choice !== undefined && choiceWord(comparison.choice) === word)
    return {
      ...noVerdict,
      state: verdict,
      word,
      metric: choice?.metric ?? null,
      sentence: chosen.sentence,
      details: [...judgeNotes(comparison, gates, metrics), ...chosen.details],
      ...(chosen.further.length > 0 && { further: chosen.further }),
    };
  const deciding = decidingGates(comparison, word, gates);
  const [first] = deciding;
  const dead = deadPlaceIn(comparison, gates, metrics);
  const isDeadSaid = dead !== null && first === undefined;
  const metric = first?.metric ?? dead?.about.name ?? null;
  const { sentence, besides } = isDeadSaid
    ? { sentence: deadPlaceWords(dead), besides: [] }
    : word === "better"
      ? betterSentence(comparison, { gates, metrics, worse })
      : sentenceOf(verdict, deciding, { metrics, worse, comparison });
  const beside = besideLines(comparison, { gates, metrics, word, first });
  const others = [
    ...beside.flatMap(({ candidate, line }) => (candidate === first?.candidate ? [] : [line])),
    ...(word === "better" ? besides : []),
  ];
  const details = [
    ...judgeNotes(comparison, gates, metrics),
    ...(chosen === null ? [] : [`${chosen.sentence}.`, ...chosen.details]),
    ...lostIn(comparison, { gates, metrics, worse, metric, dead: isDeadSaid ? dead : null }),
    ...hiddenNotes(comparison, metrics),
    ...gapLines(comparison),
    ...openGainNotes(comparison),
    ...beside.map(({ line }) => line),
    ...besides,
    ...worstIn(
      worse.filter((each) => !isDeadSaid || !isDeadPlace(each, dead)),
      { metric, candidates },
    ),
    ...deciding
      .slice(0, 3)
      .flatMap((gate, place) => gateDetails(gate, { place, isAlone: deciding.length === 1, metrics })),
  ];
  const onceAsked = lossesOnceAsked(deciding, comparison);
  if (onceAsked !== null) details.push(onceAsked);
  const drop = first?.smallestDrop ?? null;
  const measured = measuredOf(deciding.slice(0, 3), metrics);
  const told = first?.candidate ?? dead?.gate.candidate;
  const about = comparison.verdicts.find(({ candidate }) => candidate === told);
  return {
    state: verdict,
    word,
    claim: about?.claim ?? "none",
    metric,
    sentence,
    details,
    ...(chosen !== null && chosen.further.length > 0 && { further: chosen.further }),
    ...(others.length > 0 && { ofOthers: others }),
    measured: drop === null ? measured : [...measured, drop],
  };
}

/** The first candidate that a place alone makes worse, with the gate of its metric over all cases; null: there is none. */
function deadPlaceIn(
  comparison: Comparison,
  gates: readonly ReportGate[],
  metrics: readonly ReportMetric[],
): DeadPlace | null {
  for (const { candidate, byPlace, gain } of comparison.verdicts) {
    const about = metrics[byPlace?.place ?? -1];
    const gate = gates.find(
      (each) => each.candidate === candidate && each.metric === about?.name && each.slice === null,
    );
    if (byPlace === undefined || about === undefined || gate === undefined) continue;
    return { place: byPlace, gate, about, isBetter: gain !== null, ...pairOf(gate, comparison) };
  }
  return null;
}

/** True for the place that the sentence is about already. */
function isDeadPlace({ candidate, about, slice }: ShownWorse, { gate, place, about: own }: DeadPlace): boolean {
  if (slice === null || candidate !== gate.candidate || about !== own) return false;
  const isSame = slice.tag === place.tag && slice.value === place.value;
  return isSame && slice.and?.tag === place.and?.tag && slice.and?.value === place.and?.value;
}

/** The words of a choice, by the metric that it is made by; null: nothing is chosen. */
function chosenWords(choice: ReportChoice | null, metrics: readonly ReportMetric[]) {
  const about = metrics.find(({ name }) => name === choice?.metric);
  return choice === null || about === undefined ? null : choiceWords(choice, about);
}

const noVerdict: Pick<Verdict, "state" | "word" | "claim" | "metric" | "measured"> = {
  state: "none",
  word: null,
  claim: "none",
  metric: null,
  measured: [],
};

/** The gates that the word at the top is about: of the candidate with that word, first. */
function decidingGates({ verdicts }: Comparison, word: VerdictWord, gates: readonly ReportGate[]): ReportGate[] {
  const own = new Set(verdicts.flatMap((each) => (each.word === word ? [each.candidate] : [])));
  const found = gates.filter((gate) => own.has(gate.candidate) && gate.word === (word === "better" ? "pass" : word));
  const decidable = found.filter(({ tooFew }) => !tooFew);
  return decidable.length > 0 ? decidable : found;
}

/** The figures of a candidate's primary metric that is surely better, with the bound that decides; null: it is not known to be. */
function gainOf(
  { candidate, gain }: Comparison["verdicts"][number],
  gates: readonly ReportGate[],
  { metrics, comparison }: { metrics: readonly ReportMetric[]; comparison: Comparison },
) {
  const about = metrics.find(({ name }) => name === metrics[0]?.name);
  const gate = gates.find((each) => each.candidate === candidate && each.metric === about?.name && each.slice === null);
  if (gain === null || about === undefined || gate === undefined) return null;
  return { gate, about, least: shownAs(about)(gain.lower), ...pairOf(gate, comparison) };
}

/** Every candidate is better: the first in figures, the others by name. */
function betterSentence(
  comparison: Comparison,
  {
    gates,
    metrics,
    worse,
  }: { gates: readonly ReportGate[]; metrics: readonly ReportMetric[]; worse: readonly ShownWorse[] },
): { sentence: string; besides: string[] } {
  const better = comparison.verdicts.filter(({ word }) => word === "better");
  const [first, ...others] = better.flatMap((each) => gainOf(each, gates, { metrics, comparison }) ?? []);
  if (first === undefined) return { sentence: "Nothing was decided", besides: [] };
  const say = lossTeller();
  const isAlone = comparison.candidates.length === 1;
  const also = alsoWorseWords(worse, { isMore: false, isGated: true, say, isAlone, first: first.gate.candidate });
  const sentence = `${betterWords({ ...first, say })}${also}`;
  return { sentence, besides: others.map((each) => `${betterWords({ ...each, say: lossTeller() })}.`) };
}

/** The judges that something is decided by: what people say beside them, and that they were not checked. */
export function judgeNotes(
  { candidates, choice }: Comparison,
  gates: readonly ReportGate[],
  metrics: readonly ReportMetric[],
): string[] {
  const isAlone = candidates.length === 1;
  const decides = ({ gated, metric }: MetricSummary): boolean => gated || metric === choice?.metric;
  const alikeOf = (each: MetricSummary | undefined): string[] => {
    const about = metrics.find(({ name }) => name === each?.metric);
    return each === undefined || about === undefined || !decides(each) ? [] : alwaysWords(each, about);
  };
  const labelled = gates.flatMap((gate) => {
    const about = metrics.find(({ name }) => name === gate.metric);
    if (gate.state === null || gate.slice !== null || about === undefined) return [];
    const own = candidates.find(({ candidate }) => candidate === gate.candidate)?.metrics;
    const alike = alikeOf(own?.find(({ metric, people }) => metric === gate.metric && people !== undefined));
    return peopleLines(gate, about, { isAlone, alike });
  });
  const withoutLabels = candidates.flatMap(({ metrics: own }) => own.filter(({ people }) => people === undefined));
  labelled.push(...new Set(withoutLabels.flatMap(alikeOf)));
  const unchecked = new Set(
    candidates.flatMap(({ metrics: own }) =>
      own.flatMap((each) => {
        const isUnchecked = each.judge === "unchecked" && each.people?.refused !== null;
        return decides(each) && isUnchecked ? [`\`${each.metric}\``] : [];
      }),
    ),
  );
  if (unchecked.size === 0) return labelled;
  const judges = unchecked.size === 1 ? "a judge that was" : "judges that were";
  return [...labelled, `Graded by ${[...unchecked].join(" and ")}, ${judges} not checked against people.`];
}

/** Gains that are sure by rows alone, and not by a column that nobody named, where no gate says so of that column. */
export function openGainNotes({ verdicts, gates, candidates }: Comparison): string[] {
  return verdicts.flatMap(({ candidate }) => {
    const metrics = candidates.find((each) => each.candidate === candidate)?.metrics;
    const open = openGainOf(gates, { candidate, about: metrics?.find(({ primary }) => primary) ?? metrics?.[0] });
    const isTold = gates.some(
      (gate) => gate.candidate === candidate && isMargin(gate) && gate.dependence?.column === open?.column,
    );
    return open === undefined || isTold ? [] : [openGainWords(candidate, open)];
  });
}

/** Losses that could hide under a pass, because its rows are of few groups: a line for each gate. */
export function hiddenNotes({ gates, candidates, word }: Comparison, metrics: readonly ReportMetric[]): string[] {
  if (word === null || wordFacts(word).state !== "pass") return [];
  const hidden = gates.filter(isMargin).flatMap(({ hidden: found, metric, candidate, slice }) => {
    const about = metrics.find(({ name }) => name === metric);
    return found === undefined || about === undefined ? [] : [{ found, about, candidate, slice }];
  });
  const isAlone = hidden.length === 1;
  const lines = hidden.map(({ found, about, candidate, slice }) => {
    const who = candidates.length === 1 ? "" : `${candidate}, `;
    return `${isAlone ? "" : `${who}${about.name}${whereWords(slice)}: `}${hiddenLossWords(found, about)}`;
  });
  return lines.slice(0, mostHidden);
}

/** Sides that lack so many more grades than the other that it is no chance, whatever the verdict. */
function gapLines({ candidates, cases }: Comparison): string[] {
  return candidates.flatMap(({ candidate, baseline, metrics }) =>
    metrics.flatMap(({ metric, gated, gaps }) => {
      if (!gated || gaps === null || gaps.p >= sureLevel) return [];
      const lacks = `${candidate} has no grade of \`${metric}\` where ${baseline} has one in ${number(gaps.candidate)} of ${counted(cases, "case")}`;
      return [`${lacks}, and the reverse in ${number(gaps.baseline)}: more than chance explains.`];
    }),
  );
}

/**
 * The candidates of another word than the one at the top that are surely better or worse, and a primary metric that is surely
 * better beside gates that say something else: a sentence for each, since nobody looks for them further down.
 */
function besideLines(
  comparison: Comparison,
  {
    gates,
    metrics,
    word,
    first,
  }: {
    gates: readonly ReportGate[];
    metrics: readonly ReportMetric[];
    word: VerdictWord;
    first: ReportGate | undefined;
  },
): { candidate: string; line: string }[] {
  return comparison.verdicts.flatMap((each) => {
    if (word === "better") return [];
    const gained = gainOf(each, gates, { metrics, comparison });
    const better = gained === null ? [] : [betterWords({ ...gained, say: lossTeller() })];
    const isShown = (gate: ReportGate): boolean => gate.word === word && gate.candidate === first?.candidate;
    const lost = gates.filter(
      (gate) => gate.candidate === each.candidate && gate.sureLoss !== undefined && !isShown(gate),
    );
    const worse = lost.slice(0, 1).flatMap((gate) => {
      const about = metrics.find(({ name }) => name === gate.metric);
      const claim = { gate, about, say: lossTeller(), ...pairOf(gate, comparison) };
      return about === undefined ? [] : [`${claimWords({ ...claim, about })}: ${evidenceWords({ ...claim, about })}`];
    });
    return [...better, ...worse].map((line) => ({ candidate: each.candidate, line: `${line}.` }));
  });
}

/** Metrics and values of tags that are surely worse, as they are shown, without those that a gate has called a regression already. */
function shownWorse(
  { worse }: Comparison,
  gates: readonly ReportGate[],
  metrics: readonly ReportMetric[],
): ShownWorse[] {
  return worse.flatMap((each) => {
    const { candidate, place, slice: segment, difference: change, p } = each;
    const about = metrics[place];
    if (about === undefined) return [];
    const own = gates.filter(
      (gate) => gate.candidate === candidate && gate.metric === about.name && gate.state !== null,
    );
    const whole = own.find((gate) => gate.slice === null) ?? null;
    if (segment === null && whole?.state === "regression") return [];
    const gate = segment === null ? whole : null;
    return [{ candidate, about, slice: segment, lost: lossShown(-change, about), p, gate }];
  });
}

/** True where a group is a value of a tag that lost everything, or a part of it: one loss is told once. */
function isLost(
  { candidate, metric, tag, value, and }: Pick<ReportPlace, "candidate" | "metric" | "tag" | "value" | "and">,
  lost: Pick<LostTag, "candidate" | "metric" | "tag" | "value">,
): boolean {
  const values = [{ tag, value }, ...(and === null ? [] : [and])];
  const isOwn = values.some((each) => each.tag === lost.tag && each.value === lost.value);
  return isOwn && lost.candidate === candidate && lost.metric === metric;
}

/** Values of tags that lost everything, but for those that the sentence or the line of the worst one names already. */
function lostIn(
  { lostTags, candidates }: Comparison,
  {
    gates,
    metrics,
    worse,
    metric,
    dead,
  }: {
    gates: readonly ReportGate[];
    metrics: readonly ReportMetric[];
    worse: readonly ShownWorse[];
    metric: string | null;
    /** The place that the sentence is about. */
    dead: DeadPlace | null;
  },
): string[] {
  const said = [
    ...(dead === null ? [] : [{ candidate: dead.gate.candidate, metric: dead.about.name, ...dead.place }]),
    ...worse.flatMap(({ candidate, about, slice }) =>
      slice === null ? [] : [{ candidate, metric: about.name, ...slice }],
    ),
    ...gates.flatMap(({ state, candidate, metric: gated, slice: segment }) =>
      state === "regression" && segment !== null ? [{ candidate, metric: gated, ...segment, and: null }] : [],
    ),
  ].filter(({ and }) => and === null);
  const shown = lostTags
    .map((lost) => ({ ...lost, metric: metrics[lost.place]?.name ?? lost.metric }))
    .filter((lost) => !said.some((each) => isLost(each, lost)));
  return lostTagWords(shown, { metric, isAlone: candidates.length === 1 });
}

/** Where it is surely worse, as a line of its own. */
function worstIn(
  worse: readonly ShownWorse[],
  { metric, candidates }: { metric: string | null; candidates: Comparison["candidates"] },
): string[] {
  const words = worstSegmentWords(worse, { metric, isAlone: candidates.length === 1 });
  return words === null ? [] : [`${words}.`];
}

/** A scorer that would decide, why it fits, and the command that grades and compares with it. */
export interface DecidingScorer {
  scorer: string;
  reason: string;
  command: string | null;
}

/** The reasons why nothing decides, and a scorer that would. */
function undecided({ targets }: Comparison, proposal: DecidingScorer | null): string[] {
  const nothing = "Nothing decides: no scorer grades the answers";
  if (proposal === null) {
    const isExpected = targets.some(({ expected }) => expected !== null);
    const why = isExpected ? "" : ", and no case has an expected answer (a judge needs none)";
    return [`${nothing}${why}. Add \`scorers\` to the suite.`];
  }
  const { scorer, reason, command } = proposal;
  const next = command === null ? "Grade each batch with it (`tandem score BATCH`)" : `Next: \`${command}\``;
  return [`${nothing}. One that fits: ${scorer}. ${reason}`, `${next}.`];
}

const mostHidden = 3;

/** Words for other gates of its kind. */
const tooWords = { regression: "got worse too", pass: "passed too", inconclusive: "undecided too" } as const;
const mostNamed = 2;

/** `; \`similar\`, \`correct where kind is typo\` and 2 more got worse too`: the others that decide the same, by name. */
function othersWords(
  others: readonly ReportGate[],
  state: keyof typeof tooWords,
  { isAlone }: { isAlone: boolean },
): string {
  if (others.length === 0) return "";
  const named = others
    .slice(0, mostNamed)
    .map(({ name, candidate }) => `\`${name}\`${isAlone ? "" : ` of ${candidate}`}`);
  const left = others.length - named.length;
  const parts = left === 0 ? named : [...named, `${number(left)} more`];
  const list = sentenceList(parts);
  // A row that does not hold need not be worse than before.
  const isOfBoth = others.every((gate) => gateKindWords(gate).claim === undefined);
  return `; ${list} ${state === "regression" && !isOfBoth ? "failed too" : tooWords[state]}`;
}

function sentenceOf(
  state: Exclude<GateState, "invalid">,
  [first, ...rest]: readonly ReportGate[],
  {
    metrics,
    worse,
    comparison,
  }: { metrics: readonly ReportMetric[]; worse: readonly ShownWorse[]; comparison: Comparison },
): { sentence: string; besides: string[] } {
  const about = metrics.find(({ name }) => name === first?.metric);
  if (first === undefined || about === undefined) return { sentence: "Nothing was decided", besides: [] };
  const isAlone = comparison.candidates.length === 1;
  const more = othersWords(rest, state, { isAlone });
  const say = lossTeller();
  const claimed = { gate: first, about, say, ...pairOf(first, comparison) };
  // Each says its losses in turn: the first tells of what the points are.
  const sure = first.sureLoss === undefined ? null : worse.find(({ gate }) => gate === first);
  const others = worse.filter((each) => each !== sure);
  const isGated = { isGated: true, isAlone, first: first.candidate };
  if (first.word === "cannot-tell" && first.advice !== null) {
    const also = alsoWorseWords(others, { isMore: false, say, ...isGated });
    return {
      sentence: `${unableSubject(claimed, comparison)}${first.advice.replace(/\.$/, "")}${more}${also}`,
      besides: first.worse + first.better === 0 ? [] : [`${evidenceWords(claimed)}.`],
    };
  }
  const claim = claimWords(claimed);
  const evidence = evidenceWords(claimed);
  const also = alsoWorseWords(others, { isMore: isWorse(claimed), say, ...isGated });
  return { sentence: `${claim}: ${evidence}${more}${also}`, besides: [] };
}

/** `alt against prod, \`wer\`: `: the pair and the gate of a sentence that does not name them, where there are others; else empty. */
function unableSubject(
  { gate: { candidate, name, advice }, baseline }: Pick<Claim, "gate" | "baseline">,
  { candidates, gates }: Comparison,
): string {
  const pair = candidates.length === 1 ? [] : [`${candidate} against ${baseline}`];
  const others = gates.filter((gate) => gate.candidate === candidate).length > 1;
  const about = others && advice?.includes(`\`${name}\``) !== true ? [`\`${name}\``] : [];
  const subject = [...pair, ...about];
  return subject.length === 0 ? "" : `${subject.join(", ")}: `;
}

/** The baseline of a gate, if its losses are all of cases that passed before and fail now, and how often the pair was asked. */
function pairOf(
  gate: ReportGate,
  { candidates, targets, cases }: Comparison,
): Pick<Claim, "baseline" | "flipped" | "tries"> {
  const pair = candidates.find(({ candidate }) => candidate === gate.candidate);
  const flipped = pair !== undefined && pair.flips.metric === gate.metric && isFlipped(gate, pair.flips.lists);
  const ofPair = targets.filter(({ target }) => target === pair?.baseline || target === gate.candidate);
  const tries = Math.max(1, ...ofPair.map(({ jobs }) => Math.round(jobs / Math.max(1, cases))));
  return { baseline: pair?.baseline ?? "the baseline", flipped, tries };
}

/** The advice for rows that newly fail where each was asked once: an answer that is wrong by chance counts there as a loss. */
export function lossesOnceAsked(deciding: readonly ReportGate[], comparison: Comparison): string | null {
  // Stored answers cannot be asked again.
  const isAsked = (name: string): boolean =>
    comparison.targets.some(({ target, attempts }) => target === name && attempts > 0);
  const isOnce = deciding.some(
    (gate) =>
      gate.losses !== null &&
      gate.state === "regression" &&
      gate.losses.lost > (gate.losses.unanswered ?? 0) + (gate.losses.ungraded ?? 0) &&
      isAsked(gate.candidate) &&
      pairOf(gate, comparison).tries === 1,
  );
  return isOnce ? "Each row was asked once, and may fail by chance. Ask each three times: `--repeats 3`." : null;
}

/** The figures of gates with their tests. */
function measuredOf(gates: readonly ReportGate[], metrics: readonly ReportMetric[]): string[] {
  return gates.flatMap((gate) => {
    const about = metrics.find(({ name }) => name === gate.metric);
    return about === undefined ? [] : [`${gate.candidate}, ${gate.name}: ${gateFigures(gate, about)}.`];
  });
}

/** The figures of the first are in the sentence. */
function gateDetails(
  gate: ReportGate,
  { place, isAlone, metrics }: { place: number; isAlone: boolean; metrics: readonly ReportMetric[] },
): string[] {
  const metric = metrics.find(({ name }) => name === gate.metric);
  if (metric === undefined) return [];
  const name = isAlone ? "" : `${gate.candidate}, ${gate.name}: `;
  const figures = place === 0 ? [] : [`${plainWords(gate, metric)}.`];
  const isSaid = place === 0 && gate.word === "cannot-tell";
  return [...figures, ...(gate.advice === null || isSaid ? [] : [`${name}${gate.advice}`])];
}

/** `big-model is 0.22 s slower (0.08 s -> 0.296 s). The limit is 0.1 s`: another gate of the same word, without statistics. */
function plainWords(gate: ReportGate, metric: ReportMetric): string {
  const { candidate, name, margin, difference } = gate;
  const sides = sidesFigures(gate, metric).join(" -> ").replaceAll("−", "-");
  const limit = margin === null ? "" : `. The limit is ${limitFigure(margin, metric)}`;
  const by = sizeOfChange(difference, metric);
  const is = isTime(metric) ? `${candidate} is ${by} (${sides})` : `\`${name}\` of ${candidate}: ${sides}, ${by}`;
  return `${is}${limit}`;
}

const mostDiffering = 3;

function differenceSentence({ candidates }: Comparison): string {
  if (candidates.length === 0) return "Nothing was compared";
  const named = candidates
    .slice(0, mostDiffering)
    .map(
      ({ candidate, baseline, answerDiffers, compared }) =>
        `${candidate} answers ${number(answerDiffers)} of ${counted(compared, "case")} differently from ${baseline}`,
    );
  const left = candidates.length - named.length;
  return [...named, ...(left === 0 ? [] : [`${counted(left, "more target")} below`])].join("; ");
}

/** The result of a batch in which nothing is compared: the score of its one target, and how sure it is. */
function aloneSentence({ targets, cases }: Comparison, metrics: readonly ReportMetric[]): string {
  const [first, ...others] = targets;
  if (first === undefined) return "There is nothing to show";
  if (others.length > 0) return `${counted(targets.length, "target")}, ${counted(cases, "case")}; nothing is compared`;
  const answered = `${first.target} answered ${number(first.answered)} of ${counted(first.jobs, "job")}`;
  const reported = scoreOf(first, metrics);
  if (reported === null) return answered;
  const { metric, mean, scored, interval } = reported;
  const what = metric.passes ? "the rate" : "the average";
  const sure = interval === null ? "" : `. With chance taken into account, ${what} may be ${interval}`;
  const missing = first.answered === first.jobs ? "" : `. ${answered}`;
  if (!metric.passes)
    return `\`${metric.name}\` of ${first.target} is ${scoreFigure(mean, metric)} on average in ${counted(scored, "case")}${sure}${missing}`;
  const failing = Math.round((1 - mean) * scored * 10) / 10;
  return `${first.target} passes \`${metric.name}\` in ${scoreFigure(mean, metric)} of ${counted(scored, "case")}; ${number(failing)} fail${sure}${missing}`;
}

/** The score that tells most: the primary one, else the first that says pass or fail, else the first. */
function scoreOf({ scores }: TargetSummary, metrics: readonly ReportMetric[]) {
  const graded = metrics.flatMap((metric, place) => {
    const { mean = null, cases: scored = 0, interval = null } = scores[place] ?? {};
    if (mean === null) return [];
    const range = interval === null ? null : scoreRange({ lower: interval.low, upper: interval.high }, metric);
    return [{ metric, mean, scored, interval: range }];
  });
  return graded.find(({ metric }) => metric.primary) ?? graded.find(({ metric }) => metric.passes) ?? graded[0] ?? null;
}

/** The way to a verdict for answers that nothing grades: lines of YAML that can be pasted, which stand as code. */
function aloneDetails({ targets }: Comparison, metrics: readonly ReportMetric[]): string[] {
  if (targets.length === 0 || metrics.length > 0) return [];
  const isExpected = targets.some(({ expected }) => expected !== null);
  const [type, what] = isExpected
    ? ["contains", "which answers hold the expected text"]
    : ["not-empty", "which answers say something"];
  return [
    `Nothing grades the answers. Stored ones are graded by \`tandem score --scorer ${type}\`: it tells ${what}.`,
    `For every later run add this line to the suite: \`scorers: [{ type: ${type} }]\``,
  ];
}
