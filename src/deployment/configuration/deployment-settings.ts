import { z } from "zod";
import { faultRules } from "../faults/fault-rules.ts";

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
});
export type LimitSettings = z.infer<typeof limitSettings>;

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
  limits: limitSettings.optional().describe("Its own limits instead of the deployment's."),
});
export type KeySettings = z.infer<typeof keySettings>;

/** `deployment.yaml` of a served directory; every key has a default, and so has the file. */
export const deploymentSettings = z.strictObject({
  keys: z
    .array(keySettings)
    .refine((keys) => new Set(keys.map(({ key }) => key)).size === keys.length, "two entries have the same key")
    .refine((keys) => new Set(keys.map(({ name }) => name)).size === keys.length, "two entries have the same name")
    .default([])
    .describe("The keys there are. With none, any well-formed bearer is accepted, and a request without one."),
  require_key: z.boolean().default(false).describe("Answer 401 to a request without a key even when `keys` is empty."),
  limits: limitSettings.prefault({}).describe("Limits per key and endpoint, for keys without their own."),
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
  allowed_hosts: z
    .array(z.string().min(1))
    .default([])
    .describe("Further names that may stand in the Host header of a deployment that is reached from elsewhere."),
});
export type DeploymentSettings = z.infer<typeof deploymentSettings>;
