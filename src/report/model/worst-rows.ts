import { type SliceName, valuesOf } from "../../compare/slice-name.ts";
import { subjectOfHeadline } from "../shape/findings.ts";
import type { ReportChange, ReportRow, ReportSummary } from "../shape/model.ts";
import { frameOf, type Reporter, type ReportFrame } from "../shape/reporter.ts";
import { rankOf } from "./row-figures.ts";

/** A row that a person should look at, as one candidate has it. */
export interface WorstRow {
  row: ReportRow;
  change: ReportChange;
  /** Place of the change in the row. */
  pair: number;
}

/** Collects the rows that a person should look at first, the same as the page shows first. */
export interface WorstRows {
  /** True when a row of this rank would be kept: rows need not be made for nothing. */
  wants: (rank: number) => boolean;
  add: (row: ReportRow) => void;
  rows: () => WorstRow[];
}

/**
 * Collects rows of all candidates together, at most `most`: those that became worse or changed beyond the baseline's
 * own variation, the worst first.
 */
export function worstRows(most: number): WorstRows {
  let kept: (WorstRow & { rank: number })[] = [];
  const wants = (rank: number): boolean => rank >= 1 && (kept.length < most || rank > (kept.at(-1)?.rank ?? 0));
  return {
    wants,
    add(row) {
      for (const [pair, change] of row.changes.entries()) {
        const rank = rankOf(change);
        if (!wants(rank)) continue;
        // The earlier of two alike stays before the later.
        const place = kept.findIndex((other) => other.rank < rank);
        kept.splice(place === -1 ? kept.length : place, 0, { row, change, pair, rank });
        if (kept.length > most) kept = kept.slice(0, most);
      }
    },
    rows: () => kept.map(({ row, change, pair }) => ({ row, change, pair })),
  };
}

/** A reporter that collects the rows to look at, and writes all of its text at the end. */
export function worstRowsReporter(
  most: number,
  rest: (rows: () => WorstRow[]) => Pick<Reporter, "end" | "rest">,
): Reporter {
  const worst = worstRows(most);
  return {
    start: "",
    wants: ({ rank }) => worst.wants(rank),
    add(row) {
      worst.add(row);
      return "";
    },
    ...rest(worst.rows),
  };
}

/**
 * The rows that stand below a result: those of the candidate that the headline is about, one of each place that is named first; of
 * scores those that lost most.
 */
export function rowsToShow(worst: readonly WorstRow[], summary: ReportSummary, most: number): WorstRow[] {
  const { findings, metrics, targets, verdict } = summary;
  const { headline } = findings;
  // Each error stands once, in a list of its own, where data are not complete.
  if (headline.kind === "interrupted" || headline.kind === "choice") return [];
  if (verdict.state === "invalid" && targets.some(({ errors }) => errors.length > 0)) return [];
  const frame = frameOf(summary);
  const told = subjectOfHeadline(headline);
  const own = told === null ? worst : worst.filter(({ change }) => change.candidate === told.candidate);
  const rows = own.length > 0 ? own : worst;
  const lossOf = (row: WorstRow): number => scoreChange(row, frame) ?? 0;
  const isScored = rows.some((row) => scoreChange(row, frame) !== null);
  const sign = metrics[0]?.lowerIsBetter === true ? -1 : 1;
  const turned = isScored ? rows.filter((row) => lossOf(row) !== 0) : rows;
  const sorted = isScored ? turned.toSorted((one, other) => sign * (lossOf(one) - lossOf(other))) : turned;
  const firsts = placesIn(summary).flatMap((place) => sorted.find((row) => isOf(row, place)) ?? []);
  return [...new Set([...firsts, ...sorted])].slice(0, most);
}

/** A slice, and the candidate that is worse in it. */
type PlaceOf = SliceName & { candidate: string };

/** The places that the headline and the lines below it name. */
function placesIn({ findings: { headline, facts } }: ReportSummary): PlaceOf[] {
  const candidate = subjectOfHeadline(headline)?.candidate;
  const told =
    "place" in headline && headline.place !== null && candidate !== undefined ? [{ ...headline.place, candidate }] : [];
  const named = facts.flatMap((fact) =>
    fact.kind === "where" ? fact.places.map((place) => ({ ...place, candidate: fact.candidate })) : [],
  );
  return [...told, ...named];
}

const isOf = ({ row, change }: WorstRow, place: PlaceOf): boolean =>
  change.candidate === place.candidate &&
  change.trend === "worse" &&
  valuesOf(place).every(({ tag, value }) => row.tags[tag] === value);

/** The place that a row is of; null: none that is named. */
export const placeOfRow = (worst: WorstRow, summary: ReportSummary): SliceName | null =>
  placesIn(summary).find((place) => isOf(worst, place)) ?? null;

/** Candidate minus baseline by the first metric where that is a score; null: it passes or fails, or one side has none. */
export function scoreChange({ row, pair }: WorstRow, { metrics, pairs, targets }: ReportFrame): number | null {
  const [primary] = metrics;
  const sides = pairs[pair];
  if (primary === undefined || primary.passes || sides === undefined) return null;
  const [before, after] = [sides.baseline, sides.candidate].map(
    (name) => row.sides[targets.indexOf(name)]?.scores[0]?.value ?? null,
  );
  return before === null || before === undefined || after === null || after === undefined ? null : after - before;
}
