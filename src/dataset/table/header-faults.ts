import { showText } from "../../lib/show.ts";
import type { NewFinding } from "../finding.ts";

/** A sheet has no more columns than this: some work on a row grows with the square of them, and a stranger can write any number. */
export const mostColumns = 2_000;

/** Characters of a column's name: it is compared with many others, and stands in messages and tables. */
const longestName = 1_000;

/** The fault of a sheet with more columns than that, or with a name that is no name. */
export function boundsFault(header: readonly string[], file: string): NewFinding | null {
  const place = { kind: "header", file, row: null, line: 1 };
  if (header.length > mostColumns) {
    const message = `the file has more than ${mostColumns} columns`;
    return {
      ...place,
      message,
      hint: "Keep the columns that the suite names; members of JSON objects count as columns.",
    };
  }
  const long = header.find((name) => name.length > longestName);
  if (long === undefined) return null;
  const message = `the name of column ${header.indexOf(long) + 1}, ${showText(long)}, has ${long.length} characters; at most ${longestName} are taken`;
  return { ...place, message, hint: "Write a short name for each column in the first line, above the rows." };
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
