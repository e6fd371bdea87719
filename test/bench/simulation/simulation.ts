import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Rate, simulate } from "./situation.ts";
import { situations } from "./situations.ts";

const page = join(import.meta.dirname, "../../../docs/reference/statistics.md");
const begin = "<!-- simulated: npm run bench -- --simulate --write -->";
const end = "<!-- end -->";

/**
 * `npm run bench -- --simulate`: how often the shipped gates and tests, and the rules that others use, speak up where
 * the truth is known. Fixed seeds; with --write the table of docs/reference/statistics.md is written anew.
 */
export function simulation({ write, note }: { write: boolean; note: (text: string) => void }): void {
  const rates = situations.flatMap((situation) => {
    note(`${situation.name}: ${situation.asks}`);
    return simulate(situation);
  });
  const table = tableOf(rates);
  process.stdout.write(`${table}\n`);
  if (write) writeFileSync(page, replaced(readFileSync(page, "utf8"), table));
  if (rates.some(({ kept }) => kept === false)) process.exitCode = 1;
}

function tableOf(rates: readonly Rate[]): string {
  const lines = rates.map(({ situation, rule, rate, chance, kept }, index) => {
    const first = rates[index - 1]?.situation !== situation;
    const share = `${(rate * 100).toFixed(1)} % ± ${(chance * 100).toFixed(1)}`;
    const said = kept === null ? "" : kept ? "yes" : "**no**";
    return `| ${first ? situation.name : ""} | ${first ? situation.asks : ""} | ${rule.trim()} | ${share} | ${said} |`;
  });
  return ["| data | what is counted | rule | share | as promised |", "| --- | --- | --- | --- | --- |", ...lines].join(
    "\n",
  );
}

function replaced(text: string, table: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for the table: ${begin} ... ${end}`);
  return `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`;
}
