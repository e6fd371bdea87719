import { z } from "zod";
import { endpointOf } from "../../api/endpoints.ts";
import { scaleFaults } from "../contract/bounds.ts";
import { programEnvironment } from "../../lib/keyless.ts";
import { durationMs, durationPattern } from "../../lib/duration.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { shownCase } from "../judge/shown-case.ts";
import { passMark, saidGrade } from "../contract/said-grade.ts";
import type { CodeTrust } from "../contract/code-trust.ts";
import type { Called, ProcessPool } from "./process-pool.ts";
import type { Answer, EffectScorer, Metric, OptionFault, Score } from "../contract/scorer.ts";

/** The answer that a scorer of one's own is given: a case, and the answer of a target. */
export interface OwnAnswer {
  key: string;
  question: string;
  /** Null when the case has none. */
  expected: string | null;
  input: JsonObject;
  tags: Record<string, string>;
  /** The row of the dataset: header to cell. */
  columns: Record<string, string>;
  cluster: string;
  turn: number;
  /** The replies joined by a blank line, or a function's return value; null when it said nothing. */
  text: string | null;
  /** `output` of the run record, as the service sent it. */
  output: JsonObject;
  target: string;
  repeat: number;
  latency_ms: number | null;
  run_url: string | null;
  /** `options` of the scorer in the suite. */
  options: JsonObject;
}

/**
 * The result of a scorer of one's own: a number; true or false; a value with pass and reason, which are found when they
 * are missing; or the reason why there is no score.
 */
export type OwnScore =
  | number
  | boolean
  | { value: number; pass?: boolean | null; reason?: string }
  | { pass: boolean; reason?: string }
  | { unscored: string };

/** The keys of a scorer of one's own. */
export const ownKeys = {
  options: z.record(z.string(), z.json()).default({}).describe("Handed on as it is. Default: {}."),
  scale: z
    .union([z.strictObject({ min: z.number(), max: z.number() }), z.literal("unbounded")])
    .default({ min: 0, max: 1 })
    .describe("Between what its values lie, or unbounded. Default: {min: 0, max: 1}."),
  threshold: z
    .number()
    .optional()
    .describe(
      "It passes from this value on, where it does not say pass itself. Default: the middle of the scale; unbounded: none, it measures.",
    ),
  timeout: z
    .string()
    .regex(durationPattern, { error: "must be a duration such as 10s or 500ms" })
    .optional()
    .describe(
      "Longest time for one answer; then it is ended and started again, and the answer is unscored. Default: 10s.",
    ),
  env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/))
    .default([])
    .describe(
      "Names of environment variables that it sees beside those of the system (PATH, HOME, language, proxy without a password), such as OPENAI_API_KEY. The keys of deployments it never sees. Default: [].",
    ),
  concurrency: z.int().min(1).max(64).default(2).describe("How many run at once, each for one answer. Default: 2."),
};
type OwnOptions = z.output<z.ZodObject<typeof ownKeys>>;

/** Faults of the options that the schema cannot express. */
export function ownFaults({ scale }: OwnOptions): OptionFault[] {
  return scale === "unbounded" ? [] : scaleFaults(scale);
}

/** The metric of a scorer of one's own. */
export function ownMetric({ scale, threshold }: OwnOptions): Pick<Metric, "scale" | "lowerIsBetter" | "passes"> {
  if (scale === "unbounded")
    return { scale: { kind: "unbounded", unit: null }, lowerIsBetter: false, passes: threshold !== undefined };
  return { scale: { kind: "bounded", ...scale }, lowerIsBetter: false, passes: true };
}

/** Where a scorer of one's own runs, and with which environment. */
export interface OwnPlace {
  folder: string;
  /** Variables of the system, and those that the scorer names. */
  env: NodeJS.ProcessEnv;
}

/** The place of a scorer of a trusted suite file. */
export function ownPlace(trust: CodeTrust | null, { env }: OwnOptions): OwnPlace {
  if (trust === null) throw new Error("it runs code, which only a suite file that is named in this command may do");
  return { folder: trust.folder, env: programEnvironment(process.env, trust.keyNames, env) };
}

/** The time limit of a scorer of one's own. */
export function ownTimeoutMs({ timeout }: OwnOptions, otherwise: number): number {
  return timeout === undefined ? otherwise : (durationMs(timeout) ?? otherwise);
}

/** Grades by what a pool of threads or processes says. */
export function ownScorer(options: OwnOptions, pool: ProcessPool): EffectScorer {
  return {
    kind: "effect",
    concurrency: options.concurrency,
    grade: async (answer) => scoreOf(await pool.call(viewOf(answer, options.options)), options),
    close: pool.close,
  };
}

function viewOf(answer: Answer, options: JsonObject): JsonObject {
  const output = answer.record?.output ?? {};
  const view = {
    ...shownCase(answer),
    text: endpointOf(answer.endpoint).textOf(output),
    output,
    target: answer.target,
    repeat: answer.repeat,
    latency_ms: answer.latencyMs,
    run_url: answer.record?.url ?? null,
    options,
  } satisfies OwnAnswer;
  return view;
}

function scoreOf(called: Called, options: OwnOptions): Score {
  if ("failed" in called) return { unscored: called.failed };
  const said = called.value;
  if (isJsonObject(said) && typeof said["unscored"] === "string") return { unscored: said["unscored"] };
  const { scale } = options;
  const { value, pass, reason } = saidGrade(said, scale, ["value", "score"]);
  if (value === null)
    return { unscored: `it gave ${short(said)}, which is neither a number, true or false, nor {value, pass, reason}` };
  if (scale !== "unbounded" && (value < scale.min || value > scale.max)) {
    return { unscored: `its value ${value} is not between ${scale.min} and ${scale.max}` };
  }
  const least = passMark(options);
  const passes = pass ?? (least === null ? null : value >= least);
  return { value, pass: passes, reason: reason ?? `it gave ${short(said)}` };
}

function short(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
