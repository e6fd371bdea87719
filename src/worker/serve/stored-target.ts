import { z } from "zod";
import type { EndpointName } from "../../api/endpoint-name.ts";
import type { RunTarget } from "../../runner/run-target.ts";
import { storedJson } from "../../lib/stored-json.ts";
import { isEndpoint } from "../../store/stored-suite.ts";
import type { SliceTarget } from "../postgres/slice.ts";

const price = z.union([z.number(), z.object({ run: z.number(), input: z.number(), output: z.number() })]);

/** The parts of a target that a runner needs. Files are left out: a worker reads none of its machine for somebody else. */
const fields = z.looseObject({
  endpoint: z.custom<EndpointName>((name) => typeof name === "string" && isEndpoint(name)),
  exampleId: z.string(),
  mode: z.literal("async").optional(),
  price: price.nullish(),
  body: z.string(),
  history: z.object({ user: z.record(z.string(), z.json()), assistant: z.record(z.string(), z.json()) }).optional(),
});

type Fields = z.infer<typeof fields>;
const isFields = (value: unknown): value is Fields => fields.safeParse(value).success;

/** A target as its submitter has stored it, with so many unfinished jobs. Throws DATABASE_INVALID for one of a stranger. */
export function storedTarget({ id, name, data }: SliceTarget, unfinished: number): RunTarget {
  const { endpoint, exampleId, mode, price: cost, body, history } = storedJson(data, "a target", isFields);
  return {
    id,
    name,
    endpoint,
    exampleId,
    body,
    unfinished,
    price: cost ?? null,
    ...(mode !== undefined && { mode }),
    ...(history !== undefined && { history }),
  };
}
