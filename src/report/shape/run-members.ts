import { costOf, type Price } from "../../api/price.ts";
import type { Usage } from "../../api/usage.ts";
import { latencyOf, type Run, usageOf } from "../../compare/cases/case-side.ts";
import { isFinished, isSound } from "../../compare/cases/side-outcome.ts";
import { attemptMs } from "../../lib/duration.ts";
import { type CsvColumn, jobColumnList, type jobColumns, type ShownMembers } from "../../store/results/columns.ts";

/** A run that was read. */
export type ReadRun = Pick<Run, "job" | "outcome" | "answer">;

/** A value of a run as it is shown. */
export type ShownValue = string | number | boolean | Usage | null;

export interface RunMember {
  about: string;
  of: (run: ReadRun, price: Price | null) => ShownValue;
  in: "page" | "json";
  csv?: CsvColumn;
  /** Nothing is written where it is null. */
  leftOut?: true;
}

/** The members of a run that are made of what is stored: a column of the same name is not shown as it is. */
export const madeMembers = {
  outcome: {
    about:
      "Kind of its answer for a run record, else the outcome of the job; `unfinished` without one. See outcomes.md.",
    of: ({ outcome }: ReadRun) => outcome,
    in: "json",
  },
  failed: {
    about: "It has no usable answer.",
    of: ({ outcome }: ReadRun) => isFinished(outcome) && !isSound(outcome),
    in: "page",
  },
  answer: {
    about: "Text of the answer.",
    of: ({ answer }: ReadRun) => answer,
    in: "json",
    csv: { at: 10, name: "output_text", type: "text" },
  },
  latencyMs: {
    about: "Milliseconds from the first byte sent to the last received.",
    of: ({ job }: ReadRun) => latencyOf(job),
    in: "json",
    csv: { at: 11, name: "latency_ms", type: "integer" },
  },
  firstMs: {
    about: "Time until its first words came; left out where nobody knows.",
    of: ({ job }: ReadRun) => attemptMs(job.sentAt, job.firstAt),
    in: "page",
    leftOut: true,
  },
  usage: {
    about: "Tokens that were read and written for it; left out where the service does not tell.",
    of: ({ job }: ReadRun) => usageOf(job),
    in: "page",
    leftOut: true,
  },
  cost: {
    about: "Left out without a price.",
    of: ({ job, outcome }: ReadRun, price: Price | null) =>
      outcome === "answered" ? costOf(price, usageOf(job)) : null,
    in: "page",
    leftOut: true,
  },
} as const satisfies Record<string, RunMember>;

type Made = typeof madeMembers;
type Stored = typeof jobColumns;

type MadeOf<One> = One extends { of: (...given: never[]) => infer Value } ? Value : never;

/** The members of a run in the page, by its columns. */
export type RunMembers = Omit<ShownMembers<Stored>, keyof Made> & {
  -readonly [Name in keyof Made as Made[Name] extends { leftOut: true } ? never : Name]: MadeOf<Made[Name]>;
} & {
  -readonly [Name in keyof Made as Made[Name] extends { leftOut: true } ? Name : never]?: NonNullable<
    MadeOf<Made[Name]>
  >;
};

type InJson<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends { in: "json" } ? Name : never;
}[keyof Columns];

/** The members that are in report.json too. */
export type JsonMember = InJson<Stored> | InJson<Made>;

type Member = Omit<RunMember, "about"> & { name: string };

const members: readonly Member[] = Object.entries<Omit<RunMember, "about">>({
  ...Object.fromEntries(
    jobColumnList.flatMap(({ name, column, of }) =>
      column.in === undefined ? [] : [[name, { of: ({ job }: ReadRun) => of(job), in: column.in }]],
    ),
  ),
  ...madeMembers,
}).map(([name, member]) => ({ name, ...member }));

/** Reads the members of a run. */
export function runMembers(run: ReadRun, price: Price | null): RunMembers;
export function runMembers(run: ReadRun, price: Price | null): Record<string, ShownValue> {
  const made: Record<string, ShownValue> = {};
  for (const { name, of, leftOut } of members) {
    const value = of(run, price);
    if (value !== null || leftOut !== true) made[name] = value;
  }
  return made;
}

const jsonNames = members.filter((member) => member.in === "json").map(({ name }) => name);

/** The members of a run that are in report.json. */
export function jsonMembers(run: RunMembers): Pick<RunMembers, JsonMember>;
export function jsonMembers(run: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(jsonNames.map((name) => [name, run[name]]));
}
