import { isSameSlice, type SliceName, type TagValue, valuesOf } from "../compare/slice-name.ts";
import type { Comparison } from "../compare/comparison.ts";
import { isMargin } from "../compare/comparison-plan.ts";
import type { GateFacts } from "../compare/verdict/facts.ts";
import { byGravity, sureLevel, type VerdictWord } from "../compare/verdict-word.ts";
import { choiceWord, tiedOf } from "../compare/choice/choice.ts";
import { fewestLost } from "../stats/planning/reach.ts";
import type { ReportChoice } from "./shape/choice.ts";
import {
  subjectOfHeadline,
  type AnsweredBy,
  type Also,
  type ChoiceHeadline,
  type Compared,
  type Fact,
  type Findings,
  type Headline,
  type NoteFact,
  type Turned,
  type TurnedPlace,
  type WhereFact,
} from "./shape/findings.ts";
import type { ReportGate, ReportMetric, ReportPlace } from "./shape/model.ts";
import type { ProviderFinding } from "./shape/provider.ts";
import { causeWords } from "./say/causes.ts";
import { isFlipped } from "./say/changes.ts";
import { countedRows, rowsInAll } from "./say/rows-to-add.ts";
import { silentTarget, stoppedAnsweringWords } from "./say/validity.ts";
import { errorShare } from "../compare/summary/validity.ts";
import type { TargetSummary } from "../compare/tallies/target-tally.ts";
import { byMean } from "./model/choice-order.ts";
import { isTime } from "./say/figures.ts";
import { roughly } from "./say/quantity.ts";
import { decidedByPeople } from "./say/people.ts";
import { lacksAnswer } from "../compare/cases/side-outcome.ts";
import { lossShown } from "./say/gate-details.ts";

/** The parts of a report that its findings are made of. */
export interface FoundIn {
  comparison: Comparison;
  gates: readonly ReportGate[];
  metrics: readonly ReportMetric[];
  places: readonly ReportPlace[];
  choice: ReportChoice | null;
  /** It ended before all was sent. */
  isInterrupted: boolean;
  /** Parts of it are missing that nobody left out on purpose. */
  lacksParts: boolean;
  /** Both sides are the same bot on purpose. */
  isSameBot: boolean;
  /** Nobody says what decides: no gate, and nothing that is chosen. */
  mayChoose: boolean;
  /** The words of services of themselves; null: they are no news, and nobody asks. */
  provider: ProviderFinding | null;
  /** Sentences that other parts of the program made, each with its label. */
  notes: readonly NoteFact[];
}

/** Finds what a result says: the statement at the top, and the lines below its figures. */
export function findingsOf(found: FoundIn): Findings {
  const headline = headlineOf(found);
  return { isSameBot: found.isSameBot, headline, also: alsoOf(headline, found), facts: factsOf(headline, found) };
}

function headlineOf(found: FoundIn): Headline {
  const { comparison, metrics, choice } = found;
  const { verdict, word, candidates } = comparison;
  const interrupted = interruptedIn(found);
  if (interrupted !== null) return interrupted;
  if (verdict === "invalid") return invalidIn(found);
  if (candidates.length === 0) return aloneIn(comparison, metrics);
  if (verdict === null || word === null)
    return (
      ungatedIn(found) ?? {
        kind: "not-graded",
        word: null,
        pairs: candidates.map(({ candidate, baseline, answerDiffers, compared }) => ({
          candidate,
          baseline,
          differ: answerDiffers,
          rows: compared,
        })),
      }
    );
  if (choice !== null && comparison.choice !== undefined && choiceWord(comparison.choice) === word)
    return choiceIn(choice, { word, metrics, tied: word === "best" ? tiedOf(comparison.choice) : null });
  const place = placeIn(found);
  const [gate] = decidingGates(word, found);
  if (gate === undefined)
    return (
      place ?? {
        kind: "cannot-tell",
        word: "cannot-tell",
        why: "nothing was decided",
        about: null,
        names: { pair: false, metric: false },
        place: null,
      }
    );
  return gateHeadline(gate, found);
}

