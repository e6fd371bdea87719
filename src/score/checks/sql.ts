import { guardedPattern } from "../../text/pattern.ts";
import type { SqlDialect } from "../../text/sql-dialects.ts";
import { readSql, sqlBlocks, type ReadSql } from "../../text/sql.ts";
import { verdict } from "../contract/finding.ts";
import { nameOf, textReader } from "../contract/text-selection.ts";
import type { Answer, PureScorer, Score, Unscored } from "../contract/scorer.ts";

interface Options {
  on?: string | undefined;
  clean: boolean;
  within: boolean;
  database: SqlDialect;
  tables?: string[] | undefined;
  columns?: string[] | undefined;
  not: boolean;
}

/** Makes a scorer that says whether a text is SQL, and whether that touches only what it may. */
export function sqlScorer(options: Options): PureScorer {
  return { kind: "pure", grade: sqlGrade(options) };
}

function sqlGrade(options: Options): (answer: Answer) => Score {
  const read = textReader(options);
  const what = nameOf(options.on);
  const isAllowed = permissionTest(options);
  return (answer) => {
    const text = read(answer) ?? "";
    const blocks = options.within ? sqlBlocks(text).filter((block) => block.trim() !== "") : [];
    let reason = "";
    for (const sql of blocks.length === 0 ? [text] : blocks) {
      const found = readSql(sql, options.database);
      if ("unread" in found) return { unscored: `${what}: ${found.unread}` };
      const fault = "fault" in found ? found.fault : isAllowed(found);
      if (fault === null) return verdict(true, options.not, `${what} is SQL of ${options.database}`);
      if (typeof fault !== "string") return fault;
      reason = fault;
    }
    return verdict(false, options.not, `${what}: ${reason}`);
  };
}

/** Says which table or column is not allowed; null when all are. */
function permissionTest({ tables, columns }: Options): (found: ReadSql) => string | Unscored | null {
  const tests = [
    { kind: "tables" as const, word: "the table", test: anyOf(tables) },
    { kind: "columns" as const, word: "the column", test: anyOf(columns?.flatMap(withoutTable)) },
  ];
  return (found) => {
    for (const { kind, word, test } of tests) {
      for (const name of found[kind]) {
        const holds = test(name);
        if (typeof holds !== "boolean") return holds;
        if (!holds) return `${word} ${name} is not allowed`;
      }
    }
    return null;
  };
}

/** A column whose table the statement leaves out counts as one of the table that is allowed. */
function withoutTable(pattern: string): string[] {
  const [action, table, column, ...rest] = pattern.split("::");
  return table === undefined || column === undefined || rest.length > 0 || table === "null"
    ? [pattern]
    : [pattern, `${action}::null::${column}`];
}

function anyOf(patterns: readonly string[] | undefined): (name: string) => boolean | Unscored {
  if (patterns === undefined) return () => true;
  const guarded = patterns.map((pattern) => guardedPattern(`^(?:${pattern})$`, "i"));
  return (name) => {
    for (const pattern of guarded) {
      const found = pattern.find(name);
      if (typeof found === "object" && found !== null)
        return { unscored: `a pattern of what is allowed: ${found.gaveUp}` };
      if (found !== null) return true;
    }
    return false;
  };
}
