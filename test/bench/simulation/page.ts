import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const page = join(import.meta.dirname, "../../../docs/reference/statistics.md");
const end = "<!-- end -->";

/** Puts a table into docs/reference/statistics.md, behind the mark that names the command which makes it. */
export function writeTable(command: string, table: string): void {
  const text = readFileSync(page, "utf8");
  const begin = `<!-- simulated: ${command} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${page} has no place for the table: ${begin} ... ${end}`);
  writeFileSync(page, `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`);
}