/** A run that did not come to its end, and has nothing decided; null: it did, or what it has decides. */
function interruptedIn({ comparison, isInterrupted }: FoundIn): Headline | null {
  const { verdict, targets, stopping } = comparison;
  const open = targets.reduce((sum, { unfinished }) => sum + unfinished, 0);
  const hasStopped = targets.some(({ stopped }) => stopped !== null);
  if (!isInterrupted || open === 0 || hasStopped || (stopping?.decidedAfter ?? null) !== null) return null;
  if (verdict !== null && verdict !== "invalid") return null;
  const of = targets.reduce((sum, { jobs }) => sum + jobs, 0);
  return { kind: "interrupted", word: null, done: of - open, of };
}

function invalidIn({ comparison, lacksParts }: FoundIn): Headline {
  const { targets, decision } = comparison;
  const silent = silentTarget(targets, decision.maxErrorShare);
  if (silent !== undefined) return { kind: "silent", word: "invalid", why: stoppedAnsweringWords(silent) };
  const [why = "something is missing"] = reasonsOf(comparison);
  const isShort = (each: TargetSummary): boolean => (errorShare(each) ?? 0) > decision.maxErrorShare;
  const first = targets.find((each) => each.stopped !== null || each.unfinished > 0 || isShort(each));
  const quotes = !lacksParts && first !== undefined && first.stopped === null && first.unfinished === 0;
  return { kind: "invalid", word: "invalid", why, quotes };
}

/** Why nothing is decided, each reason once. */
function reasonsOf({ validity, gates }: Comparison): string[] {
  const found = validity?.state === "invalid" ? validity.reasons : gates.flatMap(({ reason }) => reason ?? []);
  return [...new Set(found.map(causeWords))];
}

const mostReasons = 3;

/** The reasons that the headline does not tell. */
function reasonFacts({ kind }: Headline, comparison: Comparison): Fact[] {
  if (kind !== "invalid" && kind !== "silent") return [];
  const texts = reasonsOf(comparison).slice(kind === "invalid" ? 1 : 0, mostReasons + 1);
  return texts.length === 0 ? [] : [{ kind: "reasons", texts }];
}

function aloneIn({ targets, cases }: Comparison, metrics: readonly ReportMetric[]): Headline {
  const [first, ...others] = targets;
  const scored = metrics.flatMap((metric, place) => {
    const { mean = null, cases: rows = 0 } = first?.scores[place] ?? {};
    return mean === null ? [] : [{ metric, value: mean, rows }];
  });
  const told = scored.find(({ metric }) => metric.primary) ?? scored.find(({ metric }) => metric.passes) ?? scored[0];
  if (first === undefined || others.length > 0 || told === undefined)
    return { kind: "answers", word: null, targets: targets.map(answeredBy), rows: cases };
  const { metric, value, rows } = told;
  return { kind: "alone", word: null, target: first.target, metric: metric.name, value, rows, passes: metric.passes };
}

const answeredBy = ({ target, answered, jobs }: Comparison["targets"][number]): AnsweredBy => ({
  target,
  answered,
  of: jobs,
});

/** The place that alone makes a candidate worse; null: none does. */
function placeIn({ comparison, gates, metrics }: FoundIn): Headline | null {
  for (const { candidate, baseline, byPlace, gain } of comparison.verdicts) {
    const metric = metrics[byPlace?.place ?? -1];
    const gate = gates.find(
      (each) => each.candidate === candidate && each.metric === metric?.name && each.slice === null,
    );
    if (byPlace === undefined || metric === undefined || gate === undefined) continue;
    const { tag, value, and, cases, worse } = byPlace;
    const place = { tag, value, and, rows: cases, worse, flips: metric.passes, difference: null };
    const { cases: rows, margin, word } = gate;
    const overall = word !== "pass" ? "open" : gain === null ? "as-good" : "better";
    return { kind: "place", word: "worse", candidate, baseline, metric: metric.name, place, overall, rows, margin };
  }
  return null;
}

/** The first metric of the candidate that loses most by it, where no gate decides; null: nothing grades the answers. */
function ungatedIn({ comparison, gates, metrics }: FoundIn): Headline | null {
  const own = gates.filter((gate) => gate.metric === metrics[0]?.name && gate.slice === null && gate.now !== null);
  const [gate] = own.toSorted(byLoss);
  if (gate === undefined) return null;
  const { candidate, metric, slice, difference, margin, sure } = gate;
  const baseline = comparison.candidates.find((each) => each.candidate === candidate)?.baseline ?? "";
  const turned = turnedIn(gate, comparison);
  return {
    kind: "ungated",
    word: null,
    is: sure ?? "open",
    candidate,
    baseline,
    metric,
    slice,
    turned,
    difference,
    margin,
  };
}

