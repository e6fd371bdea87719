import { z } from "zod";
import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import { faultRules } from "../faults/fault-rules.ts";
import { recordStyle } from "../record/record-style.ts";

const duration = z.number().min(1).max(86_400_000);

/** Limits of one key on one endpoint; null is no limit. */
const limitSettings = z.strictObject({
  requests: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe("Requests in a window; the service allows 6 free, 10 paid."),
  window_ms: duration.default(60_000).describe("Length of the sliding window; tests shorten it."),
  concurrent: z.int().min(1).nullable().default(null).describe("Runs at once; the service allows 2 free, 4 paid."),
  concurrent_window_ms: duration.default(1_800_000).describe("Only named in the text of a refusal."),
  concurrent_retry_ms: duration.default(120_000).describe("The guess in Retry-After when too many run at once."),
});
export type LimitSettings = z.infer<typeof limitSettings>;

const ownLimits = limitSettings.optional().describe("The limits on this endpoint instead of those beside it.");

/** Limits of a key on all endpoints, or on each its own. */
const endpointLimits = limitSettings.extend({
  "video-bots": ownLimits,
  functions: ownLimits,
} satisfies Record<ServiceEndpoint, z.ZodType>);

const keySettings = z.strictObject({
  key: z
    .string()
    .regex(/^\S+$/, "a key has no spaces")
    .describe("The key itself. Not a secret worth keeping: it opens only this deployment."),
  name: z.string().min(1).describe("What the log and the journal call it."),
  credits: z
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe("Credits it begins with; null never runs out, and its balance is always 1000000."),
  limits: endpointLimits.optional().describe("Its own limits instead of the deployment's."),
});
export type KeySettings = z.infer<typeof keySettings>;

/** `deployment.yaml` of a served directory; every key has a default, and so has the file. */
export const deploymentSettings = z.strictObject({
  name: z.string().min(1).default("tandem").describe("Shown on the pages."),
  keys: z
    .array(keySettings)
    .refine((keys) => new Set(keys.map(({ key }) => key)).size === keys.length, "two entries have the same key")
    .refine((keys) => new Set(keys.map(({ name }) => name)).size === keys.length, "two entries have the same name")
    .default([])
    .describe("The keys there are. With none, any well-formed bearer is accepted, and a request without one."),
  require_key: z.boolean().default(false).describe("Answer 401 to a request without a key even when `keys` is empty."),
  limits: endpointLimits.prefault({}).describe("Limits per key and endpoint, for keys without their own."),
  out_of_credits: z
    .enum(["plain", "run"])
    .default("plain")
    .describe("Whether a 402 carries the id of a run that was begun."),
  default_bot: z
    .string()
    .nullable()
    .default(null)
    .describe("The configuration of bots/ for a blank example_id; null takes the first by name."),
  default_function: z
    .string()
    .nullable()
    .default(null)
    .describe("The configuration of functions/ for a blank example_id; null takes the first by name."),
  record: recordStyle.prefault({}).describe("How records are written, where a configuration does not say otherwise."),
  async: z
    .strictObject({
      standby_ms: z.number().min(0).max(86_400_000).default(0).describe("Time in `standby`, before a run begins."),
      starting_ms: z.number().min(0).max(86_400_000).default(0).describe("Time in `starting`, after that."),
    })
    .prefault({})
    .describe("States of runs that are submitted and asked for (`/v3/.../async`)."),
  faults: faultRules.default([]).describe("What goes wrong; see the table of faults."),
  journal: z
    .union([z.boolean(), z.string().min(1)], "must be true, false or the name of a file")
    .default(false)
    .describe("Keep every request and serve /journal and /faults; a text is a JSONL file to append it to as well."),
  journal_entries: z.int().min(1).max(1_000_000).default(10_000).describe("Entries the journal keeps in memory."),
  recent_runs: z.int().min(1).max(100_000).default(500).describe("Runs that are kept in memory, for their addresses."),
  allowed_hosts: z
    .array(z.string().min(1))
    .default([])
    .describe("Further names that may stand in the Host header of a deployment that is reached from elsewhere."),
});
export type DeploymentSettings = z.infer<typeof deploymentSettings>;
