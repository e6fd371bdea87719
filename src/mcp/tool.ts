import { z } from "zod";
import { AppError } from "../errors.ts";
import type { JsonObject } from "../lib/json.ts";
import type { Wanted } from "../viewer/server/wanted-comparison.ts";
import type { ResultsReader } from "./open-results.ts";

/** A question that an agent can ask. Nothing is changed by any. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  /** JSON Schema of its arguments. */
  inputSchema: object;
  /** Reads what is asked for. Throws USAGE, and what opening a comparison throws. */
  call: (results: ResultsReader, given: JsonObject, signal: AbortSignal) => Promise<ToolResult>;
}

/** The answer of a tool, before it is bounded. */
export interface ToolResult {
  value: object;
  /** Characters of one text. */
  text?: number;
  /** Where long texts begin. */
  textFrom?: number;
}

interface ToolOptions<Options> {
  name: string;
  title: string;
  description: string;
  input: z.ZodType<Options>;
  call: (results: ResultsReader, given: Options, signal: AbortSignal) => ToolResult | Promise<ToolResult>;
}

/** A tool whose arguments are checked before it is called. */
export function defineTool<Options>({ input, call, ...about }: ToolOptions<Options>): Tool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: "input" });
  return {
    ...about,
    inputSchema,
    call: async (results, given, signal) => call(results, checked(input, given), signal),
  };
}

function checked<Options>(input: z.ZodType<Options>, given: JsonObject): Options {
  const read = input.safeParse(given);
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path, message }) => `${path.join(".") || "arguments"}: ${message}`);
  throw new AppError("USAGE", faults.join("; "));
}

/** The arguments that say which comparison is meant. */
export const comparisonArguments = {
  batch: z
    .string()
    .min(1)
    .optional()
    .describe("Name of a batch, SUITE~N (the N-th before the latest of a suite), or latest, which is the default"),
  against: z
    .string()
    .min(1)
    .optional()
    .describe("A pin or another batch that the batch is compared with, or REF:TARGET; default: as it was run"),
  sides: z
    .array(z.string().min(1))
    .min(2)
    .max(8)
    .optional()
    .describe("In the place of batch: what to compare, each BATCH:TARGET or PIN:TARGET, the baseline first"),
};

type ComparisonArguments = z.infer<z.ZodObject<typeof comparisonArguments>>;

/** Throws USAGE where both a batch and sides are named. */
export function wantedOf({ batch, against, sides }: ComparisonArguments): Wanted {
  if (sides !== undefined && (batch !== undefined || against !== undefined))
    throw new AppError("USAGE", "sides stand alone.", { hint: "Leave out batch and against, or leave out sides." });
  return { batch: batch ?? null, against: against ?? null, sides: sides ?? [] };
}
