import { byMean } from "../model/choice-order.ts";
import type { ReportChoice } from "../shape/choice.ts";
import type { DocCell, DocTable, Phrase } from "../shape/doc.ts";
import type { ReportMetric, ReportSummary } from "../shape/model.ts";
import { changeRange, scoreFigure } from "../say/figures.ts";
import { duration, number, price, priceUnit } from "../say/quantity.ts";
import { type ColumnOf, tableOf } from "./table.ts";

type Line = ReportChoice["intervals"][number];

/** The configurations that are chosen among, the highest first; null: nothing is chosen. */
export function choiceTable(summary: ReportSummary): DocTable | null {
  const { choice, metrics } = summary;
  const about = metrics.find(({ name }) => name === choice?.metric);
  if (choice === undefined || about === undefined) return null;
  const lines = byMean(choice, about).map((of) => ({ key: of.target, of }));
  return tableOf({ name: "Choice", noun: "configuration" }, choiceColumns(choice, about), lines);
}

function choiceColumns(choice: ReportChoice, about: ReportMetric): ColumnOf<Line>[] {
  const { set, named, ranks, open, intervals, fronts, race } = choice;
  const droppedAfter = new Map((race?.dropped ?? []).map(({ target, after }) => [target, after]));
  const isCosted = intervals.some(({ cost }) => cost !== null);
  const isTimed = intervals.some(({ time }) => time !== null);
  // Where nothing is priced, time is what is spent.
  const front = fronts.find(({ by }) => by === "cost") ?? fronts.find(({ by }) => by === "time");
  return [
    { title: "configuration", kind: "name", cell: ({ target }) => ({ target }) },
    {
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
    },
    { title: { name: about.name }, kind: "number", cell: ({ mean }) => scoreFigure(mean, about) },
    {
      title: "beside the best of the others, all with 95 %",
      short: "beside the best other",
      kind: "range",
      cell: ({ target, lower, upper }) =>
        open !== null || (droppedAfter.has(target) && lower === null)
          ? "–"
          : lower === null || upper === null
            ? "–"
            : changeRange({ lower, upper }, about),
    },
    ...(race === undefined ? [placeColumn(ranks)] : [droppedColumn(droppedAfter, race.of)]),
    ...(isCosted
      ? [
          {
            title: "cost of a run",
            short: "cost",
            about: `Mean cost of a run with its 95 % range, ${priceUnit}`,
            kind: "number" as const,
            cell: ({ cost, costRange }: Line) => withRange(cost, costRange, price),
          },
        ]
      : []),
    ...(isTimed
      ? [
          {
            title: "mean time",
            about: "Mean time of an answered run with its 95 % range",
            kind: "number" as const,
            drop: 1,
            cell: ({ time, timeRange }: Line) => withRange(time, timeRange, duration),
          },
        ]
      : []),
    ...(front === undefined
      ? []
      : [
          {
            title: front.by === "cost" ? "best for its price" : "best for its speed",
            short: front.by === "cost" ? "for price" : "for speed",
            about: `yes: each other one is surely worse or surely ${front.by === "cost" ? "dearer" : "slower"}; no: one is surely better and surely ${front.by === "cost" ? "cheaper" : "faster"} (all of this at once with 95 %)`,
            drop: 3,
            cell({ target }: Line): Phrase | DocCell {
              const own = front.targets.find((each) => each.target === target);
              if (own === undefined) return "–";
              if (own.state === "open") return "may be";
              if (own.state === "yes") return "yes";
              return own.beatenBy === null ? "no" : { text: ["no, ", { target: own.beatenBy }], short: "no" };
            },
          },
        ]),
  ];
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

/** The cases after which a race dropped each: `120 of 1,000`; its rate is of these alone. */
function droppedColumn(droppedAfter: ReadonlyMap<string, number>, of: number): ColumnOf<Line> {
  return {
    title: "dropped after",
    short: "dropped",
    about:
      "The rate of one that was dropped is that so far: of the rows before, and too low, because drops come after bad luck",
    cell({ target }) {
      const after = droppedAfter.get(target);
      return after === undefined ? "–" : `${number(after)} of ${number(of)}`;
    },
  };
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
