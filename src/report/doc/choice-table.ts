import { byMean } from "../model/choice-order.ts";
import type { ReportChoice, ReportRace } from "../shape/choice.ts";
import type { DocCell, DocTable, Phrase } from "../shape/doc.ts";
import type { ReportMetric, ReportSummary } from "../shape/model.ts";
import { changeRange, columnFigure, decimal, loss } from "../say/figures.ts";
import { sliceWords } from "../say/names.ts";
import { duration, number, price, priceUnit } from "../say/quantity.ts";
import { type ColumnOf, tableOf } from "./table.ts";

type Line = ReportChoice["intervals"][number];

/**
 * The configurations that are chosen among, the highest first; null: nothing is chosen. The head of a result has what a choice is
 * made by, a section all that was found of each.
 */
export function choiceTable({ choice, metrics }: ReportSummary, place: "head" | "section"): DocTable | null {
  const about = metrics.find(({ name }) => name === choice?.metric);
  if (choice === undefined || about === undefined) return null;
  const lines = byMean(choice, about).map((of) => ({ key: of.target, of }));
  const name = place === "head" ? "Result" : "Choice";
  return tableOf({ name, noun: "configuration" }, choiceColumns(choice, about, place === "head"), lines);
}

function choiceColumns(choice: ReportChoice, about: ReportMetric, isHead: boolean): ColumnOf<Line>[] {
  const { ranks, intervals, race } = choice;
  const passes = passesOf(choice, about);
  const worst = worstPlaces(choice, about);
  return [
    { title: "configuration", kind: "name", cell: ({ target }) => ({ target }) },
    ...(isHead ? [] : [bestColumn(choice)]),
    { title: { name: about.name }, ...(!isHead && { kind: "number" }), cell: ({ mean }) => columnFigure(mean, about) },
    isHead ? trailColumn(about) : besideColumn(choice, about),
    ...(race === undefined ? [] : [countedColumn(race)]),
    ...(isHead || race !== undefined ? [] : [placeColumn(ranks)]),
    ...(passes === null ? [] : [{ title: "passes", kind: "number" as const, drop: 2, cell: passes }]),
    ...(intervals.every(({ cost }) => cost === null)
      ? []
      : [
          {
            title: "cost",
            about: `Mean cost of a run${isHead ? "" : " with its 95 % range"}, ${priceUnit}`,
            kind: "number" as const,
            cell: ({ cost, costRange }: Line) => withRange(cost, isHead ? null : costRange, price),
          },
        ]),
    ...(intervals.every(({ time }) => time === null)
      ? []
      : [
          {
            title: "time",
            about: `Mean time of an answered run${isHead ? "" : " with its 95 % range"}`,
            kind: "number" as const,
            drop: 1,
            cell: ({ time, timeRange }: Line) => withRange(time, isHead ? null : timeRange, duration),
          },
        ]),
    ...(isHead ? [] : frontColumn(choice)),
    ...(worst.size === 0 ? [] : [{ title: "worst place", cell: ({ target }: Line) => worst.get(target) ?? "-" }]),
  ];
}

function bestColumn({ set, named, open, race }: ReportChoice): ColumnOf<Line> {
  return {
    title: "may be the best",
    short: "best",
    cell: ({ target }) =>
      open !== null
        ? "–"
        : target === named
          ? { strong: "yes" }
          : target === race?.closeEnough
            ? { strong: "close enough" }
            : set.includes(target)
              ? "may be"
              : "behind",
  };
}

function trailColumn(about: ReportMetric): ColumnOf<Line> {
  return {
    title: `may trail the best other by up to${about.passes ? " (points)" : ""}`,
    short: about.passes ? "may trail, points" : "may trail best by",
    kind: "number",
    cell: ({ lower }) => {
      if (lower === null) return "–";
      const trail = Math.max(0, -lower);
      return about.passes ? decimal(trail * 100, 1) : loss(trail, about);
    },
  };
}