const byLoss = (one: ReportGate, other: ReportGate): number => (one.difference ?? 0) - (other.difference ?? 0);

/** The gates that the word at the top is about: those of the candidate that loses most first. */
function decidingGates(word: VerdictWord, { comparison, gates }: FoundIn): ReportGate[] {
  const own = new Set(comparison.verdicts.flatMap((each) => (each.word === word ? [each.candidate] : [])));
  const found = gates.filter((gate) => own.has(gate.candidate) && gate.word === (word === "better" ? "pass" : word));
  const decidable = found.filter(({ tooFew }) => !tooFew);
  const all = decidable.length > 0 ? decidable : found;
  // Losses are compared within one metric: the one that the suite names first.
  const [first] = all;
  const isFirst = ({ metric, slice }: ReportGate): boolean => metric === first?.metric && slice === first.slice;
  const same = all.filter(isFirst).toSorted(word === "better" ? (one, other) => byLoss(other, one) : byLoss);
  return [...same, ...all.filter((gate) => !isFirst(gate))];
}

/** Runs of each row, where both sides were asked as often. */
function commonRuns({ targets, cases }: Comparison, { baseline, candidate }: Compared): { runs?: number } {
  const runs = targets
    .filter(({ target }) => target === baseline || target === candidate)
    .map(({ jobs }) => Math.round(jobs / Math.max(1, cases)));
  const [own = 1, other] = runs;
  return own > 1 && own === other ? { runs: own } : {};
}

function gateHeadline(gate: ReportGate, found: FoundIn): Headline {
  const { word, candidate, metric, slice, difference, margin, losses, tries } = gate;
  const { comparison } = found;
  const baseline = comparison.candidates.find((each) => each.candidate === candidate)?.baseline ?? "";
  const about: Compared = { candidate, baseline, metric, slice };
  const own = word ?? "cannot-tell";
  if (own === "cannot-tell" || own === "invalid") {
    const others = found.gates.filter((each) => each.candidate === candidate && each.state !== null).length > 1;
    return {
      kind: "cannot-tell",
      word: own,
      why: gate.advice ?? "nothing was decided",
      about,
      names: { pair: comparison.candidates.length > 1, metric: others },
      place: worstPlaceOf(gate, found),
    };
  }
  if (losses !== null) {
    const { lost, gained, cases: rows, allowed, unanswered = 0, ungraded = 0 } = losses;
    const counts = { lost, gained, rows, allowed, unanswered, ungraded };
    return { kind: "losses", word: own, ...about, ...counts, ...commonRuns(comparison, about) };
  }
  if (tries !== undefined) {
    const { failing, open, cases: rows, pass, of, rows: named } = tries;
    return { kind: "tries", word: own, ...about, failing, open, rows, pass, of, named };
  }
  const turned = turnedIn(gate, comparison);
  if (own === "too-few-cases")
    return {
      kind: "too-few",
      word: own,
      ...about,
      turned,
      difference,
      margin,
      ...neededFor(gate, found),
      place: worstPlaceOf(gate, found),
    };
  const shown = comparison.verdicts.find((each) => each.candidate === candidate)?.word === "better" ? "better" : own;
  const is =
    shown === "better"
      ? "better"
      : own !== "pass"
        ? "worse"
        : gate.sureLoss === undefined
          ? "as-good"
          : "slightly-worse";
  const stoppedEarly = gate.stoppedEarly === true;
  return { kind: "difference", word: shown, is, ...about, turned, difference, margin, stoppedEarly };
}

/** The rows of a gate that turned, by people where their labels decide. */
function turnedIn(gate: ReportGate, { candidates }: Comparison): Turned {
  const people = decidedByPeople(gate);
  if (people !== null) return { rows: people.labels, worse: people.worse, better: people.better, by: "people" };
  const { cases: rows, worse, better } = gate;
  const pair = candidates.find(({ candidate }) => candidate === gate.candidate);
  const isOfPasses = pair?.flips.metric === gate.metric;
  const by = !isOfPasses ? "scores" : isFlipped(gate, pair.flips.lists) ? "flips" : "passes";
  return { rows, worse, better, by };
}

