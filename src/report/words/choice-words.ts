import { byMean } from "./choice-order.ts";
import type { ReportChoice, ReportNamedCase, ReportRace } from "../shape/choice.ts";
import type { ReportMetric } from "../shape/model.ts";
import { frontWords, ratioWords, sameCostWords } from "./front-words.ts";
import { names, subject } from "./target-names.ts";
import { lossTeller, scoreFigure } from "./figures.ts";
import { counted, number, price, roughly } from "./quantity.ts";
import { rowsWords } from "./row-words.ts";

/** Lines beside the sentence that are seen first. */
const mostDetails = 5;

/** The result of a choice in one sentence, at most five lines beside it, those of most use first, and what else is to be known. */
export function choiceWords(
  choice: ReportChoice,
  about: ReportMetric,
): { sentence: string; details: string[]; further: string[] } {
  const all = detailsOf(choice, about);
  return {
    sentence: sentenceOf(choice, about),
    details: all.slice(0, mostDetails),
    further: all.slice(mostDetails),
  };
}

function sentenceOf(choice: ReportChoice, about: ReportMetric): string {
  const { intervals, set, named, ahead, cases, metric, open } = choice;
  const all = intervals.length;
  if (open !== null) return openSentence(choice, open, about);
  if (choice.race !== undefined) return raceSentence(choice, choice.race, about);
  if (choice.cheapest !== undefined) return cheapestSentence(choice, choice.cheapest, about);
  if (named !== null) return `${namedWords(choice, named, about)}${expectedWords(choice, named)}`;
  if (ahead !== null) {
    const also = "but not surely: one in twenty such comparisons would be as clear by chance";
    return `${subject([ahead])} ahead on \`${metric}\`, ${also}`;
  }
  if (set.length === all)
    return `No configuration can be told to be the best of ${number(all)} on \`${metric}\` from these ${counted(cases, "case")}`;
  const behind = intervals.flatMap(({ target }) => (set.includes(target) ? [] : [target]));
  const may = `${names(set)} cannot be told apart as the best of ${number(all)} on \`${metric}\` (95 %)`;
  return `${may}; ${subject(behind)} behind`;
}

/**
 * `Take c: 84 % on \`correct\` at 0.8 a run. It is the cheapest of the 3 that are surely less than 2 percentage points worse than the
 * best; the highest is b, 85.1 % at 1.9 a run`
 */
function cheapestSentence(
  choice: ReportChoice,
  { margin, goodEnough, named, unpriced }: NonNullable<ReportChoice["cheapest"]>,
  about: ReportMetric,
): string {
  const { intervals, metric, cases } = choice;
  const say = lossTeller();
  const limit = `surely less than ${say(margin, about)} worse than the best`;
  if (unpriced.length > 0)
    return `${names(unpriced)} ${unpriced.length === 1 ? "has" : "have"} no known cost, so the cheapest is not known: give ${unpriced.length === 1 ? "its deployment" : "their deployments"} a \`price\``;
  const intervalOf = (target: string) => intervals.find((each) => each.target === target);
  const meanWords = (target: string): string => scoreFigure(intervalOf(target)?.mean ?? null, about);
  const costOf = (target: string): string => {
    const cost = intervalOf(target)?.cost ?? null;
    return cost === null ? "an unknown price" : `${price(cost)} a run`;
  };
  if (named === null) {
    const nearest = intervals.flatMap(({ target, lower }) => (lower === null ? [] : [{ target, lower }]));
    const [closest] = nearest.toSorted((one, other) => other.lower - one.lower);
    const how =
      closest === undefined ? "" : `; the closest is ${closest.target}, at most ${say(-closest.lower, about)} worse`;
    return `None of ${number(intervals.length)} is ${limit} on \`${metric}\` from these ${counted(cases, "case")}${how}`;
  }
  const [highest] = byMean(choice, about);
  const among =
    goodEnough.length === 1 ? "the only one that is" : `the cheapest of the ${number(goodEnough.length)} that are`;
  const other =
    highest === undefined || highest.target === named
      ? ""
      : highest.mean === intervalOf(named)?.mean
        ? `; ${highest.target} scores the same at ${costOf(highest.target)}`
        : `; the highest is ${highest.target}, ${meanWords(highest.target)} at ${costOf(highest.target)}`;
  return `Take ${named}: ${meanWords(named)} on \`${metric}\` at ${costOf(named)}. It is ${among} ${limit}${other}${expectedWords(choice, named)}`;
}

