import Database from "better-sqlite3";
import type { SeenStatement } from "./watched-statements.ts";

/** Tables with a row for each case, request or score: the file may have millions of them, of which a batch has few. */
export const large = new Set(["job", "attempt", "run_record", "case", "score", "asked", "question"]);

/** A step of the plan of a statement that reads more than the statement is about. */
export interface PlanFault {
  site: string;
  text: string;
  /** As SQLite tells it. */
  step: string;
}

/** The names under which a statement reads tables, each with its table: SQLite's plan tells the names alone. */
function tablesOf(text: string): Map<string, string> {
  const names = new Map<string, string>();
  const table = /(?:\b(?:FROM|JOIN|UPDATE|INTO)|,)\s+(?:\w+\.)?"?(\w+)"?(?:\s+AS\s+"?(\w+)"?)?/gi;
  for (const [, name = "", alias = name] of text.matchAll(table)) names.set(alias, name);
  return names;
}

/** The steps of a plan that read more of a large table than they should; `isRepeated`: the statement is run for each of many rows. */
export function badSteps(text: string, steps: readonly string[], isRepeated: boolean): string[] {
  const names = tablesOf(text);
  return steps.filter((step) => {
    const [, how, name = "", rest = ""] = /^(SCAN|SEARCH) (?:\w+\.)?(\S+)(.*)$/.exec(step) ?? [];
    if (rest.includes("VIRTUAL TABLE") || !large.has(names.get(name) ?? name)) return false;
    return how === "SCAN" || !isNarrow(rest, isRepeated);
  });
}

/**
 * True for a search that an index narrows to rows of one batch; of a statement that is run for each of many rows, to some of
 * them: to read the batch each time would take as long as the batch is, squared.
 */
function isNarrow(search: string, isRepeated: boolean): boolean {
  // An index that is made for the statement takes a look at the whole table.
  if (search.includes("AUTOMATIC")) return false;
  const terms = (/\((.*)\)/.exec(search)?.[1] ?? "").split(" AND ");
  // A first column that is passed over: every value of it is tried.
  if (terms.some((term) => term.startsWith("ANY("))) return false;
  const isRange = [">?", "<?"].every((end) => terms.some((term) => term.endsWith(end)));
  const equal = terms.filter((term) => term.endsWith("=?"));
  if (equal.length === 0) return isRange && !isRepeated;
  return !isRepeated || isRange || equal.some((term) => !/^(?:batch_id|scoring_id)=/.test(term));
}

export interface Explained {
  statements: readonly SeenStatement[];
  /** Statements that are run so often within one piece of work are run for each of many rows. */
  often: number;
}

const makesTable = /^\s*CREATE TEMP TABLE(?: IF NOT EXISTS)?/;

/** The faults of the plans that SQLite makes for statements in a database as it is now. */
export function planFaults(path: string, { statements, often }: Explained): PlanFault[] {
  const db = new Database(path);
  const faultsOf = ({ text, site, given, looksUp, most }: SeenStatement): PlanFault[] => {
    db.pragma(`foreign_keys = ${looksUp ? "ON" : "OFF"}`);
    const plan = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...given);
    const steps = plan.map(({ detail }) => detail);
    return badSteps(text, steps, most >= often).map((step) => ({ site, text: text.replaceAll(/\s+/g, " "), step }));
  };
  try {
    // As a statement that copies a batch names the file that it is copied from.
    db.prepare("ATTACH ? AS source").run(path);
    const makers = statements.filter(({ text }) => makesTable.test(text));
    const faults = makers.flatMap(faultsOf);
    // The others read tables that a connection makes for itself.
    for (const { text, given } of makers)
      db.prepare(text.replace(makesTable, "CREATE TEMP TABLE IF NOT EXISTS")).run(...given);
    return [...faults, ...statements.filter((statement) => !makers.includes(statement)).flatMap(faultsOf)];
  } finally {
    db.close();
  }
}
