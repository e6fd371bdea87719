import type {
  Cause,
  FloorPasses,
  PartsCause,
  NotCompared,
  OtherJudge,
  RowUnit,
  UnitCount,
} from "../../compare/cause.ts";
import { sentenceList } from "../../lib/sentence-list.ts";
import { showStart, showText } from "../../lib/show.ts";
import { withoutEnd } from "../../lib/without-end.ts";
import { decimal } from "./figures.ts";
import { dayLabel } from "./night-names.ts";
import { counted, number } from "./quantity.ts";

/** Rows that count as one: `conversations`, or `groups by article`. */
export function unitNoun(of: RowUnit, count = 2): string {
  switch (of.kind) {
    case "rows":
      return count === 1 ? "row" : "rows";
    case "conversations":
      return count === 1 ? "conversation" : "conversations";
    case "questions":
      return count === 1 ? "question" : "different questions";
    case "groups":
      return `${count === 1 ? "group" : "groups"} by ${of.column}`;
  }
}

/** `40 conversations` */
export const unitWords = ({ count, of }: UnitCount): string => `${number(count)} ${unitNoun(of, count)}`;

/** The same where rows do not count for themselves; else null. */
export const unitsInWords = (groups: UnitCount | null): string | null => (groups === null ? null : unitWords(groups));

const rangeAdvice = "`range: [min, max]`";
const rowCount = (count: number): string => counted(count, "row");
const areWord = (count: number): string => (count === 1 ? "is" : "are");

