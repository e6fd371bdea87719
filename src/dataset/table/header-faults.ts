import { showText } from "../../lib/show.ts";
import type { NewFinding } from "../finding.ts";

/** A sheet has no more columns than this: some work on a row grows with the square of them, and a stranger can write any number. */
export const mostColumns = 2_000;

/** The fault of a sheet with more columns than that; null: it has no more. */
export function widthFault(columns: number, file: string): NewFinding | null {
  if (columns <= mostColumns) return null;
  const message = `the file has more than ${mostColumns} columns`;
  const hint = "Keep the columns that the suite names; members of JSON objects count as columns.";
  return { kind: "header", file, row: null, line: 1, message, hint };
}

/** Faults that keep a header from being used: names that stand twice, or that cannot be. */
export function headerFaults(header: readonly string[], file: string): NewFinding[] {
  const faults: NewFinding[] = [];
  const place = { kind: "header", file, row: null, line: 1 };
  const first = new Map<string, number>();
  for (const [i, name] of header.entries()) {
    const before = first.get(name);
    if (before === undefined) first.set(name, i);
    else {
      const message = `the columns ${before + 1} and ${i + 1} are both named ${showText(name)}`;
      faults.push({ ...place, column: name, message, hint: "Rename one of them." });
    }
    if (name === "__proto__") {
      faults.push({ ...place, column: name, message: `a column must not be named ${name}`, hint: "Rename it." });
    }
  }
  return faults;
}