/** The number of rows, or of rows that newly fail, that would settle an open gate. */
function neededFor(gate: ReportGate, found: FoundIn) {
  const { comparison, metrics } = found;
  const settle = resultOf(gate, found)?.settle ?? null;
  const own = comparison.candidates.find(({ candidate }) => candidate === gate.candidate);
  const isSame = own !== undefined && own.answerDiffers === 0 && gate.worse + gate.better === 0;
  const of = { cases: gate.cases, changed: gate.worse + gate.better, questions: gate.questions ?? null };
  const needs = settle === null ? null : rowsInAll(settle, of);
  const passes = metrics.find(({ name }) => name === gate.metric)?.passes === true;
  const isCounted =
    passes && gate.worse > 0 && gate.better === 0 && gate.clusters === gate.cases && gate.margin !== null;
  const isSingle = comparison.targets.every(({ jobs }) => jobs <= comparison.cases);
  const claims = Math.max(1, comparison.gates.filter(isMargin).length);
  const { alpha } = comparison.decision;
  const levels = { margin: gate.margin ?? 0, alpha: alpha / claims, passAlpha: alpha };
  const proof = isCounted ? fewestLost({ cases: countedRows(of), isSingle }, levels) : null;
  if (settle?.kind === "clusters" && settle.of.kind !== "rows")
    return { isSame, needs: settle.least, proof: null, counted: { count: gate.clusters ?? 0, of: settle.of } };
  const counted = gate.questions === undefined ? null : { count: gate.questions, of: { kind: "questions" as const } };
  return { isSame, needs, proof: counted === null ? proof : null, counted };
}

/** The result that a gate of the report was made of; undefined: it counts something. */
function resultOf(gate: ReportGate, { comparison, metrics }: FoundIn) {
  const scorer = metrics.find(({ name }) => name === gate.metric)?.scorer;
  const isOwn = (each: GateFacts): boolean =>
    each.candidate === gate.candidate &&
    each.metric === scorer &&
    each.slice?.tag === gate.slice?.tag &&
    each.slice?.value === gate.slice?.value;
  return comparison.gates.filter(isMargin).find(isOwn);
}

/** A choice, by the metric that it is made by. */
function choiceIn(
  choice: ReportChoice,
  { word, metrics, tied }: { word: VerdictWord; metrics: readonly ReportMetric[]; tied: string[] | null },
): ChoiceHeadline {
  const { intervals, set, named, ahead, alike, cases, lead, open, race, cheapest } = choice;
  const about = metrics.find(({ name }) => name === choice.metric);
  const alikeTo = (target: string): string[] => alike.find((group) => group.includes(target)) ?? [target];
  const others = (taken: readonly string[]): string[] =>
    intervals.flatMap(({ target }) => (taken.includes(target) ? [] : [target]));
  const dropped = (race?.dropped ?? []).map(({ target }) => target);
  const of = (
    is: ChoiceHeadline["is"],
    take: string[],
    { behind = dropped, by = null }: { behind?: string[]; by?: number | null } = {},
  ): ChoiceHeadline => {
    const first = intervals.find(({ target }) => target === take[0]);
    const passing = about?.passes === true && typeof first?.mean === "number" ? Math.round(first.mean * cases) : null;
    const isExpected = choice.expected === null || take.includes(choice.expected);
    return {
      kind: "choice",
      word,
      metric: choice.metric,
      take,
      is,
      open: is === "alike" ? null : open,
      expected: isExpected ? null : choice.expected,
      among: intervals.length,
      behind,
      rows: cases,
      passing,
      by,
      cost: first?.cost ?? null,
    };
  };
  if (open === "alike" && (cheapest?.named ?? null) === null)
    return of(
      "alike",
      intervals.map(({ target }) => target),
    );
  if (open !== null && open !== "alike") return of("unable", []);
  if (race?.closeEnough !== undefined && race.closeEnough !== null)
    return of("close", [race.closeEnough], { by: race.margin });
  if (cheapest !== undefined) {
    if (cheapest.unpriced.length > 0) return of("unpriced", cheapest.unpriced, { behind: [] });
    if (cheapest.named === null) return of("none", [], { behind: [], by: cheapest.margin });
    return of("cheapest", [cheapest.named], { behind: [], by: cheapest.margin });
  }
  if (named !== null) return of("best", alikeTo(named), { behind: others(alikeTo(named)), by: lead });
  if (tied !== null) return of("tie", tied, { behind: race === undefined ? others(tied) : dropped });
  if (ahead !== null) return of("ahead", [ahead], { behind: [] });
  return of("open", set, { behind: race === undefined ? others(set) : dropped });
}