/** Why something is not known, in a sentence without its end mark. */
export function causeWords(cause: Cause): string {
  switch (cause.kind) {
    case "no-row":
      return "there is no row to compare";
    case "not-finite":
      return "a difference is not a finite number";
    case "few-clusters":
      return `too few rows or groups of rows: ${cause.clusters}, and at least ${cause.fewest} are needed`;
    case "few-for-interval":
      return `${cause.clusters} clusters are too few for an interval of 95 %`;
    case "few-for-slope":
      return `needs at least ${cause.points} cases in ${cause.clusters} clusters`;
    case "no-variation":
      return "no variation: every cluster differs by the same amount";
    case "decided-early":
      return "the run stopped when it was decided, and a score without bounds is only judged when all rows are in";
    case "too-few-units":
      return `it takes at least ${number(cause.least)} ${unitNoun(cause.of)}`;
    case "close":
      return "the difference is too close to the limit";
    case "noisy":
      return "answers vary too much from run to run";
    case "grouped":
      return "rows of one group go right or wrong together, and there are few groups";
    case "one-more-on-scale":
      return "with one more row that loses all it can it would not pass";
    case "few-without-ends":
      return `a score without ends does not pass on fewer than ${cause.fewest} rows: ${withoutEndsAdvice}`;
    case "one-more-without-ends": {
      const most =
        cause.of === "ratio" ? `is worse by ${short(Math.exp(cause.loss))} times` : `loses ${short(cause.loss)}`;
      return `the score has no ends, and with one more row that ${most}, as far as its values lie apart, it would not pass: ${withoutEndsAdvice}`;
    }
    case "skewed":
      return cause.isSkewed
        ? `a few rows carry most of the difference (skewness ${cause.skewness.toFixed(1)})`
        : "so few values of a score without bounds do not show how far the largest lie";
    case "few-that-differ":
      return "so few that differ do not show how much others lose";
    case "no-variation-without-ends":
      return "no variation: every row differs by the same amount, and a score without bounds does not say how far others could";
    case "looked-at":
      return "it was looked at while it ran: a smaller drop only takes more rows";
    case "few":
      return `${unitWords(cause.size)} ${areWord(cause.size.count)} too few`;
    case "few-if-all-lost":
      return `${unitWords(cause.size)} ${areWord(cause.size.count)} too few, were all of them lost`;
    case "few-that-vary":
      return `${unitWords(cause.size)} that vary so much are too few${cause.toLose === null ? "" : ` for what ${cause.toLose} has to lose`}`;
    case "alike-without-ends":
      return "all rows differ by the same amount, and the score has no bounds";
    case "less-to-lose":
      return "the baseline has less than that to lose";
    case "not-complete":
      return "its data are not complete";
    case "runs-not-made": {
      const why = cause.why ?? (cause.isStopped ? "it was stopped" : "it is not finished");
      return `${number(cause.left)} of ${counted(cause.of, "further run")} were not made: ${why}`;
    }
    case "chosen-rows":
      return `${cause.batch} stopped when it was decided, so that its own results chose its rows, and nothing is claimed by them: \`tandem resume ${cause.batch} --rest\` sends the others`;
    case "decided-early-by-labels":
      return "the run stopped when it was decided, and labels only correct a judge over all of its rows";
    case "labellers-disagree": {
      const { alpha, interval } = cause;
      const range = interval === null ? "" : `, 95 %: ${decimal(interval.low, 2)} to ${decimal(interval.high, 2)}`;
      const known = alpha === null ? "unknown" : decimal(alpha, 2);
      return `people do not agree enough (alpha ${known}${range}; ${cause.answers} answers by two or more): write a better rubric first, or say \`accept: disagreement\` at the gate of the next run`;
    }
    case "all-examples":
      return "the judge was written with every one of the rows: take others to check it";
    case "no-labels":
      return "no drawn row has labels of both answers: `tandem label export --draw` writes the sheet";
    case "not-drawn":
      return `its labels (${rowCount(cause.labels)}) are no random draw: \`tandem label draw\` chooses the rows`;
    case "drawn-before":
      return `the draw is of other rows: ${rowCount(cause.rows)} more ${cause.rows === 1 ? "was" : "were"} answered after it`;
    case "draw-incomplete":
      return `the draw is incomplete: ${cause.labels} of ${rowCount(cause.of)} have labels of both answers, and at least 90 % must`;
    case "too-few-labels":
      return `too few labels: ${rowCount(cause.labels)} of at least ${cause.fewest}; \`tandem label draw --labels ${cause.fewest}\` draws more`;
    case "too-few-label-groups":
      return `too few labels: they are of fewer than ${cause.fewest} groups of rows; \`tandem label draw\` with more --labels draws more`;
    case "labels-alike":
      return "people see the same difference in every labelled row, and the score has no ends";
    case "not-compared":
      return notComparedWords(cause.why);
    case "nothing-graded":
      return `no row with an expected answer has a score on both sides; ${cause.beside} of ${cause.rows} have none`;
    case "no-tag-value":
      return `no row has a value of the tag ${cause.tag}`;
    case "no-margin":
      return `${cause.metric} has no bounds: its gate needs a margin`;
    case "no-pair":
      return "no row has a score on both sides";
    case "no-score":
      return "no row has a score";
    case "answers-missing":
      return "answers are missing";
    case "ceiling":
      return ceilingWords(cause);
    case "judge-by-chance":
      return `\`${cause.metric}\` is a judge that is no better than chance by the labels of people, so it cannot tell. Mend its prompt or take another judge: \`tandem label agreement\` shows where it is wrong`;
    case "labels-required": {
      const why =
        cause.why === null ? "nobody labelled any answer: `tandem label draw` chooses the rows" : causeWords(cause.why);
      return `\`${cause.metric}\` is decided by people's labels (\`require: labels\`), and ${why}`;
    }
    case "floor":
      return floorWords(cause);
    case "gaps":
      return gapWords(cause);
    case "outside-range":
      return `${cause.answers} of ${cause.of} answers of ${cause.target} leave the \`range: [${cause.min}, ${cause.max}]\` of ${cause.metric} and count as its end: widen it, and grade again`;
    case "nothing-varied":
      return `Nothing varied in ${rowCount(cause.rows)}, and the score has no ends: give the scorer a ${rangeAdvice}`;
    case "not-sent":
      return `it passes only when every row was looked at: ${cause.rows} of ${cause.of} were not sent`;
    case "tries-open": {
      const rows =
        cause.rows === 1 ? `${cause.first} has` : `${cause.rows} of ${cause.of} rows (such as ${cause.first}) have`;
      return `${rows} too few tries that are finished and graded to tell whether ${cause.pass} of ${cause.tries} pass`;
    }
    case "no-rows":
      return "The batch has no rows";
    case "stopped":
      return `${cause.target}: stopped before its end: ${withoutEnd(cause.why)}`;
    case "unfinished":
      return `${cause.target}: ${cause.unfinished} of ${cause.jobs} jobs ${areWord(cause.unfinished)} not finished${cause.canResume ? ": resume with `tandem resume`" : ""}`;
    case "unanswered":
      return unansweredWords(cause);
    case "no-common-row":
      return `${cause.candidate}: no row is in both it and ${cause.baseline} with the same input`;
    case "no-common-answer":
      return `${cause.candidate}: no row has an answer of both bots`;
    case "other-input":
      return `${cause.candidate}: ${cause.rows} rows have another input than in ${cause.baseline} (${percent(cause.share)})`;
    case "other-expected": {
      const names = cause.batches.length === 0 ? ["BATCH"] : cause.batches;
      const commands = names.map((name) => `\`tandem score ${name} --suite FILE\``).join(", ");
      const graded = `${cause.rows} of ${cause.of} rows were graded by another expected answer in ${cause.baseline}`;
      return `${cause.candidate}: ${graded} (${percent(cause.share)}): grade both by one with ${commands}`;
    }
    case "rows-missing":
      return `${cause.candidate}: ${cause.rows} rows of ${cause.baseline} are missing (${percent(cause.share)})`;
    case "ungraded":
      return `${cause.target}: ${counted(cause.answers, "answer has", "answers have")} no score of ${cause.metric} (${percent(cause.share)})`;
    case "parts-missing":
      return missingPartsWords(cause);
    case "not-scored":
      return `The gate of ${cause.metric} cannot be decided: it was not scored`;
    case "scored-in-part":
      return `${cause.batch} has scorers, but was not scored to the end`;
    case "answers-since":
      return `${cause.batch}: ${cause.answers} answers came after it was graded: \`tandem score ${cause.batch}\``;
    case "graded-in-part": {
      const [why, file] = cause.needsSuite
        ? [", which runs or reads something beside the suite", " --suite FILE"]
        : ["", ""];
      return `${cause.batch}: not all answers are graded by ${cause.metric}${why}: grade it with \`tandem score ${cause.batch}${file}\``;
    }
    case "other-judge":
      return otherJudgeWords(cause);
  }
}

