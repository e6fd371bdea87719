import type { ReportChoice } from "../shape/choice.ts";
import type { DocTable } from "../shape/doc.ts";
import type { ReportMetric, ReportSummary } from "../shape/model.ts";
import { difference, scoreFigure } from "../words/figures.ts";
import { duration, number, price, priceUnit, timeHeads } from "../words/quantity.ts";
import { type ColumnOf, tableOf } from "./table.ts";

type Line = ReportChoice["intervals"][number];

/** The configurations that are chosen among, the highest first; null: nothing is chosen. */
export function choiceTable(summary: ReportSummary): DocTable | null {
  const { choice, metrics } = summary;
  const about = metrics.find(({ name }) => name === choice?.metric);
  if (choice === undefined || about === undefined) return null;
  const way = about.lowerIsBetter && !about.passes ? 1 : -1;
  const lines = choice.intervals
    .toSorted((one, other) => way * ((one.mean ?? 0) - (other.mean ?? 0)))
    .map((of) => ({ key: of.target, of }));
  return tableOf({ name: "Choice", noun: "configuration" }, choiceColumns(choice, about, summary), lines);
}

function choiceColumns(choice: ReportChoice, about: ReportMetric, { targets }: ReportSummary): ColumnOf<Line>[] {
  const { set, named, ranks, open, intervals, race } = choice;
  const droppedAfter = new Map((race?.dropped ?? []).map(({ target, after }) => [target, after]));
  const isCosted = intervals.some(({ cost }) => cost !== null);
  const medianOf = (target: string): number | null => targets.find(({ name }) => name === target)?.latency?.p50 ?? null;
  const isTimed = intervals.some(({ target }) => medianOf(target) !== null);
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
          : `${difference(lower, about, false)} to ${difference(upper, about, false)}`,
    },
    ...(race === undefined ? [placeColumn(ranks)] : [droppedColumn(droppedAfter, race.of)]),
    ...(isCosted
      ? [
          {
            title: "cost of a run",
            short: "cost",
            about: `Cost ${priceUnit}`,
            kind: "number" as const,
            cell: ({ cost }: Line) => (cost === null ? "–" : price(cost)),
          },
        ]
      : []),
    ...(isTimed
      ? [
          {
            title: timeHeads.median,
            kind: "number" as const,
            drop: 1,
            cell({ target }: Line) {
              const median = medianOf(target);
              return median === null ? "–" : duration(median);
            },
          },
        ]
      : []),
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
      "The rate of one that was dropped is that so far: of the cases before, and too low, because drops come after bad luck",
    cell({ target }) {
      const after = droppedAfter.get(target);
      return after === undefined ? "–" : `${number(after)} of ${number(of)}`;
    },
  };
}
