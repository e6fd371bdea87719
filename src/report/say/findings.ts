import type { SliceName } from "../../compare/slice-name.ts";
import { sentenceList } from "../../lib/sentence-list.ts";
import { wordFacts } from "../../compare/verdict-word.ts";
import type {
  AloneHeadline,
  Also,
  AnsweredFact,
  AnswersHeadline,
  CannotTellHeadline,
  ChangedFact,
  ChoiceHeadline,
  Compared,
  CostFact,
  DifferenceHeadline,
  Fact,
  Findings,
  Headline,
  LossesHeadline,
  MeasuredLoss,
  NonePassesFact,
  NotGradedHeadline,
  NoteFact,
  PlaceHeadline,
  RowName,
  RunsFact,
  ToSeparateFact,
  TooFewHeadline,
  TriesHeadline,
  Turned,
  TurnedPlace,
  UngatedHeadline,
  WhereFact,
} from "../shape/findings.ts";
import type { ReportBehaviour, ReportGate, ReportMetric, ReportSummary } from "../shape/model.ts";
import { unitNoun } from "./causes.ts";
import { decidedByPeople } from "./people.ts";
import {
  changeFigure,
  changeRange,
  isImplausible,
  isTime,
  levelWords,
  limitFigure,
  loss,
  scoreFigure,
  shareFigure,
  sidesFigures,
  sizeOfChange,
} from "./figures.ts";
import { capitalised, counted, number, wholeShare } from "./quantity.ts";
import { fit } from "../text/width.ts";
import { type NamedTargets, rowsWords, sliceWords, tagName, targetNamer } from "./names.ts";
import { providerWords } from "./provider.ts";

type Metrics = readonly ReportMetric[];

/** Metrics with their units, and targets with the names that people know them by. */
type Subjects = Pick<ReportSummary, "metrics"> & NamedTargets;

type Namer = ReturnType<typeof targetNamer>;

/** The same finding with the names that people know its targets by. */
function relabelled<Finding extends Headline | Also | Fact>(finding: Finding, nameOf: Namer): Finding {
  return {
    ...finding,
    ...("candidate" in finding && { candidate: nameOf(finding.candidate) }),
    ...("baseline" in finding && { baseline: nameOf(finding.baseline) }),
    ...("target" in finding && { target: nameOf(finding.target) }),
  };
}

/** The word above a result, as people read it. */
export function shownWord({ headline }: Pick<Findings, "headline">): string {
  if (headline.kind === "interrupted") return "INTERRUPTED";
  return headline.word === null ? "" : wordFacts(headline.word).shown;
}

/** The headline as one sentence without its end mark: the same in every medium. */
export function headlineWords({ isSameBot, headline, also }: Omit<Findings, "facts">, about: Subjects): string {
  const nameOf = targetNamer(about);
  const first = isSameBot ? "A/A run, both sides are the same bot: " : "";
  const rest = also.map((each) => alsoWords(relabelled(each, nameOf), nameOf));
  return `${first}${statementOf(relabelled(headline, nameOf), about.metrics, nameOf)}${rest.join("")}`;
}

function statementOf(headline: Headline, metrics: Metrics, nameOf: Namer): string {
  switch (headline.kind) {
    case "difference":
      return differenceWords(headline, aboutOf(headline, metrics));
    case "too-few": {
      const { place } = headline;
      const rest = tooFewWords(headline, aboutOf(headline, metrics));
      return place === null ? rest : `${placeCountWords(place)}; over all rows ${rest}`;
    }
    case "losses":
      return lossesWords(headline);
    case "tries":
      return triesWords(headline);
    case "place":
      return placeWords(headline, aboutOf(headline, metrics));
    case "cannot-tell": {
      const place = headline.place === null ? "" : `${placeCountWords(headline.place)}. `;
      return `${place}${subjectWords(headline, nameOf)}${headline.why}`;
    }
    case "invalid":
      return headline.why;
    case "silent":
      return `${headline.why}. This says nothing about its answers`;
    case "interrupted":
      return `${number(headline.done)} of ${counted(headline.of, "request")} done; \`tandem resume\` goes on`;
    case "choice":
      return choiceWords(headline, aboutOf(headline, metrics));
    case "alone":
      return aloneWords(headline, aboutOf(headline, metrics));
    case "answers":
      return answersWords(headline, nameOf);
    case "ungated":
      return ungatedWords(headline, aboutOf(headline, metrics));
    case "not-graded":
      return notGradedWords(headline, nameOf);
  }
}

