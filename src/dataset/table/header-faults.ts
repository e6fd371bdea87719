import { showText } from "../../lib/show.ts";
import type { NewFinding } from "../finding.ts";

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
