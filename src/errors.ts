import { brief } from "./lib/show.ts";

/** Every exit code of the command, in one list. When several apply, the first of 130/143, 2, 3, 1, 4, 0 wins. */
export const exitCodes = {
  ok: { code: 0, meaning: "everything ran; no gate found a regression" },
  regression: {
    code: 1,
    meaning: "a regression, with --fail-on worse a sure loss, or an unfit judge",
  },
  usage: { code: 2, meaning: "usage, suite or dataset error; nothing was sent" },
  couldNotRun: {
    code: 3,
    meaning:
      "could not run to its end: deployment down, key refused, credits gone, a limit such as --budget, or a full disk",
  },
  invalid: {
    code: 4,
    meaning: "a run to its end whose comparison is invalid, or inconclusive with --fail-on inconclusive",
  },
  crash: { code: 70, meaning: "a fault in tandem itself; please report it with the stack" },
  interrupted: { code: 130, meaning: "interrupted by Ctrl-C; what was answered is kept" },
  terminated: { code: 143, meaning: "terminated by SIGTERM; what was answered is kept" },
} as const;

export type ExitName = keyof typeof exitCodes;

/** Verdicts that an exit code may count as failures beside a regression and an invalid comparison. */
export const failable = ["worse", "inconclusive"] as const;

/** Those of them that it does. */
export type FailOn = readonly (typeof failable)[number][];