const aboutOf = ({ metric }: { metric: string }, metrics: Metrics): ReportMetric | undefined =>
  metrics.find(({ name }) => name === metric);

/** `correct`, kind = typo */
const onWords = ({ metric, slice }: Pick<Compared, "metric" | "slice">): string =>
  `\`${metric}\`${slice === null ? "" : ` where ${tagName(slice.tag)} is ${slice.value}`}`;

function differenceWords(headline: DifferenceHeadline, about: ReportMetric | undefined): string {
  const { candidate, baseline, is, turned } = headline;
  const on = onWords(headline);
  const rows = turnedWords(turned, headline, about);
  if (is === "worse" || is === "better") return `${candidate} is ${is} than ${baseline} on ${on}: ${rows}`;
  const limit = limitOf(headline, about);
  if (is === "slightly-worse")
    return `${candidate} is worse than ${baseline} on ${on}, but by less than the limit of ${limit ?? "nothing"}: ${rows}`;
  const within = withinWords(headline, about);
  const change = turned.worse + turned.better === 0 ? "" : `: ${rows}`;
  return `${candidate} is as good as ${baseline} on ${on}${within}${change}`;
}

type Limited = Pick<DifferenceHeadline, "margin">;

const limitOf = ({ margin }: Limited, about: ReportMetric | undefined): string | null =>
  margin === null || margin <= 0 || about === undefined ? null : limitFigure(margin, about);

/** `, within the limit of 5 points` */
function withinWords(headline: Limited, about: ReportMetric | undefined): string {
  const limit = limitOf(headline, about);
  return limit === null ? "" : `, within the limit of ${limit}`;
}

function ungatedWords(headline: UngatedHeadline, about: ReportMetric | undefined): string {
  const { candidate, baseline, is, turned } = headline;
  const on = onWords(headline);
  const isSame = turned.worse + turned.better === 0;
  const rows = isSame ? `no difference in ${counted(turned.rows, "row")}` : turnedWords(turned, headline, about);
  const claim =
    is === "open" ? `${candidate} beside ${baseline} on ${on}` : `${candidate} is ${is} than ${baseline} on ${on}`;
  return `${claim}: ${rows}; no gate decides`;
}

/** `31 of 165 rows worse, 4 better`; `20 of 120 rows newly fail`; of scores `10.6 points lower`. */
function turnedWords(turned: Turned, { difference }: MeasuredLoss, about: ReportMetric | undefined): string {
  const { rows, worse, better, by } = turned;
  if (by === "people")
    return `${number(worse)} of ${counted(rows, "labelled row")} worse by people, ${number(better)} better`;
  if (by === "scores" && about !== undefined && difference !== null && difference !== 0)
    return sizeWords(difference, about);
  if (by === "flips") return flipsWords(turned);
  const of = `${number(worse)} of ${counted(rows, "row")} worse`;
  return better === 0 ? of : `${of}, ${number(better)} better`;
}

const newlyFail = (count: number): string => `newly ${count === 1 ? "fails" : "fail"}`;
const newlyPass = (count: number): string => `newly ${count === 1 ? "passes" : "pass"}`;

/** `20 of 120 rows newly fail in b, 3 newly pass`: what is more first; `where`: behind the first count. */
function flipsWords({ rows, worse, better }: Pick<Turned, "rows" | "worse" | "better">, where = ""): string {
  const of = counted(rows, "row");
  if (better > worse)
    return `${number(better)} of ${of} ${newlyPass(better)}${where}${worse === 0 ? "" : `, ${number(worse)} ${newlyFail(worse)}`}`;
  return `${number(worse)} of ${of} ${newlyFail(worse)}${where}${better === 0 ? "" : `, ${number(better)} ${newlyPass(better)}`}`;
}

/** `10.6 points lower`, `0.22 s slower`, `0.2 lower`: a difference of scores, without a sign. */
function sizeWords(difference: number, about: ReportMetric): string {
  if (isImplausible(difference, about)) return "more than a hundred times apart, check the units";
  if (about.relative || isTime(about) || about.passes) return sizeOfChange(difference, about);
  const { min, max } = about;
  const unit = min !== 0 || max === null ? "" : max >= 10 ? " points" : ` of ${max}`;
  const isHigher = difference > 0 !== about.lowerIsBetter;
  return `${loss(Math.abs(difference), about)}${unit} ${isHigher ? "higher" : "lower"}`;
}