/** Other candidates that are surely better or worse than their baseline, and answers that are all the same. */
function alsoOf(headline: Headline, { comparison, gates }: FoundIn): Also[] {
  const { candidates, verdicts } = comparison;
  if (headline.word === null || headline.word === "invalid" || headline.kind === "choice") return [];
  const told = subjectOfHeadline(headline)?.candidate ?? null;
  const others = verdicts
    .filter(({ candidate }) => candidate !== told)
    .toSorted((one, other) => byGravity(one.word ?? "pass", other.word ?? "pass"));
  const beside = others.flatMap(({ candidate, gain, word }): Also[] => {
    const lost = gates.find((gate) => gate.candidate === candidate && gate.sureLoss !== undefined);
    const counted = gates.find((gate) => gate.candidate === candidate && gate.losses !== null && gate.word === word);
    if (lost === undefined && word === "regression" && counted?.losses !== undefined && counted.losses !== null)
      return [{ kind: "newly-fail", candidate, rows: counted.losses.lost }];
    const isWorse = lost !== undefined || word === "regression" || word === "worse";
    if (isWorse) return [{ kind: "worse", candidate, metric: lost?.metric ?? null }];
    return gain === null ? [] : [{ kind: "better", candidate, metric: gain.metric }];
  });
  const gained = verdicts.find(({ candidate }) => candidate === told)?.gain ?? null;
  const own: Also[] =
    gained !== null && headline.word !== "better" && headline.kind !== "place" && told !== null
      ? [{ kind: "better", candidate: told, metric: gained.metric }]
      : [];
  const same = candidates.flatMap(({ candidate, baseline, answerDiffers, compared, metrics }): Also[] => {
    const isSame =
      answerDiffers === 0 &&
      compared > 0 &&
      compared === comparison.cases &&
      metrics.every(({ worse, better }) => worse + better === 0);
    const isSaid = headline.kind === "too-few" && headline.isSame && candidate === told;
    const isCalm = headline.word === "pass" || headline.word === "too-few-cases";
    return isSame && !isSaid && isCalm ? [{ kind: "same-answers", candidate, baseline, rows: compared }] : [];
  });
  return [...own, ...beside, ...undecidedBeside(headline, { told, gates }), ...same.slice(0, 1)];
}

/** Other candidates that are as open as that of the headline. */
function undecidedBeside(
  { word }: Headline,
  { told, gates }: { told: string | null; gates: readonly ReportGate[] },
): Also[] {
  if (word === null || !isOpenWord(word)) return [];
  const open = gates.filter((gate) => gate.word !== null && isOpenWord(gate.word) && gate.candidate !== told);
  const candidates = [...new Set(open.toSorted(byLoss).map(({ candidate }) => candidate))];
  return candidates.length === 0 ? [] : [{ kind: "undecided", candidates }];
}

const isOpenWord = (word: VerdictWord): boolean => word === "too-few-cases" || word === "cannot-tell";

/** The lines below the figures, in their order. */
function factsOf(headline: Headline, found: FoundIn): Fact[] {
  const { comparison, notes } = found;
  const { kind, word } = headline;
  const answered = answeredFact(comparison);
  const provider: Fact[] = found.provider === null ? [] : [{ kind: "provider", ...found.provider }];
  if (kind === "interrupted") return [...provider, ...notesOf(notes)];
  const isDecided = word !== null && word !== "invalid";
  const isOpen = word === "pass" || (word !== null && isOpenWord(word));
  return [
    ...reasonFacts(headline, comparison),
    ...(isDecided && comparison.choice === undefined ? whereFacts(headline, found) : []),
    ...(isDecided ? alsoWorse(headline, found) : []),
    ...(word === "invalid" ? [] : answered),
    ...(isDecided ? gradedFacts(comparison) : []),
    ...(isOpen && kind !== "choice" ? changedFacts(comparison) : []),
    ...(isDecided ? levelFacts(found) : []),
    ...(isDecided ? secondFacts(headline, found) : []),
    ...(isDecided ? runFacts(headline, found) : []),
    ...(isDecided ? oneMoreFacts(found) : []),
    ...(kind === "difference" && headline.stoppedEarly ? [{ kind: "early" as const }] : []),
    ...(isDecided ? undecidedOf(headline, found) : []),
    ...(kind === "difference" && headline.turned.by === "people" ? [{ kind: "by-judge" as const }] : []),
    ...choiceFacts(headline, found),
    ...provider,
    ...(isDecided && found.mayChoose && comparison.candidates.length > 1 && comparison.choice === undefined
      ? [{ kind: "may-choose" as const }]
      : []),
    ...notesOf(notes),
  ];
}

