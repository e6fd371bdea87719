import type { JsonObject } from "../../src/lib/json.ts";
import { type KeyRow, keyRows } from "./tables.ts";

/** Members that most programs read: each of theirs has a line. */
const readMost = ["verdict", "targets[]", "gates[]"];

/** The members of `report.json` as Markdown, and those within the ones that programs read most. */
export function reportMembers(schema: JsonObject): string {
  const rows = keyRows(schema);
  const within = (path: string): string[] => rows.filter((row) => parentOf(row.path) === path).map(memberLine);
  return [...within(""), ...readMost.flatMap((path) => ["", `### ${path}`, "", ...within(path)])].join("\n");
}

/** The path of the member that holds another, with `[]` where it is a list; empty at the top. */
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf(".")));

const nameOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** A member with its first sentence; the others, and when it is null or left out, stand in the schema alone. */
function memberLine({ path, type, about }: KeyRow): string {
  const [first = ""] = about.replaceAll(/[;.] (?:left out|null)\b[^;.]*(?=[;.]|$)/gi, "").split(/(?<=\.) (?=[A-Z])/);
  return `- \`${nameOf(path)}\` (${type})${first === "" ? "" : `: ${first}`}`;
}