/** Stable codes of all expected errors, with the exit code each leads to and what it means. */
export const errorCatalogue = {
  USAGE: { exit: "usage", about: "The command line could not be understood." },
  SUITE_NOT_FOUND: { exit: "usage", about: "The suite file does not exist or cannot be read." },
  SUITE_SYNTAX: { exit: "usage", about: "The suite file is not valid YAML." },
  SUITE_INVALID: {
    exit: "usage",
    about: "The suite file does not fit the schema; every fault is listed with its line.",
  },
  CODE_REFUSED: {
    exit: "usage",
    about:
      "A scorer runs code (a module, a command) that no suite file named in this command has, or --no-code is given.",
  },
  SCORER_FAILS: {
    exit: "usage",
    about: "A module or command of the suite can grade none of the sample answers that it is tried with before a run.",
  },
  ENV_MISSING: { exit: "usage", about: "A `${NAME}` in a base_url has no value and no default." },
  KEY_MISSING: { exit: "usage", about: "The environment variable that should hold an API key is not set." },
  KEY_INSECURE: { exit: "usage", about: "A key would go over plain http to a host that is not loopback." },
  DATASET_NOT_FOUND: { exit: "usage", about: "The dataset does not exist or cannot be read." },
  DATASET_INVALID: {
    exit: "usage",
    about: "The dataset has rows that cannot be sent; the first faults are listed with their rows.",
  },
  COLUMN_UNKNOWN: { exit: "usage", about: "The mapping names a column that the dataset does not have." },
  PROMPT_NEEDED: {
    exit: "usage",
    about:
      "The columns of a promptfoo sheet are variables of a prompt that is not in the sheet (give it with --prompt), or no mapped field is one that the endpoint is asked with.",
  },
  NO_JOBS: { exit: "usage", about: "Nothing was selected to run (allowed with --pass-with-no-jobs)." },
  BATCH_NOT_FOUND: { exit: "usage", about: "No batch of that name is in the database." },
  BATCH_UNREAD: {
    exit: "usage",
    about: "The dataset of the batch was not read to its end, so that it has nothing to send, to grade or to compare.",
  },
  BATCH_LOCKED: { exit: "usage", about: "Another process is running this batch." },
  BATCH_AT_WORKERS: {
    exit: "usage",
    about: "The batch is with workers, who may be sending it: resume it over them.",
  },
  BATCH_CHANGED: { exit: "usage", about: "The suite or dataset differs from what the batch was made of." },
  PIN_INVALID: {
    exit: "usage",
    about: "The file is no exported pin of this version; every fault is listed with its line.",
  },
  LABELS_INVALID: { exit: "usage", about: "A file of labels has faults; every one is listed with its line." },
  MERGE_REFUSED: { exit: "usage", about: "The batches are not parts of one run, overlap, or are not finished." },
  OUTPUT_UNWRITABLE: { exit: "usage", about: "A file or folder that results should go to cannot be written." },
  REPORT_UNWRITTEN: {
    exit: "couldNotRun",
    about: "A report could not be written to the end: the disk is full or fails. Everything else was done.",
  },
  OTHER_VERSION: {
    exit: "usage",
    about: "A database, or a suite or comparison in it, was stored by an unreleased or a newer version of tandem.",
  },
  NODE_UNSUPPORTED: { exit: "couldNotRun", about: "This version of Node cannot run tandem." },
  DATABASE_INVALID: { exit: "usage", about: "The file is not a tandem database." },
  MACHINE_LIMIT: {
    exit: "couldNotRun",
    about: "This machine has no more files, room or memory for what is to be done.",
  },
  STORE_FAILED: {
    exit: "couldNotRun",
    about:
      "The database could not be written or read (disk full, file gone or damaged, held by another process); sending stopped.",
  },
  STORE_DRIVER: {
    exit: "couldNotRun",
    about: "The package that brings SQLite, or its binary, is missing or made for another system.",
  },
  WORKERS_URL: { exit: "usage", about: "The connection string of the workers' database (PostgreSQL) cannot be used." },
  WORKERS_PACKAGE: { exit: "usage", about: "The packages that workers need (pg, pg-boss) are not installed." },
  WORKERS_REFUSED: {
    exit: "usage",
    about: "PostgreSQL refuses the user or the password, has no such database, or the user lacks a right.",
  },
  WORKERS_TLS: {
    exit: "usage",
    about: "PostgreSQL beyond this machine speaks no TLS, or its certificate is not trusted; nothing was sent to it.",
  },
  WORKERS_SCHEMA: {
    exit: "usage",
    about: "The tables of the workers' database are of another version, or PostgreSQL is older than 13.",
  },
  WORKERS_UNREACHABLE: {
    exit: "couldNotRun",
    about: "PostgreSQL cannot be reached or takes no connection. What is committed is kept.",
  },
  WORKERS_BATCH: { exit: "usage", about: "The workers have no such batch, or another one under its name." },
  WORKERS_UNFIT: {
    exit: "usage",
    about: "The suite cannot be sent by workers (files of this machine, what compares while it sends).",
  },
  DEPLOYMENT_INVALID: { exit: "usage", about: "A saved configuration of a local deployment does not fit its schema." },
  SERVICE_UNREACHABLE: {
    exit: "couldNotRun",
    about: "No reply came to the first call of an endpoint; no suite was written.",
  },
  DEPLOYMENT_PORT: { exit: "couldNotRun", about: "A local deployment could not listen on its address." },
} as const satisfies Record<string, { exit: ExitName; about: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** One thing that is wrong with a file. */
export interface FileFault {
  file: string;
  /** Line from 1; null for faults that are not about one place. */
  line: number | null;
  column: number | null;
  message: string;
}

/** An expected error: the program cannot go on, and the person at the keyboard can do something about it. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  /** The next step, as a sentence; null when the message says it all. */
  readonly hint: string | null;
  /** The faults that the message lists, for programs; empty when it is not about a file. */
  readonly faults: readonly FileFault[];

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string; cause?: unknown; faults?: readonly FileFault[] } = {},
  ) {
    super(brief(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint === undefined ? null : brief(options.hint);
    this.faults = (options.faults ?? []).map((fault) => ({ ...fault, message: brief(fault.message) }));
  }

  /** The exit code of the process when this error ends it. */
  get exitCode(): number {
    return exitCodes[errorCatalogue[this.code].exit].code;
  }
}
