import type { InferredOptionTypes, Options, PositionalOptions } from "yargs";
import { defaultEndpoint, endpointList } from "../../api/endpoint-name.ts";
import { promptFlags } from "./prompt-flags.ts";
import { selectionFlags } from "./selection-flags.ts";

/** The suite to be run, or a dataset with flags. */
export const suitePositional = {
  path: { type: "string", demandOption: true, describe: "A suite (.yaml) or a dataset (.csv, .tsv, .jsonl)" },
} as const satisfies Record<string, PositionalOptions>;

const datasetFlags = {
  endpoint: { type: "string", default: defaultEndpoint, describe: `Without a suite: ${endpointList}` },
  deployment: {
    type: "string",
    array: true,
    default: [],
    describe: "Without a suite: NAME=URL, once for each deployment",
  },
  "example-id": {
    type: "string",
    array: true,
    default: [],
    describe: "Without a suite: a saved configuration, once for each",
  },
  scorer: {
    type: "string",
    array: true,
    default: [],
    describe: "Without a suite: how answers are graded, such as contains or {type: length, max: 300}; repeatable",
  },
  name: { type: "string", describe: "Without a suite: what to call it (default: the dataset's name)" },
} as const satisfies Record<string, Options>;

const limitFlags = {
  concurrency: { alias: "j", type: "number", describe: "Requests in flight, for each deployment" },
  rate: { type: "string", describe: "Requests in a window, for each deployment: 10/m, 2/s" },
  timeout: { type: "string", describe: "For one attempt: 10m, 30s" },
  retries: { type: "number", describe: "Further attempts after the first" },
  "wait-for-service": {
    type: "string",
    describe: "Wait this long for a service that cannot be reached, such as 30m (default: 5m once it has answered)",
  },
  repeats: { type: "number", describe: "Runs of each case" },
  "noise-repeats": { type: "number", describe: "Least runs of each case by the baseline, to know its own noise" },
  interleave: {
    type: "string",
    describe: "strict keeps the sides of a case together; off lets each go at its own pace",
  },
} as const satisfies Record<string, Options>;

/** Flags for the format of a dataset, if it cannot be found. */
export const formatFlags = {
  delimiter: { type: "string", describe: "What separates the cells: one character, or tab (default: found)" },
  encoding: {
    type: "string",
    describe: "Encoding of the dataset, such as windows-1251 (default: UTF-8, UTF-16 or Windows-1252 by its bytes)",
  },
  lenient: {
    type: "boolean",
    default: false,
    describe: "Fill up short rows, drop empty cells beyond the header, take quotes inside of cells as they are",
  },
} as const satisfies Record<string, Options>;

const readingFlags = {
  ...formatFlags,
  seed: { type: "string", default: "1", describe: "Orders the cases, and chooses those of --sample" },
  "skip-invalid": { type: "boolean", default: false, describe: "List and leave out blank cases" },
  "pass-with-no-jobs": { type: "boolean", default: false, describe: "Nothing to run is not an error" },
} as const satisfies Record<string, Options>;

/** The flag of `plan`, and of `run --dry-run`. */
export const showFlag = {
  show: {
    type: "string",
    describe: "The key of the case whose requests are shown (default: the first of each target)",
  },
} as const satisfies Record<string, Options>;

/** Flags that say what is run, where and how: the same for `run` and `plan`. */
export const suiteFlags = {
  ...datasetFlags,
  ...promptFlags,
  ...limitFlags,
  ...selectionFlags,
  ...readingFlags,
} as const;

export type SuiteFlags = InferredOptionTypes<typeof suiteFlags> & { path: string };
