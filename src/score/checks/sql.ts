import { z } from "zod";
import { guardedPattern } from "../../text/pattern.ts";
import { sqlDialects } from "../../text/sql-dialects.ts";
import { readSql, sqlBlocks, type ReadSql } from "../../text/sql.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey, passScale, verdict } from "../contract/finding.ts";
import { nameOf, selectionKeys, textReader } from "../contract/text-selection.ts";
import type { Answer, OptionFault, Score, Unscored } from "../contract/scorer.ts";
import { patternFaults } from "./regex.ts";

const permissions = z.array(z.string().min(1));

const keys = {
  ...selectionKeys,
  within: z
    .boolean()
    .default(false)
    .describe("Enough when one code fence of the text is SQL; without a fence the whole text counts. Default: false."),
  database: z.enum(sqlDialects).default("mysql").describe("The database whose SQL it is. Default: mysql."),
  tables: permissions
    .optional()
    .describe(
      "What the statements may do with which tables, as regular expressions of the whole of select::DATABASE::TABLE (or update, delete, insert ...; null where none is named). Default: anything.",
    ),
  columns: permissions
    .optional()
    .describe("The same for columns, as select::TABLE::COLUMN; a star in a statement is (.*). Default: anything."),
  not: notKey,
};
type Options = z.output<z.ZodObject<typeof keys>>;

export const sqlScorers = [
  defineScorer({
    type: "is-sql",
    family: "plain",
    about:
      "The text is SQL: statements that the grammar of a database takes. Nothing is run. More than 10,000 characters, or what is not read within five seconds, is unscored.",
    keys,
    faults: ({ tables = [], columns = [] }) => [
      ...permissionFaults("tables", tables),
      ...permissionFaults("columns", columns),
    ],
    examples: [
      {
        about: "a statement",
        scorer: {},
        answer: "select name from shops where city = 'Paris'",
        score: { value: 1, pass: true },
      },
      { about: "no statement", scorer: {}, answer: "select from where", score: { value: 0, pass: false } },
      {
        about: "in a code fence, when asked",
        scorer: { within: true, database: "postgresql" },
        answer: "Try this:\n```sql\nSELECT now()::date\n```",
        score: { value: 1, pass: true },
      },
      {
        about: "a table that it may not touch",
        scorer: { tables: ["select::null::shops"] },
        answer: "delete from shops",
        score: { value: 0, pass: false },
      },
    ],
    metric: () => passScale,
    make: (options) => ({ kind: "pure", grade: sqlGrade(options) }),
  }),
];

function permissionFaults(key: string, patterns: readonly string[]): OptionFault[] {
  return patterns.flatMap((pattern) => patternFaults(key, `^(?:${pattern})$`, "i"));
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
