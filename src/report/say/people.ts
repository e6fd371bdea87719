import type { MetricSummary } from "../../compare/summary/metric-summary.ts";
import { shellWord } from "../../lib/shell-word.ts";
import type { ReportGate, ReportMetric } from "../shape/model.ts";
import { changeRange, decimal, scoreFigure, type ShownMeasure, sizeOfChange } from "./figures.ts";
import { counted, number } from "./quantity.ts";

type People = NonNullable<ReportGate["people"]>;

/** Labels of people that decide a gate; null: none do. */
export function decidedByPeople({ people }: Pick<ReportGate, "people">): People | null {
  return people === undefined || people.refused !== null ? null : people;
}

/**
 * The judge beside people: `\`helpful\` by the judge alone: 27.5 points better (70.5 % -> 98 %). By people, on 60 of 200 cases drawn
 * at random: 21.7 points worse (95 %: -36 to -7.4). The labels decide`. `alike`: the words for a judge that always says the same.
 */
export function peopleLines(
  gate: ReportGate,
  about: ReportMetric,
  { isAlone, alike }: { isAlone: boolean; alike: readonly string[] },
): string[] {
  const { people, candidate, metric } = gate;
  if (people === undefined) return [];
  const who = `${isAlone ? "" : `${candidate}, `}\`${metric}\``;
  if (people.refused !== null) {
    const left = examplesWords(people.examples);
    return [`${who} is the judge's view, not checked against people: ${people.refused}.`, ...alike, ...left];
  }
  const { judge, interval, labels, cases } = people;
  const sides = `${scoreFigure(judge.baseline, about)} -> ${scoreFigure(judge.now, about)}`;
  const alone = `${who} by the judge alone: ${changeWords(judge.difference, about)} (${sides})`;
  const which =
    labels === cases
      ? `on all ${counted(cases, "row")}`
      : `on ${number(labels)} of ${counted(cases, "row")} drawn at random`;
  const within = interval === null ? "" : ` (95 %: ${changeRange(interval, about, gate.margin)}${weightWords(people)})`;
  return [
    `${alone}. By people, ${which}: ${changeWords(gate.difference, about)}${within}. The labels decide${stateWords(gate)}.`,
    ...remarks(people, alike),
  ];
}

/** The state that the labels lead to; the words of a metric without a gate, and of an invalid comparison, stand elsewhere. */
function stateWords({ state }: ReportGate): string {
  if (state === null || state === "invalid") return "";
  return `: ${state === "regression" ? "a regression" : state}`;
}

function agreementWords(agreement: People["agreement"]): string[] {
  if (agreement === undefined) return [];
  const { both, alpha, interval } = agreement;
  if (both === 0)
    return [
      "Those who labelled have no answer in common, so it is not known whether they agree (`tandem label agreement`).",
    ];
  if (alpha === null) return [];
  const shown = interval === null ? "" : `, 95 %: ${decimal(interval.lower, 2)} to ${decimal(interval.upper, 2)}`;
  return [`People agree with alpha ${decimal(alpha, 2)}${shown}, on ${counted(both, "answer")} that two labelled.`];
}

function changeWords(difference: number | null, about: ShownMeasure): string {
  if (difference === null) return "not known";
  return difference === 0 ? "no difference" : sizeOfChange(difference, about);
}

function weightWords({ lambda, correlation }: People): string {
  if (lambda === null) return "";
  const r = correlation === null ? "" : `, r ${decimal(correlation, 2)}`;
  return `; weight of the judge ${decimal(lambda, 2)}${r}`;
}

function remarks(
  { lambda, isWidened, unlabelled, stale, agreement, examples }: People,
  alike: readonly string[],
): string[] {
  return [
    ...agreementWords(agreement),
    ...examplesWords(examples),
    ...alike,
    ...(lambda === 0 && alike.length === 0
      ? ["The judge tells nothing about this difference: the labels stand alone."]
      : []),
    ...(isWidened ? ["Few labelled rows differ, so that the range is widened for it."] : []),
    ...(unlabelled === 0
      ? []
      : [`${counted(unlabelled, "drawn row")} ${unlabelled === 1 ? "has" : "have"} no labels: left out.`]),
    ...(stale === 0
      ? []
      : [`${counted(stale, "label")} ${stale === 1 ? "is" : "are"} of an answer that has another text now: not used.`]),
  ];
}

/** Cases whose labels do not count, and why. */
function examplesWords(examples: number): string[] {
  if (examples === 0) return [];
  const [was, its] = examples === 1 ? ["was", "its"] : ["were", "their"];
  return [
    `${counted(examples, "row")} ${was} used to write the judge (\`examples\`, or ${its} question stands in its prompt): left out, labels too.`,
  ];
}

/**
 * A judge that said the same of every answer: nobody can know from its grades whether there is a difference. Shown of one that
 * passed all, too: bots that are all right, and a judge that says yes to everything, look the same.
 */
export function alwaysWords(
  { metric, of, always, people }: Pick<MetricSummary, "metric" | "of" | "always" | "people">,
  about: ShownMeasure,
): string[] {
  if (always === undefined) return [];
  const { value, answers } = always;
  const all = counted(answers, "answer");
  const what =
    of === "pass"
      ? `${value === 1 ? "passed" : "failed"} all ${all}`
      : `gave all ${all} the same score, ${scoreFigure(value, about)}`;
  const next =
    people?.refused === null ? "the labels stand alone" : `try it with \`tandem judge check ${shellWord(metric)}\``;
  return [`The judge \`${metric}\` ${what}. One that always says the same tells nothing of a difference: ${next}.`];
}