/** The same behind the name of a metric: of what is better with less of it `48 tokens more`. */
const besideWords = (difference: number, about: ReportMetric): string =>
  about.lowerIsBetter && about.unit !== null && !about.relative && !isTime(about)
    ? `${loss(Math.abs(difference), about)} ${difference < 0 ? "more" : "less"}`
    : sizeWords(difference, about);

function tooFewWords(headline: TooFewHeadline, about: ReportMetric | undefined): string {
  const { candidate, baseline, turned, isSame, needs, proof, margin, difference } = headline;
  const on = onWords(headline);
  const as = headline.counted;
  const [have, noun] = as === null ? [turned.rows, "rows"] : [as.count, unitNoun(as.of)];
  const beside = (notes: readonly string[]): string =>
    `${counted(turned.rows, "row")}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
  const units = as === null ? [] : [`${number(have)} ${noun}`];
  const rows = beside(units);
  const most = limitOf(headline, about);
  const limit = most === null ? "a loss" : `a loss of ${most}`;
  if (turned.worse + turned.better === 0) {
    const can = needs === null ? "" : `; ${number(needs)} ${noun} can`;
    return `no difference in ${beside([...units, ...(isSame ? ["same answers"] : [])])}, but ${number(have)} cannot rule out ${limit}${can}`;
  }
  const isBeyond = difference !== null && margin !== null && difference < -margin;
  const tail =
    proof !== null
      ? `; ${counted(proof, "newly failing row")} would prove a regression`
      : needs === null
        ? `; ${rows} cannot settle ${limit}`
        : `; ${isBeyond ? "to settle it takes" : "a PASS takes"} about ${number(needs)} ${noun}, here are ${number(have)}`;
  if (turned.by === "scores" && about !== undefined && difference !== null)
    return `${candidate} is ${sizeWords(difference, about)} than ${baseline} on ${on}${tail}`;
  if (turned.by !== "flips") return `${candidate} on ${on}: ${turnedWords(turned, headline, about)}${tail}`;
  const none = turned.better === 0 ? ", none newly pass" : turned.worse === 0 ? ", none newly fail" : "";
  return `${flipsWords(turned, ` in ${candidate} on ${on}`)}${none}${tail}`;
}

function lossesWords(headline: LossesHeadline): string {
  const { candidate, runs, word } = headline;
  const often = runs === undefined ? "" : `${runs === 2 ? "both" : `all ${number(runs)}`} runs of `;
  const alone = word === "pass" ? "; this tells of these rows alone" : "";
  return `${lossCountWords(headline, ` in ${often}${candidate} on ${onWords(headline)}`)}${alone}`;
}

type LossCounts = Pick<LossesHeadline, "lost" | "gained" | "rows" | "allowed"> & {
  unanswered?: number;
  ungraded?: number;
};

/** `3 of 40 rows newly fail, 1 newly passes; the limit is 0. 2 of them have no answer`; `where`: behind the first count. */
function lossCountWords(counts: LossCounts, where: string): string {
  const { lost, gained, rows, allowed, unanswered = 0, ungraded = 0 } = counts;
  const of = (count: number): string => (lost === 1 ? "it" : `${number(count)} of them`);
  const gaps = [
    ...(unanswered === 0 ? [] : [`${of(unanswered)} ${unanswered === 1 ? "has" : "have"} no answer`]),
    ...(ungraded === 0 ? [] : [`${of(ungraded)} ${ungraded === 1 ? "is" : "are"} not graded`]),
  ];
  const fails = lost === 1 ? "newly fails" : "newly fail";
  const passes = gained === 0 ? "" : `, ${number(gained)} newly ${gained === 1 ? "passes" : "pass"}`;
  const why = gaps.length === 0 ? "" : `. ${capitalised(gaps.join(", "))}`;
  return `${number(lost)} of ${counted(rows, "row")} ${fails}${where}${passes}; the limit is ${number(allowed)}${why}`;
}

/** A sentence is not read to the end of a long list. */
const mostNamed = 5;
/** A key may be a whole question: so many columns of it tell which row is meant. */
const mostOfKey = 60;

const triesWords = (headline: TriesHeadline): string =>
  triesCountWords(headline, ` in ${headline.candidate} on ${onWords(headline)}`);

type TriesCounts = Pick<TriesHeadline, "failing" | "open" | "rows" | "pass" | "of" | "named">;

/** `2 of 12 rows fail (fewer than 3 of 5 tries pass): k3, k7`; `where`: behind the first count. */
function triesCountWords({ failing, open, rows, pass, of, named }: TriesCounts, where: string): string {
  const shown = named.slice(0, mostNamed).map((name) => fit(name, mostOfKey));
  const more = failing > shown.length ? ` and ${number(failing - shown.length)} more` : "";
  const which = shown.length === 0 ? "" : `: ${shown.join(", ")}${more}`;
  if (failing > 0) {
    const fails = `${number(failing)} of ${counted(rows, "row")} ${failing === 1 ? "fails" : "fail"}${where}`;
    return `${fails} (fewer than ${pass} of ${of} tries pass)${which}`;
  }
  if (open > 0) return `${number(open)} of ${counted(rows, "row")} ${open === 1 ? "is" : "are"} still open${where}`;
  return `all ${counted(rows, "row")} hold${where} (${pass} of ${of} tries or more pass)`;
}

/** `22 of 25 rows of section = fees newly fail` */
function placeCountWords(place: PlaceHeadline["place"]): string {
  const all =
    place.worse === place.rows
      ? `all ${counted(place.rows, "row")}`
      : `${number(place.worse)} of ${counted(place.rows, "row")}`;
  return `${all} of ${sliceWords(place)} ${place.flips ? "newly fail" : "got worse"}`;
}

function placeWords(headline: PlaceHeadline, about: ReportMetric | undefined): string {
  const { candidate, baseline, metric, place, overall, rows } = headline;
  const all = `${placeCountWords(place)}; over all ${counted(rows, "row")}`;
  const on = `${baseline} on \`${metric}\``;
  if (overall === "better") return `${all} ${candidate} is better than ${on}`;
  const isSo = `${candidate} is as good as ${on}${withinWords(headline, about)}`;
  return overall === "open" ? `${all} it is undecided whether ${isSo}` : `${all} ${isSo}`;
}

