import { type Flags, count, onUnlessNo, string, toggle, word } from "../flag.ts";
import type { InferredOptionTypes } from "yargs";
import { AppError, failable } from "../../errors.ts";
import type { BudgetLimits } from "../../runner/budget.ts";
import { durationMs } from "../../lib/duration.ts";
import { jsonFlag, resultsFlag } from "../command.ts";

/** The flag of every command that compares. */
export const failOnFlag = {
  "fail-on": word(
    "what",
    "worse: end with exit code 1 when a loss is sure; inconclusive: with 4 when a gate cannot be decided. May be given twice",
    { more: true, array: true, nargs: 1, choices: failable },
  ),
} as const satisfies Flags;

/** Time that a signal leaves to requests in flight at the most; each ends by its own time-out, too. */
const defaultGraceMs = 10 * 60_000;
/** GitHub kills a job that is cancelled 10 s after it has told it, and by then the results are to be written. */
const graceOnGithubMs = 6_000;

/** The flag of every process that sends. */
export const graceFlag = {
  grace: string(
    "limits",
    "After Ctrl-C or SIGTERM, wait this long for what is in flight (default: as long as a request may take, at most 10m; in GitHub Actions 6s)",
    { value: "TIME", more: true },
  ),
} as const satisfies Flags;

/** Flags of every command that sends runs. */
export const sendFlags = {
  ...jsonFlag,
  ...resultsFlag,
  quiet: toggle("results", "No progress, only the result", { alias: "q", more: true }),
  events: string(
    "results",
    "Write what happens as JSON lines to this file; without a name, to standard error instead of progress",
    { value: "FILE", more: true },
  ),
  otel: string(
    "results",
    "At the end send a span for each request to this collector of OpenTelemetry; without a value, to that of OTEL_EXPORTER_OTLP_ENDPOINT",
    { value: "URL", more: true },
  ),
  cache: onUnlessNo("what", "Ask judges again, also what they replied to before", {
    more: true,
  }),
  ...failOnFlag,
  budget: count("limits", "Send at most this many requests (throttled ones not counted)", { least: 1 }),
  "max-cost": count("limits", "Start nothing more when this much is spent, by the prices of the suite", {
    more: true,
    above: 0,
  }),
  "max-duration": string("limits", "Start nothing more after this long, such as 3h", { value: "TIME", more: true }),
  "max-failures": count("limits", "Stop when this many jobs have failed", { more: true, least: 1 }),
  ...graceFlag,
} as const satisfies Flags;

/** The flag of commands that may compare with what was run before. */
export const againstFlag = {
  against: string(
    "what",
    "Compare each target with the one of its name in this pin, exported pin (a file) or batch; or REF:TARGET",
    { value: "REF" },
  ),
} as const satisfies Flags;

/** The flag of commands that send the cases of a suite. */
export const preflightFlag = {
  preflight: onUnlessNo("what", "Send all at once, without trying the scorers and one case of each target before", {
    more: true,
  }),
} as const satisfies Flags;

/** The flag of commands that may run the code of a suite file. */
export const codeFlag = {
  code: onUnlessNo("what", "Refuse a suite file with modules or commands of its own", {
    more: true,
  }),
} as const satisfies Flags;

/** The flag of commands that resume a batch, or have it sent by workers. */
export const inDoubtFlag = {
  "on-in-doubt": word(
    "what",
    "What becomes of requests in flight when their process dies (default: what the suite says)",
    { more: true, choices: ["resend", "hold", "fail"] },
  ),
} as const satisfies Flags;

/** The flag of commands that go on with a batch that was decided before its end. */
export const restFlag = {
  rest: toggle("what", "Also send what was left out when the batch was decided (--stop-when decided)", { more: true }),
} as const satisfies Flags;

/** The flag of a resume that asks again what ended without an answer. */
export const failedFlag = {
  failed: toggle("what", "Also ask again the rows that ended without an answer"),
} as const satisfies Flags;

/** The flag of commands that send cases. */
export const waitFlag = {
  "wait-for-service": string(
    "limits",
    "Wait this long for a service that cannot be reached, such as 30m (default: 5m once it has answered)",
    { value: "TIME", more: true },
  ),
} as const satisfies Flags;

export type SendFlags = InferredOptionTypes<typeof sendFlags>;

/** Limits of a run's spending, from the flags. Throws USAGE for what is no duration. */
export function limitsOf(flags: SendFlags): BudgetLimits {
  const longest = flags["max-duration"];
  return {
    requests: flags.budget ?? null,
    cost: flags["max-cost"] ?? null,
    failures: flags["max-failures"] ?? null,
    durationMs: longest === undefined ? null : durationOf("--max-duration", longest),
  };
}

/** Milliseconds for which what is in flight is waited for after a signal. Throws USAGE for what is no duration. */
export function graceOf({ grace }: InferredOptionTypes<typeof graceFlag>, env: NodeJS.ProcessEnv): number {
  if (grace !== undefined) return durationOf("--grace", grace);
  return env["GITHUB_ACTIONS"] === "true" ? graceOnGithubMs : defaultGraceMs;
}

/** Milliseconds for which a service that cannot be reached is waited for; null: what the suite says. */
export function waitOf(flags: InferredOptionTypes<typeof waitFlag>): number | null {
  const longest = flags["wait-for-service"];
  return longest === undefined ? null : durationOf("--wait-for-service", longest);
}

/** Milliseconds that a flag says. Throws USAGE for what is no duration. */
export function durationOf(flag: string, written: string): number {
  const ms = durationMs(written);
  if (ms !== null) return ms;
  throw new AppError("USAGE", `${flag} takes a duration such as 30s, 10m or 3h; got "${written}".`);
}
