import { didYouMean } from "../../lib/suggest.ts";

/**
 * Places of the columns that a name means: the one that has it; else with `*` for any letters all that are like it; else
 * those of every side, so that `verdict` is `test.verdict` where candidates have columns of their own. Empty: none.
 */
export function namedColumns(name: string, header: readonly string[]): number[] {
  const exact = header.indexOf(name);
  if (exact !== -1) return [exact];
  const pattern = name.includes("*") ? starred(name) : null;
  return header.flatMap((each, place) => ((pattern?.test(each) ?? each.endsWith(`.${name}`)) ? [place] : []));
}

function starred(name: string): RegExp {
  const parts = name.split("*").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "su");
}

const mostListed = 60;

/** Suggests columns for a name that none has. */
export function columnHint(name: string, header: readonly string[]): string {
  const more = header.length > mostListed ? `, ... (${header.length} in all)` : "";
  return didYouMean(name, header) ?? `Columns: ${header.slice(0, mostListed).join(", ")}${more}`;
}
