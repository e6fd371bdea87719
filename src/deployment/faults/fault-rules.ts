import { z } from "zod";
import { serviceEndpoints } from "../../api/endpoint-name.ts";
import { AppError } from "../../errors.ts";
import { faultsOf } from "../../lib/fault.ts";

/** Every fault, with when it happens (`before` the run: none is made and none is paid; `after`: it was) and what it is. */
export const faultKinds = {
  delay: {
    phase: "before",
    about: "The run begins `delay_ms` later, and `grow_ms` more for each delayed one before it.",
  },
  hang: { phase: "after", about: "The run is made; not a byte of its answer is ever sent." },
  "401": { phase: "before", about: "The key is refused." },
  "401-run": { phase: "after", about: "The run needs a login elsewhere: 401 with `detail.id`; not paid." },
  "402": { phase: "before", about: "No credits; no run." },
  "402-run": { phase: "after", about: "No credits: 402 with `detail.id`; not paid." },
  "403": { phase: "before", about: "The key is not known." },
  "404": { phase: "before", about: "There is no such example_id." },
  "422": { phase: "before", about: "The body does not fit." },
  "429-requests": { phase: "before", about: "Too many requests a minute; Retry-After is `retry_after_ms`." },
  "429-concurrency": { phase: "before", about: "Too many runs at once; Retry-After is `retry_after_ms`." },
  "500-run": { phase: "after", about: "The run failed: 500 with `detail.id` and `text`; not paid." },
  "500": { phase: "after", about: "Unhandled: 500 with a string as detail, after the run." },
  "502": { phase: "after", about: "A proxy's page of HTML with status 502, after the run." },
  "503": { phase: "before", about: "A proxy's page of HTML with status 503 and Retry-After." },
  "504": { phase: "after", about: "A proxy's page of HTML with status 504, after the run." },
  "login-page": { phase: "before", about: "Status 200 with the page of a login in HTML." },
  "truncated-json": { phase: "after", about: "A complete answer of 200 whose JSON breaks off in the middle." },
  "reset-before-headers": { phase: "after", about: "The connection is reset before a byte of the answer." },
  "reset-after-headers": { phase: "after", about: "The connection is reset in the middle of the body." },
  "slow-drip": { phase: "after", about: "The body arrives in small pieces over `delay_ms`." },
  "huge-body": { phase: "after", about: "The record carries `megabytes` MB of padding." },
  standby: { phase: "after", about: "A run of the asynchronous form stays in `standby` for ever; any other is made." },
  forgotten: { phase: "after", about: "A run of the asynchronous form is not known any more once it was taken." },
  "13-members": { phase: "after", about: "The output has 13 members." },
  "no-id": { phase: "after", about: "The record has no id." },
  "wide-output": { phase: "after", about: "The output echoes the request's fields." },
} as const satisfies Record<string, { phase: "before" | "after"; about: string }>;

export type FaultKind = keyof typeof faultKinds;
const kindNames = Object.keys(faultKinds).filter((name): name is FaultKind => Object.hasOwn(faultKinds, name));

/** One rule: which fault, for which requests, how often. Without rate, nth, every and first it is always. */
export const faultRule = z
  .strictObject({
    kind: z
      .preprocess((kind) => (typeof kind === "number" ? String(kind) : kind), z.enum(kindNames))
      .describe("What goes wrong."),
    endpoint: z.enum(serviceEndpoints).optional().describe("Only on this endpoint."),
    example_id: z.string().optional().describe("Only with this example_id."),
    prompt: z.string().min(1).optional().describe("Only where the body's text contains this."),
    rate: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe("The share of the matching requests that fail, drawn by `seed`."),
    nth: z.int().min(1).optional().describe("Only the nth matching request."),
    every: z.int().min(1).optional().describe("Every so manyeth matching request."),
    first: z.int().min(1).optional().describe("Only the first so many matching requests."),
    seed: z
      .union([z.string(), z.number()])
      .default(1)
      .describe(
        "The same seed fails the same bodies, in whatever order they arrive; sent again, a body is drawn anew.",
      ),
    delay_ms: z.number().min(0).max(3_600_000).default(1000).describe("For delay and slow-drip."),
    grow_ms: z
      .number()
      .min(0)
      .max(3_600_000)
      .default(0)
      .describe("For delay: how much longer each request waits than the one before it. A service that gets slower."),
    retry_after_ms: z.number().min(0).max(3_600_000).default(1000).describe("For 429 and 503."),
    megabytes: z.number().min(0.001).max(500).default(10).describe("For huge-body."),
    text: z.string().default("(HTTP 503) upstream model is overloaded").describe("For 500-run."),
  })
  .refine((rule) => [rule.rate, rule.nth, rule.every, rule.first].filter((value) => value !== undefined).length <= 1, {
    message: "give at most one of rate, nth, every and first",
  });
export type FaultRule = z.infer<typeof faultRule>;
/** A rule as it is written: what has a default may be left out. */
export type FaultRuleInput = Omit<z.input<typeof faultRule>, "kind"> & { kind: FaultKind };

/** The rules of a deployment, in the order in which they are looked at. */
export const faultRules = z.array(faultRule);

/** Reads rules that come from elsewhere than a file; what does not fit raises `DEPLOYMENT_INVALID`. */
export function readFaultRules(value: unknown): FaultRule[] {
  const faults = faultsOf(faultRules, value).map(({ path, message, hint }) => {
    const [index = "", ...key] = path;
    const place = path.length === 0 ? "the list" : ["rule", Number(index) + 1, ...key].join(" ");
    return `  ${place}: ${message}${hint === null ? "" : `. ${hint}`}`;
  });
  if (faults.length === 0) return faultRules.parse(value);
  throw new AppError("DEPLOYMENT_INVALID", `These rules of faults do not fit:\n${faults.join("\n")}`);
}
