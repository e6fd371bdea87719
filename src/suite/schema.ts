import { z } from "zod";
import { endpoints } from "../api.ts";
import { durationPattern } from "../lib/duration.ts";
import { showValue } from "../lib/show.ts";
import { passRule } from "../score/case-pass.ts";
import { scorerEntry } from "../score/registry.ts";
import { ratePattern } from "./duration.ts";

/**
 * The suite file as one schema: the source of its types, its validation, the JSON Schema for editors and the reference page.
 * It describes the file as written; `resolve.ts` turns it into a Suite.
 */

const duration = matching(durationPattern, "a duration such as 10m, 20s, 500ms or 3h");
const rate = matching(ratePattern, "a rate such as 10/m, 2/s or 100/h");
const text = z.string().regex(/\S/, { error: "must not be blank" });
const column = text.describe("A column name, or a Liquid template when it holds {{ or {%.");
const jsonObject = z.record(z.string(), z.json());

const typedColumn = z.strictObject({
  column,
  type: z.enum(["text", "number", "boolean", "json"]).optional().describe("What its cells are read as."),
});
const constant = z.strictObject({ value: z.json().describe("The same value for every case.") });
const sourceForms = "a column name, a template, {column, type}, {value} or a list of these";
const fieldPart = z.union([column, typedColumn, constant], { error: notA(sourceForms) });
const fieldSource = z.union([column, typedColumn, constant, z.array(fieldPart).min(1)], { error: notA(sourceForms) });

/** `case:` says which columns become what. */
const caseSection = z
  .strictObject({
    key: column
      .optional()
      .describe(
        "Column that identifies a case from night to night. Default: a hash of cluster, turn and input, with #2, #3 for repetitions.",
      ),
    input: z
      .record(z.string(), fieldSource)
      .optional()
      .describe(
        "Request field to column name, or to a Liquid template when it holds {{ }}; dots make nested fields (variables.language). {column: x, type: number} reads cells as number, boolean, json or text; {value: x} is the same for every case; a list of these makes a list without what is empty. Default: columns named like request fields map themselves.",
      ),
    expected: column
      .optional()
      .describe("Column with the answer that was hoped for. Default: expected or golden_answer, where there is one."),
    cluster: column
      .optional()
      .describe("Column that names what belongs together, such as a conversation. Default: every row by itself."),
    turn: column
      .optional()
      .describe(
        "Column with 1, 2, 3 ...: rows of a cluster are sent in this order, each with the replies so far in messages. Default: no turns.",
      ),
    turns: text
      .optional()
      .describe(
        "Column with a whole conversation in a cell: a JSON list of what the user says, each sent with the replies so far. The row becomes the cases KEY/1, KEY/2 ...; a list of as many texts in `expected` is one for each turn, any other text is for the last. Needs key; instead of cluster, turn and input_prompt. Default: none.",
      ),
    opening: column
      .optional()
      .describe("Column of JSON messages that a conversation begins with, on its first turn only. Default: none."),
    history: z
      .strictObject({
        user: jsonObject.describe("The entry for what the user said."),
        assistant: jsonObject.describe("The entry for the reply."),
      })
      .optional()
      .describe(
        'How the turns so far are written into messages: an entry for what the user said and one for the reply, in each of which the text "{{ text }}" stands for it. Default: {role: user, content: "{{ text }}"} and {role: assistant, content: "{{ text }}"}.',
      ),
    tags: z
      .array(text)
      .optional()
      .describe("Columns by which results can be selected and grouped, such as language. Default: none."),
    order_by: column
      .optional()
      .describe(
        "Column with a time (or a number) by which the rows of a cluster are its turns, with turn: __order. Default: as they stand.",
      ),
    scorers: column
      .optional()
      .describe(
        "Column whose cells hold scorers of their own row, beside those of the suite: JSON of one scorer, or a list of them. Default: none.",
      ),
  })
  .describe("Which columns of the dataset become what.");

