import type { ReportChoice } from "../shape/choice.ts";
import type { DimensionEffect, Interaction } from "../../compare/choice/dimension-effects.ts";
import type { ReportMetric } from "../shape/model.ts";
import { loss, type LossTeller, lossTeller, scoreFigure, sizeOfChange } from "./figures.ts";
import { sentenceList } from "../../lib/sentence-list.ts";
import { counted, number } from "./quantity.ts";
import { segmentWords } from "./segment-words.ts";
import { tagName } from "./tag-words.ts";

const mostCells = 5;
const mostEffects = 3;

/** Where configurations stand out, a routing that gains, and what the dimensions of a matrix do: a sentence each, the surest and largest first. */
export function findingsWords(
  choice: ReportChoice,
  about: ReportMetric,
): Record<"routing" | "strengths" | "dimensions", string[]> {
  const { routing } = choice;
  return {
    routing: routing === undefined ? [] : [routingWords(routing, about)],
    strengths: strengthWords(choice, about),
    dimensions: dimensionWords(choice, about),
  };
}

/** The legend of the marks in a table of tags. */
export const strengthMarks = { better: "▲", worse: "▼" } as const;
export const strengthLegend = `${strengthMarks.better} surely better there than elsewhere, beside the others; ${strengthMarks.worse} surely worse`;

interface StandingCell {
  cases: number;
  cell: Pick<NonNullable<ReportChoice["tags"]>["values"][number]["cells"][number], "mean" | "here" | "elsewhere">;
  place: number;
}

/** True for cells of one configuration whose figures are the same to the last digit. */
const hasSameRows = (one: StandingCell, other: StandingCell): boolean =>
  one.place === other.place &&
  one.cases === other.cases &&
  one.cell.mean === other.cell.mean &&
  one.cell.here === other.cell.here &&
  one.cell.elsewhere === other.cell.elsewhere;

/** `b does better on category = billing than elsewhere: 98 % there, 16 points better than the others; elsewhere 2 points worse.` */
function strengthWords({ tags, intervals }: ReportChoice, about: ReportMetric): string[] {
  const found = (tags?.values ?? [])
    .flatMap(({ tag, value, cases, cells }) =>
      cells.flatMap((cell, place) =>
        cell.stands === null ? [] : [{ tag, value, cases, cell, place, stands: cell.stands }],
      ),
    )
    // One of two is better by what the other is worse by.
    .filter(({ stands }) => intervals.length > 2 || stands === "better")
    .toSorted((one, other) => (one.cell.p ?? 1) - (other.cell.p ?? 1))
    // Where one value of a tag is bad all its others are better than that: the surest says it.
    .filter((each, at, all) => at === all.findIndex(({ tag, place }) => tag === each.tag && place === each.place))
    // Two tags may have the same rows.
    .filter((each, at, all) => at === all.findIndex((other) => hasSameRows(other, each)));
  const beside = (place: number): string =>
    intervals.length === 2 ? (intervals[1 - place]?.target ?? "") : "the others";
  return found.slice(0, mostCells).map(({ tag, value, cell, place, stands }) => {
    const there = segmentWords({ tag, value, and: null });
    const figures = `${scoreFigure(cell.mean, about)} there, ${placeWords(cell.here, beside(place), about)}`;
    return `${intervals[place]?.target ?? ""} does ${stands} on ${there} than elsewhere: ${figures}; elsewhere ${placeWords(cell.elsewhere, beside(place), about)}.`;
  });
}

function placeWords(by: number | null, others: string, about: ReportMetric): string {
  const size = sizeOfChange(by, about);
  return size === "no difference" ? `as good as ${others}` : `${size} than ${others}`;
}