/** The same as a whole sentence. */
export const causeSentence = (cause: Cause): string => `${causeWords(cause)}.`;

const withoutEndsAdvice = `give the scorer a ${rangeAdvice}, or compare by \`of: median\``;
const short = (value: number): string => String(Number(value.toPrecision(3)));
const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;

function ceilingWords({ metric, side, of, passing, asked, example, withinText }: CauseOf<"ceiling">): string {
  const what =
    of === "rows"
      ? `${passing} of ${asked} answers of ${side} to rows that expect something else`
      : `${passing} of ${asked} answers that say nothing`;
  const such =
    example === null ? "" : `, such as ${showText(example.answer)} where ${showText(example.expected)} is expected`;
  const advice = withinText
    ? "use `equals`, or expected answers that only a right answer holds"
    : "raise its threshold, or use one that asks for more";
  return `\`${metric}\` passes ${what}${such}: it cannot tell bots apart; ${advice}`;
}

/** Demands of a scorer, by where it looks for the expected text. */
const asksFor: Readonly<Record<NonNullable<FloorPasses["asks"]>["place"], string>> = {
  within: "asks for the whole text",
  start: "asks for the whole text at the start",
  end: "asks for the whole text at the end",
  whole: "asks for the very same text",
  words: "asks for the same words",
};

function floorWords({ metric, baseline, candidate, passes }: CauseOf<"floor">): string {
  if (passes === null)
    return `\`${metric}\` of ${baseline} is at the end of its scale, and cannot fall by the limit: it cannot tell whether ${candidate} is worse`;
  const of = `of ${number(passes.rows)}`;
  const why =
    passes.baseline === passes.candidate
      ? `Both bots pass ${passes.baseline} ${of}, so \`${metric}\` cannot tell them apart`
      : `${baseline} passes ${passes.baseline} ${of} and ${candidate} ${passes.candidate}: there is no more to lose than the limit, so \`${metric}\` cannot tell whether ${candidate} is worse`;
  if (passes.asks === null) return why;
  const { type, place, length } = passes.asks;
  return `${why}. The expected answers are long (typically ${length} characters), and ${type} ${asksFor[place]}. Write only the part that must be in the answer (such as \`09:00\`), or use chrf or a judge`;
}

