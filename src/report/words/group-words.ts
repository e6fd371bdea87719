import type { RowGroup } from "../shape/row-group.ts";
import { flipWords } from "./flip-words.ts";

const turns: ReadonlyMap<string, string> = new Map([
  ...Object.entries(flipWords),
  ["within-noise", "varies as the baseline does"],
]);

/** A group of rows for a reader: `prod, run-failed: no model #`, where # stands for any number or id. */
export function groupWords(group: RowGroup): string {
  const [kind = "", first = "", second = "", third = "", range = "", other = "", , otherRange = ""] = group;
  switch (kind) {
    case "error":
      return `${first}, ${second}: ${third}`;
    case "outcome":
      return `${first}: ${second.replaceAll(/[-_]/g, " ")}`;
    case "ungraded":
      return `${first}: no grade of ${second}`;
    case "change":
    case "flip":
      return turns.get(first) ?? first.replaceAll("-", " ");
    case "field":
      return `${first} differs`;
    case "score":
      return `${first}: ${second} ${range}`;
    case "scores":
      return `${first}: ${second} ${range}, ${other} ${otherRange}`;
    case "said":
      return `newly failing, ${first} says: ${second}`;
    case "nobody":
      return `pass with none by ${first}`;
    case "paired":
      return `compared by ${first}`;
    case "metric":
      return `${first} ${second}`;
    default:
      return [kind, first].join(" ");
  }
}
