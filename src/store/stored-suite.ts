import { z } from "zod";
import { endpointNamed } from "../api/endpoint-name.ts";
import { endpointOf } from "../api/endpoints.ts";
import type { Selection } from "../plan/select.ts";
import type { PassRule } from "../score/contract/case-pass.ts";
import type { GateKind } from "../suite/gate-settings.ts";
import type { Suite } from "../suite/suite.ts";

const text = z.string().max(100_000);
const count = z.number().int().min(0);
const ms = z.number().min(0);
const record = z.record(text, z.json());

const price = z.union([ms, z.looseObject({ run: ms, input: ms, output: ms })]);

const target = z.looseObject({
  name: text,
  deployment: text,
  endpoint: z.string().refine((name) => isEndpoint(name)),
  exampleId: text,
  mode: z.enum(["async"]).optional(),
  keepsHistory: z.literal(true).optional(),
  price: price.optional(),
  body: record,
  stored: z.looseObject({ answer: text, label: text.nullable(), note: text.nullable() }).optional(),
});

const deployment = z.looseObject({
  name: text,
  baseUrl: text,
  keyNames: z.array(text),
  connection: z.looseObject({ headers: z.record(text, text).optional(), proxy: text.optional() }).optional(),
  endpointHeaders: z.array(z.looseObject({ name: text, value: text })).optional(),
  concurrency: count.min(1),
  rate: z.looseObject({ count: count.min(1), windowMs: ms }).nullable(),
  timeoutMs: ms,
  connectTimeoutMs: ms,
  jobTimeoutMs: ms,
  waitForServiceMs: ms.optional(),
  retries: count,
  price: price.nullable(),
});

const spec = z.looseObject({
  name: text,
  type: text,
  primary: z.boolean(),
  weight: z.number(),
  lowerIsBetter: z.boolean().nullable(),
  when: z.record(text, z.array(text)).nullable(),
  range: z.tuple([z.number(), z.number()]).optional(),
  options: record,
});

const pass = z.looseObject({ kind: z.enum(["all", "any", "mean"]), of: z.array(text).nullable(), share: z.number() });

const limits = {
  margin: z.number().nullable(),
  losses: z.number().nullish(),
  cases: z.looseObject({ pass: text }).nullish(),
} satisfies Record<GateKind, z.ZodType>;

const gate = z.looseObject({
  metric: text,
  ...limits,
  of: z.enum(["pass", "value", "median", "ratio"]).nullable(),
  by: text.nullish(),
  confirm: z.boolean().nullish(),
});

/** True for the name or the description of an endpoint. */
export function isEndpoint(name: string): boolean {
  const known = endpointNamed(name);
  try {
    return known !== null && endpointOf(known).prompt !== undefined;
  } catch {
    return false;
  }
}

/** A suite as it is stored; keys that a later tandem adds may be missing in those of an earlier one. */
const suite = z.looseObject({
  name: text,
  datasets: z.array(text),
  mapping: z.looseObject({
    key: text.nullable(),
    input: record.nullable(),
    expected: text.nullable(),
    cluster: text.nullable(),
    independent: z.literal(true).optional(),
    turn: text.nullable(),
    tags: z.array(text),
  }),
  files: z.looseObject({ roots: z.array(text), maxFile: count, maxRequest: count }).optional(),
  deployments: z.array(deployment),
  targets: z.array(target),
  judges: z.array(target).optional(),
  repeats: count.min(1),
  interleave: z.enum(["off", "strict"]),
  onInDoubt: z.enum(["resend", "hold", "fail"]),
  onInDoubtOverWorkers: z.enum(["resend", "hold", "fail"]).optional(),
  onAmbiguous: z.enum(["retry", "fail"]),
  scorers: z.array(spec).optional(),
  pass: pass.optional(),
  compare: z
    .looseObject({
      baseline: text,
      candidates: z.array(text),
      noiseRepeats: count,
      same: z.literal(true).optional(),
    })
    .nullable(),
  decision: z
    .looseObject({
      gates: z.array(gate),
      alpha: z.number(),
      nights: z.number(),
      ignore: z.array(text),
      stopWhen: z.literal("decided").optional(),
      confirm: z.boolean().optional(),
      looks: z.literal(2).optional(),
      secondLook: z.literal(true).optional(),
    })
    .optional(),
  maxErrorShare: z.number(),
  history: z.looseObject({ nightsPerFalseAlarm: count.min(1) }).optional(),
  reports: z.array(text).optional(),
  folder: text.nullable(),
});

const selection = z.looseObject({
  grep: text.nullable(),
  tags: z.record(text, z.array(text)),
  keys: z.array(text),
  failed: text.nullable(),
  changed: text.nullable(),
  sample: count.nullable(),
  limit: count.nullable(),
  shard: z.looseObject({ parts: z.array(count), of: count.min(1) }).nullable(),
  targets: z.array(text),
});

export const isSuite = (value: unknown): value is Suite => suite.safeParse(value).success;

export const isSelection = (value: unknown): value is Selection => selection.safeParse(value).success;

export const isPassRule = (value: unknown): value is PassRule => pass.safeParse(value).success;