/** `PASS only if at most 2 of the 19 rows in which test has no graded answer are wrong` */
function gapWords({ rows, candidate, mostWrong }: CauseOf<"gaps">): string {
  const which = `${rows === 1 ? "row" : rowCount(rows)} in which ${candidate} has no graded answer`;
  if (mostWrong === null) return `PASS only if not too many of the ${which} are wrong`;
  if (mostWrong === 0)
    return rows === 1 ? `PASS only if the ${which} is right` : `PASS only if none of the ${which} is wrong`;
  return `PASS only if at most ${mostWrong} of the ${which} ${areWord(mostWrong)} wrong`;
}

/** Who gave no answer how often, how often it may, and the most frequent error. */
function unansweredWords(cause: CauseOf<"unanswered">): string {
  const { target, runs, of, isOfRows, share, allowed, skipped, error } = cause;
  const often = `${runs} of ${of} ${isOfRows ? "rows" : "runs"}`;
  const left =
    skipped === 0
      ? ""
      : skipped === 1
        ? "; 1 turn that was skipped after a failed one is not counted"
        : `; ${skipped} turns that were skipped after a failed one are not counted`;
  const said = `${target} gave no answer in ${often} (${percent(share)}, at most ${percent(allowed)} may be without one${left})`;
  if (error === null) return said;
  const which = error.runs < runs ? `The most frequent reason (${error.runs} of ${runs})` : "The reason";
  const users = error.ofService ? ". If this repeats, users get no answer either" : "";
  return `${said}. ${which}: ${error.outcome}: ${messageWords(error.message)}${users}`;
}

/** Characters of a reason: the service says what is wrong at its end as often as at its beginning. */
const longestReason = 160;
const longestWord = 24;

/** A message in quotes; its longest words, such as addresses, are cut: it stands in a sentence that wraps. */
function messageWords(message: string): string {
  const words = message
    .trim()
    .split(/\s+/)
    .map((word) => Array.from(word));
  return showStart(
    words
      .map((word) => (word.length > longestWord ? `${word.slice(0, longestWord).join("")}…` : word.join("")))
      .join(" "),
    longestReason,
  );
}

/** `--shard 2/3 is missing among the parts that were merged: 55 of 165 rows are not here` */
function missingPartsWords({ batch, parts, of, rows }: PartsCause): string {
  const names = `--shard ${sentenceList(parts.map((part) => `${part}/${of}`))}`;
  const lacks = `${batch === null ? "" : `${batch}: `}${names} ${areWord(parts.length)} missing among the parts that were merged`;
  if (rows === null) return `${lacks} (how many cases that are is not known)`;
  return `${lacks}: ${number(rows.missing)} of ${rowCount(rows.of)} ${areWord(rows.missing)} not here`;
}

function otherJudgeWords({ scorer, at, batches }: OtherJudge): string {
  const commands = batches.map((name) => `\`tandem score ${name}\``).join(" and ");
  const what = batches.length === 1 ? "one side was graded, as a whole or in part," : "these sides were graded";
  return `The judge changed: \`${scorer}\` was found to be another on ${dayLabel(at)}, and ${what} before that. Nothing is decided until both sides are graded by the same judge: ${commands}. Stored answers are enough, and labels stay valid`;
}

/** Why a metric is not compared; it begins with its name. */
export function notComparedWords(why: NotCompared): string {
  if (why.kind === "no-bounds")
    return `${why.metric} has no bounds, so it has no gate: add one with a margin to decide by it`;
  return `${why.metric}: ${otherScoresWords(why)}`;
}

const whatScores = {
  unscored: "was not scored",
  missing: "has no such scorer",
  failed: "could not be scored by it",
  differs: "defines it differently",
};

/** Why the scores of a batch cannot be compared with those of a scorer, and the remedy. */
export function otherScoresWords({ batch, is, exportedAs }: Omit<OtherScores, "metric" | "kind">): string {
  if (exportedAs !== null) return `${exportedAs} ${whatScores[is]} (grade it where it was run, and export it again)`;
  return `${batch} ${whatScores[is]} (grade it again: tandem score ${batch} --suite FILE)`;
}

type OtherScores = Extract<NotCompared, { kind: "other-scores" }>;
type CauseOf<Kind extends Cause["kind"]> = Extract<Cause, { kind: Kind }>;
