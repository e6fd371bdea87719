import { parse } from "yaml";
import { AppError } from "../../errors.ts";
import { type JsonValue, isJsonObject } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";

/** Dimensions whose values are texts, whatever they look like. */
const texts: ReadonlySet<string> = new Set(["model", "example_id", "deployment"]);

/** The values of each key, as a suite's matrix has them under `vary`. Throws USAGE. */
export function variedBy(given: readonly string[]): Record<string, JsonValue[]> {
  const varied = new Map<string, JsonValue[]>();
  for (const text of given) {
    const [, key = "", written = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (key.trim() === "" || written.trim() === "") throw malformed(text);
    if (key === "prompt") {
      throw new AppError("USAGE", "Prompts are compared with --prompt-file, once for each.", {
        hint: "For example: --prompt-file a.txt --prompt-file b.txt",
      });
    }
    if (varied.has(key)) {
      throw new AppError("USAGE", `--vary ${key} is given twice.`, { hint: `Write all values in one: ${key}=A,B` });
    }
    varied.set(key, valuesOf(key, written, text));
  }
  return Object.fromEntries(varied);
}

/** The values between commas, as YAML writes those of a list; in quotes they may hold commas themselves. */
function valuesOf(key: string, written: string, text: string): JsonValue[] {
  try {
    const values: unknown = parse(`[${written}]`, { schema: texts.has(key) ? "failsafe" : "core", stringKeys: true });
    if (Array.isArray(values) && values.length > 0 && values.every(isJson)) return values;
  } catch {
    // Told below.
  }
  throw malformed(text);
}

function isJson(value: unknown): value is JsonValue {
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value === "number") return Number.isFinite(value);
  return value === null || ["string", "boolean"].includes(typeof value) || isJsonObject(value);
}

const malformed = (text: string): AppError =>
  new AppError("USAGE", `--vary takes KEY=A,B; got ${showText(text)}.`, {
    hint: 'For example: --vary body.sampling_temperature=0,0.5, or --vary \'body.stop=["."],["!"]\'',
  });
