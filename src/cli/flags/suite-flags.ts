import type { InferredOptionTypes, PositionalOptions } from "yargs";
import type { Flags } from "../command.ts";
import { defaultEndpoint, endpointList } from "../../api/endpoint-name.ts";
import { promptFlags } from "./prompt-flags.ts";
import { varyFlags } from "./vary-flags.ts";
import { waitFlag } from "./run-flags.ts";
import { selectionFlags } from "./selection-flags.ts";

/** The suite to be run, or a dataset with flags. */
export const suitePositional = {
  path: {
    type: "string",
    describe: "A suite or a dataset: .yaml, .csv, .tsv, .jsonl, .json, .parquet, .xlsx (default: tandem.yaml here)",
  },
} as const satisfies Record<string, PositionalOptions>;

/** The endpoint of a dataset without a suite. */
export const endpointFlag = {
  endpoint: {
    group: "dataset",
    value: "NAME",
    more: true,
    type: "string",
    default: defaultEndpoint,
    describe: `Where it is sent: ${endpointList}`,
  },
} as const satisfies Flags;

const datasetFlags = {
  ...endpointFlag,
  deployment: {
    group: "dataset",
    value: "NAME=URL",
    type: "string",
    array: true,
    default: [],
    describe: "The name and address of a deployment; once for each",
  },
  "example-id": {
    group: "dataset",
    value: "ID",
    type: "string",
    array: true,
    default: [],
    describe: "A saved configuration of it; once for each",
  },
  model: {
    group: "dataset",
    value: "NAME",
    more: true,
    type: "string",
    array: true,
    default: [],
    describe: "With --endpoint chat-completions: a model of it; once for each",
  },
  scorer: {
    group: "dataset",
    value: "SCORER",
    type: "string",
    array: true,
    default: [],
    describe: "How answers are graded, such as contains or {type: length, max: 300}; repeatable",
  },
  name: {
    group: "dataset",
    value: "NAME",
    more: true,
    type: "string",
    describe: "What to call it (default: the dataset's name)",
  },
} as const satisfies Flags;

const limitFlags = {
  concurrency: { group: "limits", alias: "j", type: "number", describe: "Requests in flight, for each deployment" },
  rate: {
    group: "limits",
    value: "10/m",
    type: "string",
    describe: "Requests in a window, for each deployment: 10/m, 2/s",
  },
  timeout: { group: "limits", value: "TIME", more: true, type: "string", describe: "For one attempt: 10m, 30s" },
  retries: { group: "limits", more: true, type: "number", describe: "Further attempts after the first" },
  ...waitFlag,
  repeats: { group: "what", type: "number", describe: "Runs of each case" },
  "noise-repeats": {
    group: "what",
    more: true,
    type: "number",
    describe: "Least runs of each case by the baseline, to know how much it varies by itself",
  },
  "stop-when": {
    group: "what",
    value: "WHEN",
    more: true,
    type: "string",
    describe: "decided: send nothing more once the gates are decided; never: send everything, whatever the suite says",
  },
  race: {
    group: "what",
    more: true,
    type: "boolean",
    describe: "With choose: best, ask no more what is behind beyond doubt; --no-race asks all (default: the suite's)",
  },
  confirm: {
    group: "what",
    more: true,
    type: "boolean",
    describe: "Ask the cases of a regression once more before it counts; --no-confirm does not (default: the suite's)",
  },
  interleave: {
    group: "what",
    value: "MODE",
    more: true,
    type: "string",
    describe: "strict keeps the sides of a case together; off lets each go at its own pace",
  },
} as const satisfies Flags;

/** Flags for the format of a dataset, if it cannot be found. */
export const formatFlags = {
  delimiter: {
    group: "reading",
    value: "CHAR",
    more: true,
    type: "string",
    describe: "What separates the cells: one character, or tab (default: found)",
  },
  encoding: {
    group: "reading",
    value: "NAME",
    more: true,
    type: "string",
    describe: "Encoding of the dataset, such as windows-1251 (default: UTF-8, UTF-16 or Windows-1252 by its bytes)",
  },
  header: {
    group: "reading",
    more: true,
    type: "boolean",
    describe:
      "--no-header: the first row is data, and the columns are called column A, column B ... (default: it names the columns; init looks)",
  },
  sheet: {
    group: "reading",
    value: "NAME",
    more: true,
    type: "string",
    describe: "The sheet of an Excel workbook (default: the first that is not hidden)",
  },
  lenient: {
    group: "reading",
    more: true,
    type: "boolean",
    default: false,
    describe: "Fill up short rows, drop empty cells beyond the header, take quotes inside of cells as they are",
  },
} as const satisfies Flags;

export const skipInvalidFlag = {
  "skip-invalid": {
    group: "reading",
    more: true,
    type: "boolean",
    default: false,
    describe: "List and leave out blank cases",
  },
} as const satisfies Flags;

const readingFlags = {
  ...formatFlags,
  seed: {
    group: "selection",
    value: "TEXT",
    more: true,
    type: "string",
    default: "1",
    describe: "Orders the cases, and chooses those of --sample",
  },
  ...skipInvalidFlag,
  "pass-with-no-jobs": {
    group: "reading",
    more: true,
    type: "boolean",
    default: false,
    describe: "Nothing to run is not an error",
  },
} as const satisfies Flags;

/** The flag of `plan`, and of `run --dry-run`. */
export const showFlag = {
  show: {
    group: "what",
    value: "KEY",
    more: true,
    type: "string",
    describe: "The key of the case whose requests are shown (default: the first of each target)",
  },
} as const satisfies Flags;

/** Flags that say what is run, where and how: the same for `run` and `plan`. */
export const suiteFlags = {
  ...datasetFlags,
  ...promptFlags,
  ...varyFlags,
  ...limitFlags,
  ...selectionFlags,
  ...readingFlags,
} as const;

export type SuiteFlags = InferredOptionTypes<typeof suiteFlags> & { path: string };