function subjectWords({ about, names }: CannotTellHeadline, nameOf: Namer): string {
  if (about === null) return "";
  const subject = [
    ...(names.pair ? [`${nameOf(about.candidate)} against ${nameOf(about.baseline)}`] : []),
    ...(names.metric ? [onWords(about)] : []),
  ];
  return subject.length === 0 ? "" : `${subject.join(", ")}: `;
}

function aloneWords(headline: AloneHeadline, about: ReportMetric | undefined): string {
  const { target, metric, value, rows, passes } = headline;
  if (about === undefined) return `${target}: \`${metric}\``;
  if (!passes)
    return `${target} has ${scoreFigure(value, about)} on \`${metric}\` on average of ${counted(rows, "row")}`;
  const passing = Math.round(value * rows * 10) / 10;
  return `${target} passes ${number(passing)} of ${counted(rows, "row")} on \`${metric}\``;
}

function answersWords({ targets, rows }: AnswersHeadline, nameOf: Namer): string {
  const [first, ...others] = targets;
  if (first === undefined) return "there is nothing to show";
  if (others.length > 0)
    return `${counted(targets.length, "target")} answered ${counted(rows, "row")}; nothing is compared`;
  return `${nameOf(first.target)} answered ${number(first.answered)} of ${counted(first.of, "request")}`;
}

const mostPairs = 3;

function notGradedWords({ pairs }: NotGradedHeadline, nameOf: Namer): string {
  const named = pairs
    .slice(0, mostPairs)
    .map(
      ({ candidate, baseline, differ, rows }) =>
        `${nameOf(candidate)} answers ${number(differ)} of ${counted(rows, "row")} differently from ${nameOf(baseline)}`,
    );
  const left = pairs.length - named.length;
  return `${[...named, ...(left === 0 ? [] : [counted(left, "more target")])].join("; ")}; not graded`;
}