function besideColumn({ open }: ReportChoice, about: ReportMetric): ColumnOf<Line> {
  return {
    title: "beside the best of the others, all with 95 %",
    short: "beside the best other",
    kind: "range",
    cell: ({ lower, upper }) =>
      open !== null || lower === null || upper === null ? "–" : changeRange({ lower, upper }, about),
  };
}

/** `27 of 600`: the rows of a race that each was asked. */
function countedColumn({ dropped, after, of }: ReportRace): ColumnOf<Line> {
  const before = new Map(dropped.map((each) => [each.target, each.after]));
  return {
    title: "counted",
    about:
      "Rows that count for it: those before it left the race, by which its rate is too low: drops come after bad luck",
    kind: "number",
    cell: ({ target }) => `${number(before.get(target) ?? after ?? of)} of ${number(of)}`,
  };
}

/** The places that each may have. */
function placeColumn(ranks: ReportChoice["ranks"]): ColumnOf<Line> {
  return {
    title: "place",
    kind: "number",
    drop: 2,
    cell({ target }) {
      const rank = ranks.find((each) => each.target === target);
      if (rank === undefined) return "–";
      return rank.first === rank.last ? String(rank.first) : `${rank.first} to ${rank.last}`;
    },
  };
}

/** Where nothing is priced, time is what is spent. */
function frontColumn({ fronts }: ReportChoice): ColumnOf<Line>[] {
  const front = fronts.find(({ by }) => by === "cost") ?? fronts.find(({ by }) => by === "time");
  if (front === undefined) return [];
  const [title, short, dearer, cheaper] =
    front.by === "cost"
      ? ["best for its price", "for price", "dearer", "cheaper"]
      : ["best for its speed", "for speed", "slower", "faster"];
  return [
    {
      title,
      short,
      about: `yes: each other one is surely worse or surely ${dearer}; no: one is surely better and surely ${cheaper} (all of this at once with 95 %)`,
      drop: 3,
      cell({ target }) {
        const own = front.targets.find((each) => each.target === target);
        if (own === undefined) return "–";
        if (own.state === "open") return "may be";
        if (own.state === "yes") return "yes";
        return own.beatenBy === null ? "no" : { text: ["no, ", { target: own.beatenBy }], short: "no" };
      },
    },
  ];
}

/** Words on the rows that pass, of those that all were asked; null where a row has several runs, or no rate is counted over all rows. */
function passesOf({ cases, intervals, race }: ReportChoice, about: ReportMetric): ((line: Line) => string) | null {
  const counts = intervals.map(({ mean }) => (mean ?? 0) * cases);
  const isCounted = counts.every((count) => Math.abs(count - Math.round(count)) < 1e-6);
  if (!about.passes || race !== undefined || cases === 0 || !isCounted) return null;
  return ({ mean }) => (mean === null ? "–" : `${number(Math.round(mean * cases))} of ${number(cases)}`);
}

/** The value of a tag in which each is surely worse than elsewhere, beside the others: the lowest. */
function worstPlaces({ slices, intervals }: ReportChoice, about: ReportMetric): Map<string, string> {
  const found = new Map<string, string>();
  for (const [at, { target, mean }] of intervals.entries()) {
    const cells = (slices?.lines ?? []).flatMap(({ slice, cells: own }) => {
      const { mark, mean: here = Infinity } = own[at] ?? {};
      const isLower = here < (mean ?? 0) - 1e-9;
      return slice === null || mark !== "worse" || !isLower ? [] : [{ name: sliceWords(slice), mean: here }];
    });
    const [lowest] = cells.toSorted((one, other) => one.mean - other.mean);
    if (lowest !== undefined) found.set(target, `${lowest.name}: ${columnFigure(lowest.mean, about)}`);
  }
  return found;
}

/** `0.8`, and where there is room `0.8 (0.7 to 0.9)`. */
function withRange(
  value: number | null,
  range: { lower: number; upper: number } | null,
  say: (value: number) => string,
): Phrase | DocCell {
  if (value === null) return "–";
  const [own, lower, upper] = [say(value), say(range?.lower ?? value), say(range?.upper ?? value)];
  return lower === own && upper === own ? own : { text: `${own} (${lower} to ${upper})`, short: own };
}
