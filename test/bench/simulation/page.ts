import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const page = join(import.meta.dirname, "../../../docs/reference/simulations.md");
const end = "<!-- end -->";

/** The command that makes the table of a part. */
const commandOf = (part: string): string => `npm run bench -- --simulate --only ${part} --write`;

/** The parts that have a place in docs/reference/simulations.md, in its order. */
export function placedParts(): string[] {
  const marks = readFileSync(page, "utf8").matchAll(/<!-- simulated: (.*) -->/g);
  return Array.from(marks, ([, command = ""]) => / --only (\S+) --write$/.exec(command)?.[1] ?? command);
}

/** Puts a table into docs/reference/simulations.md, behind the mark that names the command which makes it. */
export function writeTable(part: string, table: string): void {
  const text = readFileSync(page, "utf8");
  const begin = `<!-- simulated: ${commandOf(part)} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${page} has no place for the table: ${begin} ... ${end}`);
  writeFileSync(page, `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`);
}
