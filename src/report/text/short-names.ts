import { displayWidth, fit, fitEnd } from "./width.ts";

/**
 * Names cut to a width each. They keep their ends, unless two that are different would then look the same: names of a matrix
 * (`gpt:temperature=0.5:formal`) lose what all have in common and the names of their values first, then the longest part is cut.
 * `among` are all names there are, where some of them are not shown.
 */
export function shortNames(names: readonly string[], widths: readonly number[], among = names): string[] {
  const cut = names.map((name, place) => fitEnd(name, widths[place] ?? 0));
  if (areApart(names, cut)) return cut;
  const parts = names.map(partsOf);
  const all = among.map(partsOf);
  const own = parts.map((each) =>
    each.filter((part, at) => all.some((other) => other.length !== each.length || other[at] !== part)),
  );
  const short = own.map((each, place) => joinedWithin(each, widths[place] ?? 0));
  return areApart(names, short) ? short : cut;
}

/** The values in the name of a matrix: `gpt`, `0.5`, `formal`. */
const partsOf = (name: string): string[] => name.split(":").map((part) => part.slice(part.indexOf("=") + 1));

/** True where names that are different still are. */
const areApart = (names: readonly string[], cut: readonly string[]): boolean =>
  new Set(cut).size === new Set(names).size;

/** The least width of a part that is cut: a sign and an ellipsis. */
const leastPart = 2;

function joinedWithin(parts: readonly string[], width: number): string {
  const widths = parts.map(displayWidth);
  const whole = (): number => widths.reduce((sum, each) => sum + each + 1, -1);
  while (whole() > width) {
    const widest = widths.lastIndexOf(Math.max(...widths));
    const own = widths[widest] ?? 0;
    if (own <= leastPart) break;
    widths[widest] = own - 1;
  }
  return fit(parts.map((part, place) => fit(part, widths[place] ?? 0)).join(":"), width);
}
