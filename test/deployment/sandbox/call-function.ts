import type { FunctionsOutput } from "../../../src/api/functions-schema.ts";
import type { JsonObject } from "../../../src/lib/json.ts";
import { runFunction } from "../../../src/deployment/sandbox/run-function.ts";
import { type SandboxLimits, sandboxLimits } from "../../../src/deployment/sandbox/sandbox-limits.ts";

/** Runs a source as `index.js`. */
export function callSource(
  source: string,
  request: { variables?: JsonObject; body?: JsonObject; limits?: Partial<SandboxLimits> } = {},
): Promise<FunctionsOutput> {
  return runFunction({
    source,
    fileName: "index.js",
    variables: request.variables ?? {},
    body: request.body ?? {},
    limits: sandboxLimits.parse(request.limits ?? {}),
  });
}

/** Runs the statements of a function of `(variables, body)`. */
export function callFunction(
  statements: string,
  request: Parameters<typeof callSource>[1] = {},
): Promise<FunctionsOutput> {
  return callSource(`export default async function (variables, body) {\n${statements}\n}`, request);
}
