import { dependenceWords } from "./dependence.ts";
import type { GateAdvice, LastingCause, MarginFacts } from "../../compare/verdict/facts.ts";
import { causeWords, unitNoun } from "./causes.ts";
import { loss, type ShownMeasure } from "./figures.ts";
import { capitalised, counted, number, roughly } from "./quantity.ts";
import { addRowsWords, countedRows, countRowsWords, fewestInAll } from "./rows-to-add.ts";

/** The cases of a gate, as its advice counts them. */
export interface AdvisedCases {
  cases: number;
  /** Cases that got worse or better: without one there is none to go by. */
  changed: number;
  /** Different questions among the cases, where some are asked more than once; else null. */
  questions: number | null;
  /** The suite's file as it is typed, or `SUITE`: where a gate of the advice is written. */
  file: string;
}

/** Words what would settle a gate, or why there is no answer, without the end mark of the last sentence; null when there is nothing to add. */
export function adviceWords(gate: MarginFacts, of: AdvisedCases, metric: ShownMeasure): string | null {
  const { dependence } = gate;
  const sentences = [
    ...(dependence === undefined ? [] : [dependenceWords(dependence)]),
    ...settledBy(gate, of, metric),
  ];
  return sentences.length === 0 ? null : sentences.join(". ");
}

function settledBy(gate: MarginFacts, of: AdvisedCases, metric: ShownMeasure): string[] {
  const { cases } = of;
  if (gate.settle === null) return gate.reason === null ? [] : [causeWords(gate.reason)];
  if (gate.tooFew) return [tooFewWords(gate, gate.settle, { cases, metric })];
  const { settle, margin } = gate;
  const way = settlingWords(settle, { ...of, margin, metric });
  return [
    ...firstWords(settle, of),
    `${way}${lookWords(settle, of)}`,
    ...leastWords(settle, countedRows(of)),
    ...(alsoWords(gate, of) ?? []),
  ];
}

/** A gate that counts rows, for the runs to come: it fits a small sheet of which no answer is wrong by chance, or each row is asked more often. */
function countingWords({ metric, baseline, word, guard }: MarginFacts, settle: GateAdvice, file: string): string[] {
  const { countRows, repeatFirst, fewestToPass } = settle;
  const isSmall = repeatFirst !== undefined && fewestToPass !== null;
  if ((word !== "too-few-cases" && guard !== "hopeless") || (countRows === undefined && !isSmall)) return [];
  const why =
    countRows === undefined
      ? ""
      : countRows === "repeats itself"
        ? ", since functions repeat their answers"
        : `, since ${baseline} was graded alike in all its runs`;
  const repeats = countRows === undefined ? (repeatFirst ?? null) : null;
  return [`To decide by these rows alone from the next run on${why}, ${countRowsWords(metric, { repeats, file })}`];
}

/** The end of the advice for more rows: why it is open although nothing speaks against it, and other ways to decide; null: nothing else would help. */
export function alsoWords(gate: MarginFacts, of: AdvisedCases): string[] | null {
  const { settle, decided, reason, tooFew } = gate;
  if (settle === null || tooFew) return null;
  // The number of rows that it takes says why so few decide nothing.
  const isSaid = decided === null ? fewestInAll(settle, countedRows(of)) !== null : decided.heldBy === null;
  const words = [
    ...(settle.instead.length === 0 ? [] : [insteadWords(settle.instead)]),
    ...(isSaid || reason === null ? [] : [causeWords(reason)]),
  ];
  const counting = countingWords(gate, settle, of.file);
  const said = [...(words.length === 0 ? [] : [capitalised(words.join("; "))]), ...counting];
  return said.length === 0 ? null : said;
}

/** The rows that changed come first: asked more often they show which of the changes are chance. */
function firstWords({ repeatFirst, kind, next }: GateAdvice, { changed }: AdvisedCases): string[] {
  if (repeatFirst === undefined || kind === "last" || changed === 0) return [];
  const look = next?.by === "flag" ? " --second-look" : "";
  return [
    `First ask each row ${repeatFirst} times (\`--repeats ${repeatFirst}${look}\`), to see which changes are chance`,
  ];
}

/** A second look is told as one, because it has a level of its own. */
function lookWords(settle: GateAdvice, of: AdvisedCases): string {
  const { next, kind } = settle;
  if (next === undefined || kind === "last") return "";
  if (kind === "too many" && settle.repeats === null && addRowsWords(settle, of) === null) return "";
  return {
    flag: ", and run it again with `--second-look`",
    suite: ", for the second look",
    alpha: `, and run it again with \`compare: { alpha: ${next.alpha} }\``,
  }[next.by];
}