function choiceWords(headline: ChoiceHeadline, about: ReportMetric | undefined): string {
  const { metric, take, is, among, behind, rows, by, expected, passing } = headline;
  const on = `on \`${metric}\``;
  const all = number(among);
  const size = by === null || about === undefined ? "" : loss(by, about);
  const wanted = expected === null ? "" : `; expected was ${expected}`;
  const either = sentenceList(take, "or");
  switch (is) {
    case "best": {
      if (take.length > 1) {
        const same =
          passing === null ? "score the same" : `pass the same ${number(passing)} of ${counted(rows, "row")}`;
        return `take ${either}: ${take.length === 2 ? "both" : "all"} ${same} ${on}${wanted}`;
      }
      const least = size === "" || (by ?? 0) <= 0 ? "" : `, at least ${size} ahead of the others`;
      return `take ${either}: it is the best of ${all} ${on}${least}${wanted}`;
    }
    case "ahead":
      return `${either} is ahead ${on}, but not surely: one in twenty such comparisons looks as clear by chance`;
    case "cheapest":
      return `take ${either}: the cheapest of those that are surely less than ${size} worse than the best ${on}${wanted}`;
    case "close":
      return `${either} is close enough to the best of ${all} ${on}: surely less than ${size} behind it${wanted}`;
    case "tie": {
      const others =
        behind.length === 0
          ? ` in ${counted(rows, "row")}`
          : `; ${sentenceList(behind)} ${behind.length === 1 ? "is" : "are"} behind`;
      return `take ${either}: ${take.length === 2 ? "neither" : "none of them"} is surely better ${on}${others}`;
    }
    case "alike":
      return `take any: all ${all} gave the same answers in ${counted(rows, "row")}`;
    case "none":
      return `none of ${all} is surely less than ${size} worse than the best ${on}`;
    case "unpriced":
      return `${sentenceList(take)} ${take.length === 1 ? "has" : "have"} no known cost, so the cheapest is not known: give ${take.length === 1 ? "its deployment" : "their deployments"} a \`price\``;
    case "open": {
      const lost = behind.length === 0 ? "" : `; ${sentenceList(behind)} ${behind.length === 1 ? "is" : "are"} behind`;
      if (take.length === among)
        return `no configuration is surely the best of ${all} ${on} in ${counted(rows, "row")}`;
      return `${sentenceList(take)} cannot be told apart as the best of ${all} ${on}${lost}`;
    }
    case "unable":
      return unableChoice(headline, about);
  }
}

function unableChoice({ open, among, rows, metric }: ChoiceHeadline, about: ReportMetric | undefined): string {
  const apart = `so \`${metric}\` cannot tell them apart`;
  const all = `all ${number(among)}`;
  switch (open) {
    case "no case":
      return `no row has a score of all ${number(among)} on \`${metric}\``;
    case "floor":
      return about?.passes === true
        ? `${all} pass 0 of ${counted(rows, "row")}, ${apart}`
        : `${all} are at the worst end of the scale, ${apart}`;
    case "ceiling":
      return about?.passes === true
        ? `${all} pass all ${counted(rows, "row")}, ${apart}`
        : `${all} are at the best end of the scale, ${apart}`;
    case "no variation":
      return `the scores of two differ by the same in every row, so nothing can be told of \`${metric}\`: give its scorer a \`range: [min, max]\``;
    case "invalid":
      return `the best on \`${metric}\` is not known: the data are not complete`;
    case "too few":
      return `${counted(rows, "row")} ${rows === 1 ? "is" : "are"} too few to tell which of ${number(among)} is the best on \`${metric}\`; five are the fewest, and five groups where rows belong together`;
    case "alike":
    case null:
      return `nothing can be told of \`${metric}\``;
  }
}

function alsoWords(also: Also, nameOf: Namer): string {
  if (also.kind === "undecided") {
    const { candidates } = also;
    const more = candidates.length > mostPairs ? [`${number(candidates.length - mostPairs)} more`] : [];
    const names = sentenceList([...candidates.slice(0, mostPairs).map(nameOf), ...more]);
    return `; ${names} ${candidates.length === 1 ? "is" : "are"} undecided too`;
  }
  if (also.kind === "same-answers")
    return `; ${also.candidate} gives the same ${counted(also.rows, "answer")} as ${also.baseline}`;
  if (also.kind === "newly-fail")
    return `; in ${also.candidate} ${counted(also.rows, "row")} newly ${also.rows === 1 ? "fails" : "fail"}`;
  return `; ${also.candidate} is ${also.kind}`;
}

/** A line below the figures: its label, and its lines. */
export interface SaidFact {
  label: string;
  lines: string[];
}

