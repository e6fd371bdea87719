import { basename, resolve } from "node:path";
import { z } from "zod";
import { scaleFaults } from "../contract/bounds.ts";
import { defineScorer } from "../contract/define.ts";
import { passMark } from "../contract/said-grade.ts";
import type { Answer, Score } from "../contract/scorer.ts";
import { ownKeys, ownMetric } from "./own-answer.ts";
import { type FileGrades, readGrades } from "./grades-file.ts";

const keys = {
  file: z.string().regex(/\S/).describe("A CSV file with a header, relative to the suite."),
  key: z
    .string()
    .regex(/\S/)
    .default("id")
    .describe(
      "Its column with the keys of rows; every other column is named like a target, and has its grades. Default: id.",
    ),
  run: z
    .string()
    .regex(/\S/)
    .optional()
    .describe("Instead: its column with the ids of runs, which are of one answer each. Default: none."),
  grade: z.string().regex(/\S/).default("grade").describe("With `run`: its column with the grades. Default: grade."),
  scale: ownKeys.scale,
  threshold: z
    .number()
    .optional()
    .describe("An answer passes from this grade on. Default: the middle of the scale; unbounded: none, it measures."),
};
/** The keys of such an entry. */
export const gradeFileOptions = z.object(keys);
type Options = z.output<typeof gradeFileOptions>;

export const gradeFileScorers = [
  defineScorer({
    type: "from-file",
    family: "own",
    about:
      "Grades that were given elsewhere, such as by people in a spreadsheet. A grade is a number of the scale (0.5 or 0,5), or good or bad (also yes/no, pass/fail, 👍/👎). Grades by key are of the row's first run, whatever it answered: they suit answers that stay; those of `run` are of one answer.",
    runsCode: true,
    readsOnly: true,
    columns: () => [],
    keys,
    examples: [
      {
        about: "a column for each target",
        scorer: { file: "grades.csv" },
        files: { "grades.csv": "id,prod,test\nk1,good,0.8\n" },
        with: {
          case: { key: "k1" },
          target: "test",
        },
        answer: "Hello",
        score: { value: 0.8, pass: true },
      },
      {
        about: "a row without a grade",
        scorer: { file: "grades.csv" },
        files: { "grades.csv": "id;prod\nk9;0,5\n" },
        answer: "Hello",
        score: { unscored: true },
      },
    ],
    faults: ({ scale }) => (scale === "unbounded" ? [] : scaleFaults(scale)),
    metric: (options) => ownMetric({ ...options, options: {}, env: [], concurrency: 1 }),
    grade: (options, { trust }) => {
      if (trust === null)
        throw new Error("it reads a file, which only a suite file that is named in this command may do");
      const grades = readGrades(resolve(trust.folder, options.file), options);
      if ("message" in grades) throw new Error(`${grades.message}. ${grades.hint}`);
      return (answer) => gradeIn(grades, answer, options);
    },
  }),
];

function gradeIn({ rows }: FileGrades, { case: { key }, target, repeat, record }: Answer, options: Options): Score {
  const file = basename(options.file);
  if (options.run !== undefined) {
    const id = record?.id ?? null;
    const value = id === null ? undefined : rows.get(id)?.get(options.grade);
    return value === undefined
      ? notGraded(`${file} has no grade of run ${id ?? "(without an id)"}`)
      : graded(value, options);
  }
  if (repeat > 1) return notGraded(`the grade of ${file} is of the row's first run`);
  const row = rows.get(key);
  if (row === undefined) return notGraded(`${file} has no grade of this row`);
  const value = row.get(target);
  return value === undefined ? { unscored: `${file} has no grade of ${target} in this row` } : graded(value, options);
}

const notGraded = (unscored: string): Score => ({ unscored, lack: "row" });

function graded(value: number, options: Options): Score {
  const least = passMark(options);
  return { value, pass: least === null ? null : value >= least, reason: `${value} in ${basename(options.file)}` };
}
