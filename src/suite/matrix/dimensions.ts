import { AppError } from "../../errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { listKeys } from "./grid.ts";

/** Values of dimensions that flags lay over a suite, as its matrix has them under `vary`. */
export type VariedByFlags = Readonly<Record<string, JsonValue[]>>;

/** The keys of a matrix that say what a dimension has. */
const listed: Readonly<Record<string, string>> = { ...listKeys, prompt: "prompt" };

/**
 * A suite as it is written, with dimensions laid over it: over its matrix, or over its only target, which becomes one. Throws
 * USAGE where it lists several targets.
 */
export function withDimensions(suite: unknown, given: VariedByFlags, path: string): unknown {
  if (Object.keys(given).length === 0 || !isJsonObject(suite)) return suite;
  const { targets, ...rest } = suite;
  const matrix = suite["matrix"];
  if (isJsonObject(matrix)) return { ...suite, matrix: varied(matrix, given) };
  if (!isJsonObject(targets)) return suite;
  const [only, ...others] = Object.values(targets);
  if (only === undefined || others.length > 0 || !isJsonObject(only) || only["answers"] !== undefined) {
    throw new AppError(
      "USAGE",
      `--vary and --prompt-file need a matrix, or a single target; ${path} lists its targets.`,
      {
        hint: "Write them as `matrix:` with `vary:`, or choose by hand: a target for each.",
      },
    );
  }
  const { deployment, example_id: id, model, ...shared } = only;
  const made: JsonObject = {
    ...shared,
    ...(deployment !== undefined && { deployments: [deployment] }),
    ...(id !== undefined && { example_ids: [id] }),
    ...(model !== undefined && { models: [model] }),
  };
  return { ...rest, matrix: varied(made, given) };
}

/** The matrix with the values of flags in place of its own for the same dimensions. */
function varied(matrix: JsonObject, given: VariedByFlags): JsonObject {
  const replaced = new Set(Object.keys(given).map((dimension) => listed[dimension]));
  const kept = Object.fromEntries(Object.entries(matrix).filter(([key]) => !replaced.has(key)));
  const own = isJsonObject(matrix["vary"]) ? matrix["vary"] : {};
  return { ...kept, vary: { ...own, ...given } };
}