/** Words of a line below the figures. */
export function factWords(found: Fact, subjects: Subjects): SaidFact {
  const nameOf = targetNamer(subjects);
  const { metrics } = subjects;
  const fact = relabelled(found, nameOf);
  switch (fact.kind) {
    case "where":
      return { label: "where", lines: whereLines(fact, metrics) };
    case "answered":
      return {
        label: "answered",
        lines: fact.targets.map((each) => answeredWords({ ...each, target: nameOf(each.target) })),
      };
    case "graded":
      return {
        label: "graded",
        lines: [
          `${fact.candidate} has no grade of \`${fact.metric}\` in ${number(fact.candidateLacks)} rows where ${fact.baseline} has one, the reverse in ${number(fact.baselineLacks)}: more than chance explains`,
        ],
      };
    case "changed":
      return {
        label: "changed",
        lines: [`${fact.several ? `${nameOf(fact.candidate)}: ` : ""}${changedWords(fact)}`],
      };
    case "runs":
      return { label: "runs", lines: [runsWords(fact, nameOf)] };
    case "one-more":
      return { label: "range", lines: ["assumes that one unseen row could score 0"] };
    case "to-decide": {
      const { needs, beyond, rows: have } = fact;
      const named = needs
        .slice(0, mostPairs + 1)
        .map(
          ({ candidate, rows }, at) =>
            `${nameOf(candidate)} ${at === 0 ? "needs " : ""}${number(rows)}${at === 0 ? " rows in all" : ""}`,
        );
      return {
        label: "to decide",
        lines: [
          ...(named.length === 0 ? [] : [`${named.join(", ")} (here are ${number(have)})`]),
          ...(beyond.length === 0
            ? []
            : [
                `adding rows would hardly decide ${sentenceList(beyond.slice(0, mostPairs + 1).map(nameOf))}: go by those that changed`,
              ]),
        ],
      };
    }
    case "shared-level": {
      const share = `${number(fact.candidates)} candidates share the ${shareFigure(fact.share)}`;
      return {
        label: "level",
        lines: [`${share}: alone ${sentenceList(fact.alone.map(nameOf))} would be a REGRESSION`],
      };
    }
    case "also-worse":
      return {
        label: "worse too",
        lines: fact.losses.map(({ candidate, metric, difference }) => {
          const about = metrics.find(({ name }) => name === metric);
          const size = about === undefined ? "worse" : besideWords(difference, about);
          return `\`${metric}\`${fact.several ? ` of ${nameOf(candidate)}` : ""}: ${size}`;
        }),
      };
    case "asked-second":
      return {
        label: "times",
        lines: [`${fact.target} was asked second in ${wholeShare(fact.share)} of rows: a cache may have helped`],
      };
    case "early":
      return { label: "change", lines: ["a run that stops early overstates it: go by the range"] };
    case "by-judge":
      return { label: "rows", lines: ["those below changed by the judge alone"] };
    case "provider":
      return { label: "provider", lines: [providerWords(fact, nameOf)] };
    case "may-choose":
      return { label: "note", lines: ["`--choose best` says which of them is the best, and how sure that is"] };
    case "reasons":
      return { label: "also", lines: fact.texts };
    case "left-out":
      return {
        label: "left out",
        lines: [
          `${counted(fact.rows, "row")} without a score of ${nameOf(fact.target)} (such as ${sentenceList(fact.keys)})`,
        ],
      };
    case "to-separate":
      return { label: "to decide", lines: [separateWords(fact, metrics, nameOf)] };
    case "alike":
      return {
        label: "same",
        lines: [`${sentenceList(fact.targets.map(nameOf))} gave the same answers in ${counted(fact.rows, "row")}`],
      };
    case "cost":
      return { label: "cost", lines: [costWords(fact, nameOf)] };
    case "none-passes":
      return { label: "none passes", lines: [noneWords(fact)] };
    case "note":
      return { label: noteLabels[fact.label], lines: fact.texts };
  }
}

/** A line below the figures as one text: for a medium that has no columns. */
export function factText(fact: Fact, subjects: Subjects): string {
  const { label, lines } = factWords(fact, subjects);
  return fact.kind === "note" ? lines.join(" ") : `${label}: ${lines.join("; ")}`;
}

/** The lines below the figures, with the places of one candidate: the first that has some. */
export function factsOfOne({ facts }: Pick<Findings, "facts">, candidate?: string): Fact[] {
  const where = facts.find((fact) => fact.kind === "where" && (candidate ?? fact.candidate) === fact.candidate);
  return facts.filter((fact) => fact.kind !== "where" || fact === where);
}

/** The lines below the figures, a text each. */
export const factTexts = (summary: Subjects & Pick<ReportSummary, "findings">): string[] =>
  factsOfOne(summary.findings).map((fact) => factText(fact, summary));

