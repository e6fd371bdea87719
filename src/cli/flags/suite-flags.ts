import { type Flags, count, string, strings, toggle, word } from "../flag.ts";
import type { InferredOptionTypes, PositionalOptions } from "yargs";
import { defaultEndpoint, endpointList } from "../../api/endpoint-name.ts";
import { promptFlags } from "./prompt-flags.ts";
import { selectionFlags } from "./selection-flags.ts";

/** The suite to be run, or a dataset with flags. */
export const suitePositional = {
  path: {
    type: "string",
    describe: "A suite or a dataset: .yaml, .csv, .tsv, .jsonl, .json, .xlsx (default: tandem.yaml here)",
  },
} as const satisfies Record<string, PositionalOptions>;

/** The endpoint of a dataset without a suite. */
const endpointFlag = {
  endpoint: string("dataset", `Where it is sent: ${endpointList}`, {
    value: "NAME",
    more: true,
    default: defaultEndpoint,
  }),
} as const satisfies Flags;

const datasetFlags = {
  ...endpointFlag,
  deployment: strings("dataset", "The name and address of a deployment; once for each", { value: "NAME=URL" }),
  "example-id": strings("dataset", "A saved configuration of it; once for each", { value: "ID" }),
  model: strings("dataset", "With --endpoint chat-completions: a model of it; once for each", {
    value: "NAME",
    more: true,
  }),
  scorer: strings("dataset", "How answers are graded, such as contains or {type: length, max: 300}; repeatable", {
    value: "SCORER",
  }),
  name: string("dataset", "What to call it (default: the dataset's name)", { value: "NAME", more: true }),
} as const satisfies Flags;

const limitFlags = {
  concurrency: count("limits", "Requests in flight, for each deployment", { alias: "j" }),
  rate: string("limits", "Requests in a window, for each deployment: 10/m, 2/s", { value: "10/m", more: true }),
  repeats: count("what", "Runs of each row"),
  "noise-repeats": count("what", "Least runs of each row by the baseline, to know how much it varies by itself", {
    more: true,
  }),
  "stop-when": string(
    "what",
    "decided: send nothing more once the gates are decided; never: send everything, whatever the suite says",
    { value: "WHEN", more: true },
  ),
  race: word(
    "what",
    "With choose: best, stop asking configurations that have clearly lost; --no-race: ask all (default: the suite's)",
    { more: true, type: "boolean" },
  ),
  choose: word("what", "Say which of several configurations is the best, or the cheapest that is as good", {
    choices: ["best", "cheapest"],
  }),
  confirm: word(
    "what",
    "Ask the rows of a regression once more before it counts; --no-confirm: do not (default: the suite's)",
    { more: true, type: "boolean" },
  ),
  set: strings("what", "Set a key of the suite, such as timeout=30s (of every deployment) or compare.noise_repeats=2", {
    value: "KEY=VALUE",
    nargs: 1,
  }),
} as const satisfies Flags;

/** Flags for the format of a dataset, if it cannot be found. */
export const formatFlags = {
  delimiter: string("reading", "What separates the cells: one character, or tab (default: found)", {
    value: "CHAR",
    more: true,
  }),
  encoding: string(
    "reading",
    "Encoding of the dataset, such as windows-1251 (default: UTF-8, UTF-16 or Windows-1252 by its bytes)",
    { value: "NAME", more: true },
  ),
  header: word(
    "reading",
    "--no-header: the first row is data, and the columns are called column A, column B ... (default: it names the columns; init looks)",
    { more: true, type: "boolean" },
  ),
  sheet: string("reading", "The sheet of an Excel workbook (default: the one with most rows)", {
    value: "NAME",
    more: true,
  }),
  lenient: toggle(
    "reading",
    "Fill up short rows, drop empty cells beyond the header, take quotes inside of cells as they are",
    { more: true },
  ),
} as const satisfies Flags;

export const skipInvalidFlag = {
  "skip-invalid": toggle("reading", "List and leave out blank rows", { more: true }),
} as const satisfies Flags;

const readingFlags = {
  ...formatFlags,
  seed: string("selection", "Orders the rows, and chooses those of --sample", {
    value: "TEXT",
    more: true,
    default: "1",
  }),
  ...skipInvalidFlag,
  "pass-with-no-jobs": toggle("reading", "Nothing to run is not an error", { more: true }),
} as const satisfies Flags;

/** The flag of `check`. */
export const showFlag = {
  show: string("what", "The key of the case whose requests are shown (default: the first of each target)", {
    value: "KEY",
    more: true,
  }),
} as const satisfies Flags;

/** Flags that make several targets of one. */
const varyFlags = {
  vary: strings(
    "dataset",
    "Compare values: body.temperature=0,0.5 of the body, model=a,b, example_id=a,b or deployment=a,b; each with each, once for each KEY. Over a suite: of its matrix, or of its only target",
    { value: "KEY=A,B", more: true },
  ),
  yes: toggle("what", "Do not ask before a matrix of more targets than its limit is run", { more: true }),
} as const satisfies Flags;

/** Flags that say what is run, where and how: the same for `run` and `check`. */
export const suiteFlags = {
  ...datasetFlags,
  ...promptFlags,
  ...varyFlags,
  ...limitFlags,
  ...selectionFlags,
  ...readingFlags,
} as const;

export type SuiteFlags = InferredOptionTypes<typeof suiteFlags> & { path: string };