/**
 * `b is the best of 4 on \`correct\`: 91 % so far`; `c is close enough to the best of 4 on \`correct\`: surely less than 5 percentage
 * points behind it, at 91 % so far`
 */
function raceSentence(choice: ReportChoice, race: ReportRace, about: ReportMetric): string {
  const { intervals, set, named, metric, expected, cases } = choice;
  const all = number(intervals.length);
  const meanOf = (target: string) => scoreFigure(intervals.find((each) => each.target === target)?.mean ?? null, about);
  const isBehind = (target: string): boolean => race.dropped.some((each) => each.target === target);
  const behind = race.dropped.length === 0 ? "" : `; ${subject(race.dropped.map(({ target }) => target))} behind`;
  if (named !== null) {
    const ahead = `all others fell behind beyond doubt`;
    return `${named} is the best of ${all} on \`${metric}\`: ${meanOf(named)} of ${counted(cases, "case")}, and ${ahead}${expectedWords(choice, named)}`;
  }
  const others = set.filter((target) => target !== race.closeEnough);
  const apart = `${names(set)} cannot be told apart as the best of ${all} on \`${metric}\``;
  if (race.closeEnough === null) return `${apart} after ${counted(cases, "case")} of a race${behind}`;
  const { closeEnough } = race;
  const least = `surely less than ${lossTeller()(race.margin, about)} behind the best`;
  const rates = `${meanOf(closeEnough)} after ${counted(cases, "case")}`;
  const beside = others.length === 0 ? "" : `. It cannot be told apart from ${names(others)}${behind}`;
  const wanted = expected !== null && isBehind(expected) ? `. Expected was ${expected}` : "";
  return `${closeEnough} is close enough to the best of ${all} on \`${metric}\`: ${least}, ${rates}${beside}${wanted}`;
}

/** `b is the best of 4 on \`correct\`: 91 % against 84 % of the next, a. With chance taken into account it is at least 1.2 percentage points ahead`. */
function namedWords(choice: ReportChoice, named: string, about: ReportMetric): string {
  const { intervals, lead, metric, alike } = choice;
  const own = alike.find((group) => group.includes(named)) ?? [named];
  const next = byMean(choice, about).find(({ target }) => !own.includes(target));
  const mean = intervals.find(({ target }) => target === named)?.mean ?? null;
  const best = `${subject(own)} the best of ${number(intervals.length)} on \`${metric}\``;
  const figures = `${scoreFigure(mean, about)} against ${scoreFigure(next?.mean ?? null, about)} of the next, ${next?.target ?? ""}`;
  const least =
    lead === null || lead <= 0
      ? ""
      : `. With chance taken into account it is at least ${lossTeller()(lead, about)} ahead`;
  return `${best}: ${figures}${least}`;
}

/** Another best one than was expected. */
function expectedWords({ expected, alike }: ReportChoice, named: string): string {
  if (expected === null || expected === named) return "";
  return alike.some((group) => group.includes(named) && group.includes(expected)) ? "" : `. Expected was ${expected}`;
}