/**
 * A gate in a line: `86.4 % -> 69.1 %, -17.3 points (likely -22.9 to -12.1), limit 5 points; 31 of 165 rows worse, 4 better`; of one
 * that counts rows what it counted.
 */
export function gateLine(gate: ReportGate, metrics: Metrics): string {
  const { losses, tries, advice, word, margin, interval, slice } = gate;
  const about = metrics.find(({ name }) => name === gate.metric);
  const why = advice === null || word === "regression" || word === "pass" ? "" : `; ${advice}`;
  if (losses !== null) return lossCountWords({ ...losses, rows: losses.cases }, "");
  if (tries !== undefined) return triesCountWords({ ...tries, rows: tries.cases, named: tries.rows }, "");
  if (about === undefined || gate.baseline === null || gate.now === null)
    return advice === null ? "no row has a score on both sides" : advice;
  const sides = sidesFigures(gate, about).join(" -> ");
  const likely = interval === null ? "" : ` (likely ${changeRange(interval, about, margin)}, ${levelWords([gate])})`;
  const limit = margin === null ? "" : `, limit ${limitFigure(margin, about)}`;
  const people = decidedByPeople(gate);
  const turned = people === null ? { ...gate, rows: gate.cases } : { ...people, rows: people.labels };
  const rows = `${number(turned.worse)} of ${counted(turned.rows, people === null ? "row" : "labelled row")} worse, ${number(turned.better)} better`;
  const where = slice === null ? "" : `${tagName(slice.tag)} = ${slice.value}: `;
  return `${where}${sides}, ${changeFigure(gate.difference, about, { limit: margin })}${likely}${limit}; ${rows}${why}`;
}

const noteLabels: Record<NoteFact["label"], string> = {
  judge: "judge",
  looks: "looks",
  night: "nights",
  known: "known",
  caution: "note",
  graded: "graded",
  advice: "note",
  race: "race",
  groups: "groups",
};

/** True where a place is told by the rows of it that got worse, and not by its mean difference. */
export const countsWorse = ({ flips, difference }: TurnedPlace): boolean => flips || difference === null;

/** A line a place, and one for the rest. */
function whereLines({ candidate, isOther, metric, places, rest }: WhereFact, metrics: Metrics): string[] {
  const whose = isOther ? `${candidate}: ` : "";
  const about = metrics.find(({ name }) => name === metric);
  const lines = places.map((place, at) => {
    const { rows, worse, difference } = place;
    const turned = difference === null || about === undefined ? "worse" : sizeWords(difference, about);
    const of = countsWorse(place)
      ? `${number(worse)} of ${number(rows)}${at === 0 ? " rows worse" : ""}`
      : `${turned} in ${counted(rows, "row")}`;
    return `${at === 0 ? whose : ""}${sliceWords(place)}: ${of}`;
  });
  if (rest === null || rest.rows === 0) return lines;
  const [fail, pass] = [rest.worse, rest.better];
  const gained = pass === null || pass === 0 ? "" : `, ${number(pass)} better`;
  // Beside a value that lost every row stand the rows that had something to lose.
  const passed = places.length > 0 && places.every(({ difference }) => difference === null) ? " that passed" : "";
  return [...lines, `the other ${counted(rest.rows, "row")}${passed}: ${number(fail)} worse${gained}`];
}

function answeredWords({ target, answered, of, missing }: AnsweredFact["targets"][number]): string {
  const rows = missing.length === 0 ? "" : `; missing: ${namedRows(missing, of - answered)}`;
  return `${target} ${number(answered)} of ${number(of)}${rows}`;
}

/** `14 rows: 8, 10, 18 and 11 more` */
function noneWords({ rows, first }: NonePassesFact): string {
  const named = first.slice(0, 3).map(({ row, key }) => (row === null ? key : number(row)));
  const more = rows > named.length ? [...named, `${number(rows - named.length)} more`] : named;
  return `${counted(rows, "row")}: ${sentenceList(more)}`;
}

/** `about 900 rows would separate the top two, if the measured gap is real: a 84 %, b 83 %` */
function separateWords({ rows, first, metric }: ToSeparateFact, metrics: Metrics, nameOf: Namer): string {
  const about = metrics.find(({ name }) => name === metric);
  const named = first.map(
    ({ target, value }) => `${nameOf(target)}${about === undefined ? "" : ` ${scoreFigure(value, about)}`}`,
  );
  return `about ${counted(rows, "row")} would separate the top two, if the measured gap is real: ${named.join(", ")}`;
}

