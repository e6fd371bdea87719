import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Figure } from "./figure.ts";

const measuredFigure = z.strictObject({
  name: z.string(),
  reach: z.string(),
  aim: z.string(),
  measured: z.string(),
  reached: z.boolean().nullable(),
  /** The day and the machine. */
  on: z.string(),
  guard: z.strictObject({ value: z.number(), more: z.boolean(), tolerance: z.number() }).optional(),
});

/** A figure as it was measured last, on a day and a machine. */
export type MeasuredFigure = z.infer<typeof measuredFigure>;

const figuresFile = join(import.meta.dirname, "measured.json");
const page = join(import.meta.dirname, "../../docs/reference/performance.md");
const [begin, end] = ["<!-- measured -->", "<!-- end of measured -->"];
const between = new RegExp(`${begin}\\n([^]*)\\n${end}`);

/** The figures of docs/reference/performance.md: the one list of them. */
export function measuredFigures(): MeasuredFigure[] {
  return z.array(measuredFigure).parse(JSON.parse(readFileSync(figuresFile, "utf8")));
}

/** The list with those in it that were measured now; what is new stands behind the one before it. */
export function withMeasured(known: readonly MeasuredFigure[], now: readonly Figure[], on: string): MeasuredFigure[] {
  const list = [...known];
  let place = list.length;
  for (const figure of now) {
    const found = list.findIndex(({ name }) => name === figure.name);
    // A figure that could not be measured leaves the one of before.
    if (found !== -1 && figure.reached === null && figure.measured.startsWith("not measured")) continue;
    if (found === -1) list.splice(place, 0, { ...figure, on });
    else list[found] = { ...figure, on };
    place = (found === -1 ? place : found) + 1;
  }
  return list;
}

/** Keeps the list, and writes it into the page; what stands around it there stays. */
export function keepMeasured(figures: readonly MeasuredFigure[]): void {
  writeFileSync(figuresFile, `${JSON.stringify(figures, null, 2)}\n`);
  const table = figureTable(figures);
  writeFileSync(
    page,
    readFileSync(page, "utf8").replace(between, () => `${begin}\n${table}\n${end}`),
  );
}

/** The table that stands in the page. */
export const writtenTable = (): string => between.exec(readFileSync(page, "utf8"))?.[1] ?? "";

/** Figures as a Markdown table; with the day on which each was measured where they have one. */
export function figureTable(figures: readonly (Figure & { on?: string })[]): string {
  const isDated = figures.some(({ on }) => on !== undefined);
  const line = (cells: readonly string[]): string => ["", ...cells, ""].join(" | ").trim();
  const word = (reached: boolean | null): string => (reached === null ? "" : reached ? "yes" : "**no**");
  const titles = ["figure", "reach", ...(isDated ? [] : ["aim"]), "measured", "reached", ...(isDated ? ["on"] : [])];
  return [
    line(titles),
    line(titles.map(() => "---")),
    ...figures.map(({ name, reach, aim, measured, reached, on = "" }) =>
      line([name, reach, ...(isDated ? [] : [aim]), measured, word(reached), ...(isDated ? [on] : [])]),
    ),
  ].join("\n");
}

/** A sentence for each ratio that is worse than it was by more than its tolerance. */
export function worseThanBefore(before: readonly MeasuredFigure[], now: readonly Figure[]): string[] {
  return now.flatMap(({ name, guard }) => {
    const known = before.find((each) => each.name === name)?.guard;
    if (guard === undefined || known === undefined) return [];
    const limit = guard.more ? known.value * (1 - guard.tolerance) : known.value * (1 + guard.tolerance);
    const isWorse = guard.more ? guard.value < limit : guard.value > limit;
    const side = guard.more ? "least" : "most";
    return isWorse ? [`${name}: ${guard.value}, where it was ${known.value} (at the ${side} ${limit.toFixed(3)})`] : [];
  });
}