/** The fewest rows with which the look that is advised can pass, where no number to add is said; nothing where there are as many. */
function leastWords(settle: GateAdvice, cases: number): string[] {
  const least = settle.kind === "unknown" ? fewestInAll(settle, cases) : null;
  return least === null ? [] : [`A PASS takes at least ${number(least)} in all`];
}

/** Advice that nobody could follow is none: it is said that these cases do not decide, nor would those that somebody adds. */
function hopelessWords(needed: number | null, cases: number): string {
  if (needed === null) return "More rows would hardly decide it";
  return `${counted(cases, "row")} cannot decide it, nor can a few more`;
}

function tooFewWords(
  { margin }: MarginFacts,
  settle: GateAdvice,
  { cases, metric }: { cases: number; metric: ShownMeasure },
): string {
  const least = fewestInAll(settle, cases);
  const needs =
    least !== null
      ? `a PASS takes ${number(least)} in all with none worse, with a limit of ${loss(margin, metric)}`
      : settle.kind === "clusters"
        ? `it takes ${settle.least} ${unitNoun(settle.of)}`
        : "it takes more";
  return `Too few rows: ${number(cases)}; ${needs}. The verdict does not wait for it`;
}

interface Size extends AdvisedCases {
  margin: number;
  metric: ShownMeasure;
}

function settlingWords(settle: GateAdvice, size: Size): string {
  switch (settle.kind) {
    case "clusters": {
      const more = addRowsWords(settle, size);
      if (more !== null) return capitalised(more);
      return `It takes more ${unitNoun(settle.of)}: at least ${settle.least}`;
    }
    case "cases": {
      const more = capitalised(addRowsWords(settle, size) ?? "add rows");
      return settle.repeats === null ? more : `${more} or ask each of these ${settle.repeats} times`;
    }
    case "too many":
      return tooManyWords(settle, size);
    case "gaps":
      return `First fill in the grades missing in ${counted(settle.cases, "row")}: a PASS counts each as wrong`;
    case "labels":
      return labelsWords(settle);
    case "last":
      return `This was the second look: a third one would find something by chance too often${changedRowsWords(size)}`;
    case "unknown":
      return "Add rows";
  }
}

/** Labels that would settle it, in all. */
function labelsWords({ labels, cases, isAll }: Extract<GateAdvice, { kind: "labels" }>): string {
  if (labels !== null)
    return `${counted(labels, "labelled row")} in all would settle it (\`tandem label draw --labels ${labels}\`)`;
  return cases === null
    ? "More labels would hardly decide it"
    : `No number of labels settles it: it takes ${number(roughly(cases))} rows${isAll ? ", all of them labelled" : " first"}`;
}

function tooManyWords(settle: Extract<GateAdvice, { kind: "too many" }>, size: Size): string {
  const { cases, margin, metric, questions } = size;
  const { cases: needed, repeats } = settle;
  if (repeats !== null) return `Ask each of these ${counted(cases, "row")} ${repeats} times`;
  const limit = `limit of ${loss(margin, metric)}`;
  const why = needed === null ? causes[settle.cause](limit) : `a ${limit} takes about ${number(roughly(needed))}`;
  const more = addRowsWords(settle, size);
  if (questions !== null) {
    const are = `These ${counted(cases, "row")} are ${counted(questions, "different question")}`;
    if (more !== null) return `${are}: ${more}`;
    const least = fewestInAll(settle, questions);
    const takes = least === null ? why : `a PASS takes at least ${counted(least, "different question")} in all`;
    return `${are}, and cannot decide it: ${takes}${changedRowsWords(size)}`;
  }
  return more === null ? `${hopelessWords(needed, cases)}: ${why}${changedRowsWords(size)}` : capitalised(more);
}

const causes: Record<LastingCause["kind"], (limit: string) => string> = {
  close: (limit) => `the loss is so close to the ${limit}`,
  noisy: () => "answers vary too much from run to run",
  grouped: () => "rows of one group go right or wrong together",
};

/** The rows that are left to go by where the verdict stays open; empty where none changed. */
const changedRowsWords = ({ changed }: AdvisedCases): string => (changed === 0 ? "" : "; go by the rows that changed");

function insteadWords(instead: readonly string[]): string {
  const named = instead.map((of) => `\`of: ${of}\``).join(" or ");
  return `compare by ${named}, which a few large values move less`;
}