const notesOf = (notes: FoundIn["notes"]): Fact[] => notes.filter(({ texts }) => texts.some((text) => text !== ""));

/** Up to two places of each candidate, that of the headline first, with values of tags that lost everything. */
function whereFacts(headline: Headline, found: FoundIn): Fact[] {
  const told = subjectOfHeadline(headline)?.candidate;
  const names = found.comparison.candidates.map(({ candidate }) => candidate);
  return names
    .toSorted((one, other) => Number(other === told) - Number(one === told))
    .flatMap((candidate) => whereOf(candidate, headline, found));
}

/** The first place of the metric of a gate over all rows; null: it is surely worse nowhere. */
function worstPlaceOf({ candidate, metric, slice }: ReportGate, found: FoundIn): TurnedPlace | null {
  if (slice !== null) return null;
  const [fact] = whereOf(candidate, null, found);
  return fact?.metric === metric ? (fact.places[0] ?? null) : null;
}

/** Up to two places of one metric of a candidate, but for the one that the headline tells. */
function whereOf(
  candidate: string,
  headline: Headline | null,
  { comparison, places, metrics, gates }: FoundIn,
): WhereFact[] {
  const first = places.find((each) => each.candidate === candidate);
  const lostTags = comparison.lostTags.map((lost) => ({ ...lost, metric: metrics[lost.place]?.name ?? lost.metric }));
  const about = first ?? lostTags.find((each) => each.candidate === candidate);
  if (about === undefined) return [];
  const { metric } = about;
  const isToldOf = headline !== null && subjectOfHeadline(headline)?.candidate === candidate;
  const isOwn = (each: { candidate: string; metric: string }): boolean =>
    each.candidate === candidate && each.metric === metric;
  const flips = metrics.find(({ name }) => name === metric)?.passes === true;
  const sure = places.filter(isOwn);
  const lost = lostTags.filter((each) => isOwn(each) && !sure.some((place) => namesValue(place, each)));
  const said = isToldOf && "place" in headline ? headline.place : null;
  const shown = [
    ...sure.map(({ tag, value, and, cases: rows, worse, difference }) => ({
      tag,
      value,
      and,
      rows,
      worse,
      flips,
      difference,
    })),
    ...lost.map(({ tag, value, lost: rows }) => ({
      tag,
      value,
      and: null,
      rows,
      worse: rows,
      flips,
      difference: null,
    })),
  ].filter((place) => said === null || !isSameSlice(place, said));
  const isOther = !isToldOf && comparison.candidates.length > 1;
  const fact = { kind: "where" as const, candidate, isOther, metric, places: shown.slice(0, mostPlaces) };
  const gate = gates.find((each) => isOwn(each) && each.slice === null);
  if (first !== undefined && lost.length === 0) {
    const inside = sure.reduce((sum, { better }) => sum + better, 0);
    const better = gate === undefined ? null : gate.better - inside;
    return [{ ...fact, rest: { rows: first.rest.cases, worse: first.rest.worse, better } }];
  }
  const [alone] = lost;
  if (first !== undefined || alone === undefined || shown.length === 0)
    return shown.length === 0 ? [] : [{ ...fact, rest: null }];
  return [{ ...fact, rest: { rows: alone.others.passed, worse: alone.others.lost, better: null } }];
}

const mostPlaces = 2;

/** True where one of the values that make a place is this one. */
const namesValue = (place: SliceName, { tag, value }: TagValue): boolean =>
  valuesOf(place).some((each) => each.tag === tag && each.value === value);

const mostAlso = 2;