/** `Send category = billing to b and all else to a: 91 % instead of 88 % with a alone, a gain of 0.8 to 5.2 points. ...` */
function routingWords(routing: NonNullable<ReportChoice["routing"]>, about: ReportMetric): string {
  const { tag, routes, rest, single, cases, mean, singleMean, lower, upper } = routing;
  const sent = [...new Set(routes.map(({ target }) => target))].map((target) => {
    const values = routes.flatMap((route) => (route.target === target ? [route.value] : []));
    return `${tagName(tag)} = ${values.join(", ")} to ${target}`;
  });
  const gain = lower === null || upper === null ? "" : `, a gain of ${between(lower, upper, about)}`;
  return `Send ${sent.join("; ")}; and all else to ${rest}: ${scoreFigure(mean, about)} instead of ${scoreFigure(singleMean, about)} with ${single} alone${gain}. It was chosen by one half of the cases and measured on the other, ${counted(cases, "case")}.`;
}

/** `0.4 to 3.8 points`: of losses, or gains. */
function between(one: number, other: number, about: ReportMetric): string {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  return `${loss(from, about).replace(/[^\d.,]+$/, "")} to ${loss(to, about)}`;
}

function dimensionWords({ dimensions }: ReportChoice, about: ReportMetric): string[] {
  if (dimensions === undefined) return [];
  const { effects, interactions, incomplete } = dimensions;
  const say = lossTeller();
  const names = [...new Set(effects.map(({ dimension }) => dimension))];
  const held = effects
    .filter(({ holds }) => holds)
    .toSorted((one, other) => Math.abs(other.difference) - Math.abs(one.difference));
  const told = held.slice(0, mostEffects).map((effect) => effectWords(effect, { say, about, names }));
  return [
    ...told,
    ...(held.length === 0 && names.length > 0 ? [`No effect of ${sentenceList(names, "or")} is sure.`] : []),
    ...interactions.map((each) => interactionWords(each, about)),
    ...incomplete.map((name) => `No effect of ${name} can be given: no combination of the others has all its values.`),
  ];
}

interface Telling {
  say: LossTeller;
  about: ReportMetric;
  /** Names of all dimensions. */
  names: readonly string[];
}

/** `temperature 0.5 instead of 0 costs 2.1 percentage points (0.4 to 3.8 points), whatever the model.` */
function effectWords(effect: DimensionEffect, { say, about, names }: Telling): string {
  const { dimension, from, to, difference, lower, upper, everywhere, combinations, of } = effect;
  const others = names.filter((name) => name !== dimension);
  const does = difference < 0 ? "costs" : "gains";
  const [least, most] = difference < 0 ? [-upper, -lower] : [lower, upper];
  const over =
    combinations === 1
      ? ""
      : everywhere
        ? `, whatever the ${sentenceList(others, "and the")}`
        : ` on average over ${sentenceList(others, "and")}`;
  const part =
    combinations === of ? "" : ` (${number(combinations)} of ${number(of)} combinations have all its values)`;
  return `${dimension} ${to} instead of ${from} ${does} ${say(Math.abs(difference), about)} (${between(least, most, about)})${over}${part}.`;
}

/** `prompt b instead of a helps with model x (9 points better), and not with model y (0.4 points worse): 3 to 15 points between them.` */
function interactionWords(interaction: Interaction, about: ReportMetric): string {
  const { dimension, from, to, other, first, second, inFirst, inSecond, lower, upper } = interaction;
  const [low, high] = lower < 0 ? [-upper, -lower] : [lower, upper];
  const [more, less] =
    inFirst > inSecond
      ? [
          { value: first, by: inFirst },
          { value: second, by: inSecond },
        ]
      : [
          { value: second, by: inSecond },
          { value: first, by: inFirst },
        ];
  const change = `${dimension} ${to} instead of ${from}`;
  const [best, least] = [sizeOfChange(more.by, about), sizeOfChange(less.by, about)];
  const apart = `a difference of ${between(low, high, about)}`;
  return more.by > 0 && less.by <= 0
    ? `${change} helps with ${other} ${more.value} (${best}) and not with ${other} ${less.value} (${least}): ${apart}.`
    : `${change} depends on ${other}: ${best} with ${more.value}, ${least} with ${less.value}, ${apart}.`;
}