function openSentence(choice: ReportChoice, open: NonNullable<ReportChoice["open"]>, about: ReportMetric): string {
  const { intervals, cases, metric } = choice;
  const all = `All ${number(intervals.length)}`;
  const apart = `so \`${metric}\` cannot tell them apart`;
  const of = `of ${number(cases)}`;
  switch (open) {
    case "no case":
      return `No case has a score of all ${number(intervals.length)} on \`${metric}\``;
    case "alike": {
      const same = `${all} gave the same answers in ${number(cases)} ${of}`;
      const cheapest = choice.cheapest?.named ?? null;
      const cost = intervals.find(({ target }) => target === cheapest)?.cost ?? null;
      return cheapest === null || cost === null
        ? same
        : `${same}, and ${cheapest} is the cheapest, at ${price(cost)} a run${expectedWords(choice, cheapest)}`;
    }
    case "floor":
      return about.passes ? `${all} pass 0 ${of}, ${apart}` : `${all} are at the worst end of the scale, ${apart}`;
    case "ceiling":
      return about.passes
        ? `${all} pass ${number(cases)} ${of}, ${apart}`
        : `${all} are at the best end of the scale, ${apart}`;
    case "no variation":
      return `The scores of two differ by the same in every case, so nothing can be told of \`${metric}\`: give its scorer a \`range: [min, max]\``;
    case "invalid":
      return `Nothing is known of the best on \`${metric}\`: the data are not complete`;
    case "too few":
      return `${counted(cases, "case")} ${cases === 1 ? "is" : "are"} too few to tell which of ${number(intervals.length)} is the best on \`${metric}\`: it takes at least five, and five conversations or groups where there are some`;
  }
}

/** Lines about a choice, those of most use first: of each kind its first one, then the rest. */
function detailsOf(choice: ReportChoice, about: ReportMetric): string[] {
  const { alike, cases, left, named, ahead, open, casesNeeded, intervals } = choice;
  // Those that a race dropped were asked other cases.
  const order = byMean(choice, about).filter(({ target }) => choice.race === undefined || choice.set.includes(target));
  const [first, second] = order;
  const isOpen =
    open === null && named === null && choice.cheapest === undefined && (choice.race?.closeEnough ?? null) === null;
  const { nobody, disputed, cheapest } = choice;
  const kinds: string[][] = [
    left.map(
      ({ target, cases: lost, keys }) =>
        `${counted(lost, "case")} ${lost === 1 ? "does" : "do"} not count for any, because ${target} has no score of ${lost === 1 ? "it" : "them"} (such as ${keys.join(", ")}).`,
    ),
    alike
      .filter(() => open !== "alike")
      .map((group) => `${names(group)} gave the same answers in ${number(cases)} of ${number(cases)}.`),
    isOpen && ahead === null && first !== undefined && second !== undefined
      ? [
          `Highest: ${first.target} ${scoreFigure(first.mean, about)}, then ${second.target} ${scoreFigure(second.mean, about)}.`,
        ]
      : [],
    isOpen && casesNeeded !== null
      ? [
          `About ${number(roughly(casesNeeded))} cases would tell the first two apart, if they are as different as they look.`,
        ]
      : [],
    frontWords(choice),
    cheapest === undefined || first === undefined ? [] : ratioWords(cheapest, first.target),
    cheapest === undefined ? [] : sameCostWords(cheapest),
    nobody.cases > 0 && open !== "floor"
      ? [
          `${counted(nobody.cases, "case")} ${nobody.cases === 1 ? "passes" : "pass"} with none of them (such as ${caseNames(nobody.first)}): a gap of all, or a fault of the dataset.`,
        ]
      : [],
    disputed.length > 0 && intervals.length > 2 ? [`They disagree most on ${caseNames(disputed)}.`] : [],
  ];
  return [...kinds.flatMap((lines) => lines.slice(0, 1)), ...kinds.flatMap((lines) => lines.slice(1))];
}

/** The first cases by their rows, or keys where they are of no file. */
function caseNames(cases: readonly ReportNamedCase[]): string {
  const first = cases.slice(0, 3);
  if (first.some(({ row }) => row === null))
    return first.map(({ key, row }) => (row === null ? key : `row ${row}`)).join(", ");
  return rowsWords(first.map(({ row }) => ({ row, file: null })));
}