/** Metrics over all rows that are surely worse, and that no headline and no gate names. */
function alsoWorse(headline: Headline, { comparison, gates, metrics }: FoundIn): Fact[] {
  const told = "metric" in headline ? headline.metric : subjectOfHeadline(headline)?.metric;
  const losses = comparison.worse.flatMap(({ candidate, place, slice, difference }) => {
    const about = metrics[place];
    const gate = gates.find(
      (each) => each.candidate === candidate && each.metric === about?.name && each.slice === null,
    );
    if (slice !== null || about === undefined || about.name === told || gate === undefined) return [];
    // The table of one candidate has a line for it.
    if (comparison.candidates.length === 1) return [];
    return [{ candidate, metric: about.name, difference: -lossShown(-difference, about), margin: gate.margin }];
  });
  return losses.length === 0
    ? []
    : [{ kind: "also-worse", losses: losses.slice(0, mostAlso), several: comparison.candidates.length > 1 }];
}

/** Targets that lack answers. */
function answeredFact({ targets }: Comparison): Fact[] {
  const lacking = targets.filter(({ errorGroups, runsWithoutAnswer, runsTried }) => {
    const missing = errorGroups.filter(({ outcome }) => lacksAnswer(outcome));
    return runsTried > 0 && (runsWithoutAnswer > 0 || missing.length > 0);
  });
  if (lacking.length === 0) return [];
  return [
    {
      kind: "answered",
      targets: lacking.map(({ target, runsTried, runsWithoutAnswer, errorGroups }) => {
        const groups = errorGroups.filter(({ outcome }) => lacksAnswer(outcome));
        const missing = groups.flatMap(({ rows, example }) => rows.map((row) => ({ ...row, key: example })));
        return { target, answered: runsTried - runsWithoutAnswer, of: runsTried, missing };
      }),
    },
  ];
}

/** Sides that lack so many more grades than the other that it is no chance, whatever the verdict. */
function gradedFacts({ candidates }: Comparison): Fact[] {
  return candidates.flatMap(({ candidate, baseline, metrics }) =>
    metrics.flatMap(({ metric, gated, gaps }): Fact[] =>
      !gated || gaps === null || gaps.p >= sureLevel
        ? []
        : [
            {
              kind: "graded",
              candidate,
              baseline,
              metric,
              candidateLacks: gaps.candidate,
              baselineLacks: gaps.baseline,
            },
          ],
    ),
  );
}

/** Answers that changed beside those that are graded otherwise. */
function changedFacts({ candidates }: Comparison): Fact[] {
  const several = candidates.length > 1;
  const all = candidates.flatMap(({ candidate, changes, changedByChance, compared, metrics, meanDistance }): Fact[] => {
    const turned = Math.max(0, ...metrics.map(({ worse, better }) => worse + better));
    // Answers that vary as the baseline does have not changed.
    const rows = changes.changed ?? changes.differs ?? 0;
    if (compared === 0 || rows <= turned) return [];
    const byChance = changedByChance === null ? null : Math.round(changedByChance);
    return [{ kind: "changed", candidate, rows, of: compared, byChance, sameTexts: meanDistance === 0, several }];
  });
  return all.slice(0, mostAlso);
}

/** Candidates that a level which they share leaves open: alone each would be a regression. */
function levelFacts({ comparison }: FoundIn): Fact[] {
  const { candidates, gates, decision } = comparison;
  if (candidates.length < 2) return [];
  const alone = gates.filter(isMargin).flatMap(({ candidate, state, decided }) => {
    const { pRegression = null, adjusted = null } = decided ?? {};
    const isAlone =
      pRegression !== null && adjusted !== null && pRegression <= decision.alpha && adjusted > decision.alpha;
    return state !== "regression" && isAlone ? [candidate] : [];
  });
  const names = [...new Set(alone)];
  return names.length === 0
    ? []
    : [{ kind: "shared-level", candidates: candidates.length, share: decision.alpha, alone: names }];
}

const mostSecond = 0.8;

/** The side that was mostly asked second, where times are gated or claimed. */
function secondFacts(headline: Headline, { comparison, gates, metrics }: FoundIn): Fact[] {
  const told = subjectOfHeadline(headline)?.metric;
  const times = new Set(metrics.flatMap((metric) => (isTime(metric) ? [metric.name] : [])));
  const found = comparison.candidates.flatMap(({ candidate, baseline, bothAsked, askedSecond, farApart }): Fact[] => {
    const isSaid = gates.some(
      ({ metric, state, sure, ...gate }) =>
        gate.candidate === candidate && times.has(metric) && (state !== null || sure !== undefined || metric === told),
    );
    // Sides that were asked at other times share no cache.
    if (!isSaid || bothAsked === 0 || farApart !== null) return [];
    const share = askedSecond / bothAsked;
    if (share > mostSecond) return [{ kind: "asked-second", target: candidate, share }];
    return 1 - share > mostSecond ? [{ kind: "asked-second", target: baseline, share: 1 - share }] : [];
  });
  return found.slice(0, mostAlso);
}

