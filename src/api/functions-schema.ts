import { z } from "zod";

/** Body of `POST /v2/functions`: values reach the function through `variables` or by name. */
export const functionsBody = z.looseObject({
  variables: z.record(z.string(), z.json()).nullish(),
});

const logEntry = z.looseObject({
  level: z.enum(["log", "warn", "error", "info", "debug", "trace"]),
  message: z.string(),
});
export type LogEntry = z.infer<typeof logEntry>;

/** Output of a function: its return value of any type, an error slot and what it logged. */
export const functionsOutput = z.looseObject({
  return_value: z.json().optional(),
  error: z.json().optional(),
  logs: z.array(logEntry).nullish(),
});
export type FunctionsOutput = z.infer<typeof functionsOutput>;
