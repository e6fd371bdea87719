import { sqlDialects } from "../text/sql-dialects.ts";
import { type Part, partScorer, type ScorerKit } from "./part.ts";

/** A scorer that says whether an answer is SQL of a database, and what it touches. */
export const sqlPart = {
  name: "sql",
  scorers: [
    partScorer(
      ({ z, selectionKeys, notKey }: ScorerKit) => {
        const permissions = z.array(z.string().min(1));
        return {
          ...selectionKeys,
          within: z
            .boolean()
            .default(false)
            .describe(
              "Enough when one code fence of the text is SQL; without a fence the whole text counts. Default: false.",
            ),
          database: z.enum(sqlDialects).default("mysql").describe("The database whose SQL it is. Default: mysql."),
          tables: permissions
            .optional()
            .describe(
              "What the statements may do with which tables, as regular expressions of the whole of select::DATABASE::TABLE (or update, delete, insert ...; null where none is named). Default: anything.",
            ),
          columns: permissions
            .optional()
            .describe(
              "The same for columns, as select::TABLE::COLUMN; a star in a statement is (.*). Default: anything.",
            ),
          not: notKey,
        };
      },
      {
        type: "is-sql",
        family: "plain",
        about:
          "The text is SQL: statements that the grammar of a database takes. Nothing is run. More than 10,000 characters, or what is not read within five seconds, is unscored. It needs a package of 89 MB that is not installed with tandem: `npm install node-sql-parser@5.4.0`.",
        packages: ["node-sql-parser"],
        faults: ({ tables = [], columns = [] }, { patternFaults }) =>
          Object.entries({ tables, columns }).flatMap(([key, patterns]) =>
            patterns.flatMap((pattern) => patternFaults(key, `^(?:${pattern})$`, "i")),
          ),
        examples: [
          { about: "a statement", scorer: {}, answer: "select name from shops where city = 'Paris'", score: "passes" },
          { about: "no statement", scorer: {}, answer: "select from where", score: "fails" },
          {
            about: "in a code fence, when asked",
            scorer: { within: true, database: "postgresql" },
            answer: "Try this:\n```sql\nSELECT now()::date\n```",
            score: "passes",
          },
          {
            about: "a table that it may not touch",
            scorer: { tables: ["select::null::shops"] },
            answer: "delete from shops",
            score: "fails",
          },
        ],
        load: async () => (await import("../score/checks/sql.ts")).sqlScorer,
      },
    ),
  ],
} satisfies Part;
