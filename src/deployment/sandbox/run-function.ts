import type { FunctionsOutput } from "../../api/functions-schema.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { runInPool, stopPool } from "./pool.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";

/** One run of a function. */
export interface FunctionCall {
  /** An ES module whose default export is a function of `(variables, body)`, async or not. */
  source: string;
  /** Name of the source in stack traces and messages. */
  fileName: string;
  /** The merged variables of the request. */
  variables: JsonObject;
  /** The whole merged request: the second argument. Its fields, except `variables`, are also in the first argument, where variables win. */
  body: JsonObject;
  limits: SandboxLimits;
}

/** Runs a function in the sandbox. Never rejects for what the function does: that is in `error` and `logs`. */
export async function runFunction(call: FunctionCall): Promise<FunctionsOutput> {
  const { variables: _, ...named } = call.body;
  const { valueJson, error, logs } = await runInPool({
    source: call.source,
    fileName: call.fileName,
    variablesJson: JSON.stringify({ ...named, ...call.variables }),
    bodyJson: JSON.stringify(call.body),
    limits: call.limits,
  });
  const value: JsonValue = JSON.parse(valueJson);
  return { return_value: value, error, logs };
}

/** Ends the threads of the sandbox; runs that are in them end with an error. */
export async function stopSandbox(): Promise<void> {
  await stopPool();
}