/** `format:` says how the dataset's files are written, where that cannot be found. */
const formatSection = z
  .strictObject({
    delimiter: matching(/^(?:tab|[^"\r\n])$/u, "one character, or tab")
      .optional()
      .describe("What separates the cells: one character, or tab. Default: found among , ; tab and |."),
    encoding: z
      .string()
      .refine(isEncoding, {
        error: ({ input }) => `must be an encoding such as utf-8, utf-16le or windows-1252, got ${showValue(input)}`,
      })
      .optional()
      .describe(
        "Encoding of the files, such as windows-1251. Default: UTF-8 and UTF-16 by their bytes; Windows-1252 with a notice.",
      ),
    lenient: z
      .boolean()
      .default(false)
      .describe(
        "Fill up rows that are too short, drop empty cells beyond the header, take quotes inside of cells as they are. Default: false, they are faults.",
      ),
  })
  .describe("How the dataset's files are written.");

const deployment = z
  .strictObject({
    base_url: text.describe(
      "http(s) address before /v2, or local:DIR for an embedded deployment with the saved configurations in DIR. ${NAME} and ${NAME:-default} are replaced from the environment.",
    ),
    api_key_env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
        error: "must be the name of an environment variable, never the key itself (not shown here, in case it is one)",
      })
      .optional()
      .describe(
        "Name of the environment variable that holds the API key. Default: TANDEM_<DEPLOYMENT>_API_KEY, then TANDEM_API_KEY.",
      ),
    concurrency: z.int().min(1).max(10_000).default(4).describe("Requests in flight at once. Default: 4."),
    rate: rate.optional().describe("Most requests in a time: 10/m, 2/s, 100/h. Default: no limit."),
    timeout: duration
      .default("10m")
      .describe("Longest time from the first byte sent to the last received: 10m, 20s, 500ms. Default: 10m."),
    connect_timeout: duration
      .default("10s")
      .describe("Longest time until a connection stands: 5s, 500ms. Default: 10s."),
    job_timeout: duration
      .default("6h")
      .describe(
        "Longest time of one job with all its attempts and waits, from its first attempt: 30m, 6h. Default: 6h.",
      ),
    retries: z
      .int()
      .min(0)
      .max(100)
      .default(2)
      .describe("Further attempts after the first, for what may be tried again. Default: 2."),
    price: z
      .number()
      .min(0)
      .optional()
      .describe(
        "What one run costs, in whatever unit you count (credits, money): `tandem plan` multiplies it. Default: not known.",
      ),
  })
  .describe("A base URL with its key and limits.");

const endpoint = z.enum(endpoints).describe("The API endpoint: video-bots or functions.");
const exampleId = text.describe("The saved configuration to run; never blank.");
const body = jsonObject.describe("Request fields laid over every case's input; variables merge key by key.");

/** What a target needs depends on whether it is asked: the cross-check tells what is missing. */
const target = z
  .strictObject({
    deployment: text.optional().describe("Name of a deployment of this suite. Needed, but for stored answers."),
    endpoint: endpoint
      .optional()
      .describe("The API endpoint: video-bots or functions. Needed, but for stored answers."),
    example_id: exampleId
      .optional()
      .describe("The saved configuration to run; never blank. Needed, but for stored answers."),
    body: body.optional(),
    answers: column
      .optional()
      .describe(
        "Instead of a deployment: column with answers that were given before. Nothing is sent; they are compared and scored like those of any target.",
      ),
    run_url: column.optional().describe("With answers: column with the URL of the run. Default: none."),
    run_id: column.optional().describe("With answers: column with the id of the run. Default: the one in run_url."),
    created_at: column.optional().describe("With answers: column with the time of the run. Default: none."),
    label: column
      .optional()
      .describe(
        "With answers: column with what people said of them (thumbs up or down, good or bad, 1 or 0, or a number). Default: none.",
      ),
    note: column.optional().describe("With label: column with a remark of the same person. Default: none."),
  })
  .meta({ anyOf: [{ required: ["deployment", "endpoint", "example_id"] }, { required: ["answers"] }] })
  .describe("Where and how a case is sent; or stored answers, which are columns of the dataset.");

const judge = z
  .strictObject({
    deployment: text.describe("Name of a deployment of this suite."),
    endpoint,
    example_id: exampleId,
    body: body.optional(),
  })
  .describe("A bot or function that is asked about answers; it gets no cases and is not compared.");

const matrix = z
  .strictObject({
    deployments: z.array(text).min(1).describe("Names of deployments of this suite."),
    endpoint,
    example_ids: z.array(exampleId).min(1).describe("Saved configurations; each runs on each deployment."),
    body: body.optional(),
  })
  .describe("Instead of targets: every deployment with every example_id.");

const compare = z
  .strictObject({
    baseline: text
      .optional()
      .describe("Target that the others are compared with. Default: the one named prod, else the first."),
    candidates: z.array(text).min(1).optional().describe("Targets to compare with the baseline. Default: all others."),
    noise_repeats: z
      .int()
      .min(1)
      .max(1_000)
      .default(1)
      .describe("The baseline runs at least this many times per case, to know its own noise. Default: 1."),
    alpha: z
      .number()
      .gt(0)
      .max(0.5)
      .default(0.05)
      .describe("How often a gate may cry regression although nothing is worse than the margin. Default: 0.05."),
    nights: z
      .int()
      .min(1)
      .max(1_000)
      .default(1)
      .describe(
        "Over how many runs alpha is spent (Sidak): with 30 nights and alpha 0.05, a month without a change cries once in twenty months. Default: 1.",
      ),
    ignore: z
      .array(text)
      .optional()
      .describe(
        "Member paths of output whose differences do not count, such as final_prompt or references[].score; what is below them does not count either. Default: none.",
      ),
  })
  .describe("What is compared with what.");

const gate = z
  .strictObject({
    metric: text.optional().describe("Name of the scorer that the gate is about."),
    margin: z
      .number()
      .min(0)
      .optional()
      .describe(
        "Loss that is still accepted: of a pass rate as a share (0.05: five points), of a mean value in the score's own unit, of a ratio as a share. Default: 0.05 of a pass rate or a ratio, 5 % of the range of a bounded score.",
      ),
    of: z
      .enum(["pass", "value", "ratio"])
      .optional()
      .describe(
        "Pass rate, mean value, or the ratio of the two sides (for what is above 0 and has no upper end, such as latency). Default: pass where the scorer says pass or fail, else value.",
      ),
    errors: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(
        "Largest share (0 to 1) of cases without an answer, per target, with which a comparison is valid. Default: 0.05.",
      ),
  })
  .describe(
    "A rule that turns a comparison into regression, pass or inconclusive; or errors: a rule for its validity.",
  );

/** The whole suite file. */
export const suiteFile = z
  .strictObject({
    name: text.optional().describe("Name of the suite in results. Default: the file's name."),
    dataset: z
      .union([text, z.array(text).min(1)], {
        error: ({ input }) =>
          input === undefined ? "is required" : `must be a file or a list of files, got ${showValue(input)}`,
      })
      .describe(
        "A file of cases or a list of them (.csv, .tsv, .jsonl, each also with .gz), relative to this file; - is standard input.",
      ),
    format: formatSection.optional(),
    case: caseSection.optional(),
    deployments: z
      .record(z.string(), deployment)
      .optional()
      .describe("Deployments by name. Needed, but where every target is stored answers."),
    targets: z
      .record(z.string(), target)
      .optional()
      .describe("Targets by name: where and how every case is sent. Either targets or matrix."),
    matrix: matrix.optional(),
    judges: z
      .record(z.string(), judge)
      .optional()
      .describe("Judges by name, for the scorers of the types judge, function-judge and pairwise. Default: none."),
    repeats: z.int().min(1).max(1_000).default(1).describe("How often each case runs on each target. Default: 1."),
    interleave: z
      .enum(["off", "strict"])
      .default("off")
      .describe(
        "strict: no side leads by more than a few cases; off: deployments do not wait for each other. Default: off.",
      ),
    on_in_doubt: z
      .enum(["resend", "hold", "fail"])
      .default("resend")
      .describe("What resume does with a request that was in flight when the process died. Default: resend."),
    on_ambiguous: z
      .enum(["retry", "fail"])
      .default("retry")
      .describe("What a run does with an attempt that may or may not have run (and been paid). Default: retry."),
    scorers: z.array(scorerEntry).optional().describe("Rules that grade answers. Default: none."),
    pass: passRule.optional(),
    compare: compare.optional(),
    gates: z
      .array(gate)
      .optional()
      .describe(
        "Rules that decide the exit code. Default: the primary metric with a margin of 0.05 of its pass rate, and errors 0.05.",
      ),
    reports: z
      .array(z.enum(["terminal", "html", "csv", "markdown", "junit", "json"]))
      .optional()
      .describe(
        "What is written when a run ends: the summary in the terminal, and report.html, comparison.csv and runs.csv, report.md, junit.xml, report.json. Default: everything.",
      ),
  })
  .describe("A tandem suite: which cases go to which targets, how they are scored, compared and gated.");

/** The suite file after the schema: defaults of keys are filled in, names are not yet resolved. */
export type SuiteFile = z.infer<typeof suiteFile>;

/** The suite file as a person writes it. */
export type SuiteFileInput = z.input<typeof suiteFile>;

/** A text of a form; the message says which, and what was got instead. */
function matching(pattern: RegExp, what: string): z.ZodString {
  const error = (issue: { input?: unknown }): string => `must be ${what}, got ${showValue(issue.input)}`;
  return z.string({ error }).regex(pattern, { error });
}

function notA(what: string): (issue: { input?: unknown }) => string {
  return ({ input }) => `must be ${what}, got ${showValue(input)}`;
}

function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== "";
  } catch {
    return false;
  }
}