/** Targets that were asked more often than once, where a loss has to be explained so. */
function runFacts(headline: Headline, { comparison }: FoundIn): Fact[] {
  const { targets, cases } = comparison;
  if (headline.kind !== "difference" && headline.kind !== "too-few") return [];
  if (headline.turned.by !== "passes") return [];
  const own = targets.filter(({ target }) => target === headline.candidate || target === headline.baseline);
  const repeated = own.flatMap(({ target, jobs }) => {
    const runs = Math.round(jobs / Math.max(1, cases));
    return runs > 1 ? [{ target, runs }] : [];
  });
  return repeated.length === 0
    ? []
    : [{ kind: "runs", targets: repeated, halves: repeated.every(({ runs }) => runs === 2) }];
}

/** Ranges that count one more row. */
function oneMoreFacts({ comparison }: FoundIn): Fact[] {
  const found = comparison.gates.filter(isMargin).find(({ decided }) => decided?.oneMore !== undefined);
  return found === undefined ? [] : [{ kind: "one-more", metric: found.metric }];
}

function choiceFacts(headline: Headline, { choice, metrics }: FoundIn): Fact[] {
  if (choice === null) return [];
  const { cases: rows, left, alike, nobody, open, cheapest, casesNeeded } = choice;
  const about = metrics.find(({ name }) => name === choice.metric);
  const isOpen = headline.kind === "choice" && ["open", "ahead", "tie"].includes(headline.is);
  // Those that a race dropped were asked other rows.
  const order =
    about === undefined
      ? []
      : byMean(choice, about).filter(({ target }) => choice.race === undefined || choice.set.includes(target));
  const [highest] = order;
  const ratio = cheapest?.ratio ?? null;
  const taken = headline.kind === "choice" ? headline.take : [];
  return [
    ...left.map(({ target, cases, keys }) => ({ kind: "left-out" as const, target, rows: cases, keys })),
    ...alike
      .filter((group) => open !== "alike" && !group.some((target) => taken.includes(target)))
      .map((targets) => ({ kind: "alike" as const, targets, rows })),
    ...(isOpen && casesNeeded !== null && order.length > 1
      ? [
          {
            kind: "to-separate" as const,
            rows: roughly(casesNeeded),
            first: order.slice(0, 2).map(({ target, mean }) => ({ target, value: mean })),
            metric: choice.metric,
          },
        ]
      : []),
    ...(ratio !== null && ratio.value !== 1 && typeof cheapest?.named === "string" && highest !== undefined
      ? [{ kind: "cost" as const, target: cheapest.named, than: highest.target, ratio }]
      : []),
    ...(nobody.cases === 0 || open === "floor"
      ? []
      : [
          {
            kind: "none-passes" as const,
            rows: nobody.cases,
            first: nobody.first.map(({ row, key }) => ({ row, file: null, key })),
          },
        ]),
  ];
}

/** Undecided candidates beside that of the headline, and the rows that they take. */
function undecidedOf(headline: Headline, found: FoundIn): Fact[] {
  const { comparison, gates } = found;
  const told = subjectOfHeadline(headline)?.candidate;
  if (comparison.candidates.length < 2 || told === undefined) return [];
  const open = gates.filter(({ candidate, slice }) => candidate !== told && slice === null);
  const needs = open.flatMap((gate) => {
    const rows = gate.word === "too-few-cases" ? neededFor(gate, found).needs : null;
    return rows === null ? [] : [{ candidate: gate.candidate, rows }];
  });
  const isHopeless = (gate: ReportGate): boolean => resultOf(gate, found)?.guard === "hopeless";
  // A headline that nothing settles says so of the others too.
  const beyond = headline.word === "cannot-tell" ? [] : open.filter(isHopeless).map(({ candidate }) => candidate);
  return needs.length + beyond.length === 0 ? [] : [{ kind: "to-decide", needs, beyond, rows: comparison.cases }];
}