const way = (share: number): string => (share <= 1 ? "less" : "more");
const part = (share: number): string => shareFigure(Math.abs(1 - share));

/** `c costs 58 % less than a, row by row (54 to 62 %)` */
function costWords({ target, than, ratio }: CostFact, nameOf: Namer): string {
  const [least, most] = ratio.value <= 1 ? [ratio.upper, ratio.lower] : [ratio.lower, ratio.upper];
  const ends =
    part(least) === part(most)
      ? ""
      : way(least) === way(most)
        ? ` (${part(least)} to ${part(most)})`
        : ` (${part(least)} ${way(least)} to ${part(most)} ${way(most)})`;
  return `${nameOf(target)} costs ${part(ratio.value)} ${way(ratio.value)} than ${nameOf(than)}, row by row${ends}`;
}

/** `rows 8, 10, 18 and 11 more`: rows of a sheet, or the keys of those that are of none. */
function namedRows(rows: readonly RowName[], all = rows.length): string {
  const first = rows.slice(0, 3);
  if (first.some(({ row }) => row === null)) {
    const keys = first.map(({ key, row }) => (row === null ? key : `row ${row}`));
    return sentenceList(all > keys.length ? [...keys, `${number(all - keys.length)} more`] : keys);
  }
  return rowsWords(first, all);
}

function changedWords({
  rows,
  of,
  byChance,
  sameTexts = false,
}: Pick<ChangedFact, "rows" | "of" | "byChance"> & Partial<Pick<ChangedFact, "sameTexts">>): string {
  const chance = byChance === null || byChance === 0 ? "" : `; about ${number(byChance)} are expected by chance`;
  const what = sameTexts ? "other members of the output than the answer" : "answers";
  return `${what} changed in ${number(rows)} of ${counted(of, "row")}${chance}`;
}

const times = (runs: number): string => (runs === 2 ? "twice" : `${number(runs)} times`);

function runsWords({ targets, halves }: RunsFact, nameOf: Namer): string {
  const [first] = targets;
  const isAlike = targets.length > 1 && targets.every(({ runs }) => runs === first?.runs);
  const asked = targets.map(({ target, runs }) => `${nameOf(target)} was asked ${times(runs)}`);
  return `${isAlike ? `both were asked ${times(first?.runs ?? 1)}` : sentenceList(asked)}; ${halves ? "a row right once of two counts half" : "a row counts by its share of right runs"}`;
}

/** Says if a candidate behaves differently from its baseline, in a sentence without its end mark. */
export function behaviourWords(behaviour: ReportBehaviour, subjects: Subjects): string {
  const nameOf = targetNamer(subjects);
  const { state, reason, moved, differ, beyond, byChance, of, otherwise, canAskTwice } = behaviour;
  const [candidate, baseline] = [nameOf(behaviour.candidate), nameOf(behaviour.baseline)];
  const differs = `${candidate} behaves differently from ${baseline}`;
  if (moved.length > 0) {
    const by = sentenceList(moved.slice(0, 2).map((name) => `\`${name}\``));
    return `${differs} by ${by}; its texts alone do not show it`;
  }
  switch (state) {
    case "changed": {
      if (otherwise === null)
        return `${differs}${beyond === 0 ? "" : `: ${changedWords({ rows: beyond, of, byChance })}`}`;
      const rows = `${number(otherwise.rows)} of ${counted(otherwise.of, "row")}`;
      return otherwise.path === null
        ? `${differs}: ${rows} ended in another way, such as without an answer`
        : `${differs}: \`${otherwise.path}\` differs in ${rows}`;
    }
    case "unchanged":
      return differ === 0
        ? `${candidate} gives the same answers as ${baseline}`
        : `${candidate} answers like ${baseline}: its answers differ no more than those of ${baseline} from run to run`;
    case "no-noise-floor": {
      const ask = canAskTwice ? `; \`--noise-repeats 2\` tells how many differ by chance` : "";
      return `${number(differ)} of ${counted(of, "answer")} of ${candidate} ${differ === 1 ? "differs" : "differ"} from those of ${baseline}${ask}`;
    }
    case "too-few":
    case "not-compared":
      return `${candidate} beside ${baseline}: ${reason}`;
  }
}

/** The rows that a place has in common, in a word or two beside a row: `typo, hi`. */
export const placeMark = ({ value, and }: SliceName): string => (and === null ? value : `${value}, ${and.value}`);
