import { parse } from "yaml";
import { AppError } from "../../errors.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { limitKeys } from "../schema/target-schema.ts";

/**
 * A suite as it is written, with the values of `--set KEY=VALUE` in it, which the schema then checks as those of the file. A key
 * has dots (`compare.noise_repeats`); a limit alone (`timeout`) is that of every deployment; without a value the key goes.
 * Throws USAGE for what is no key with a value.
 */
export function withSetValues(written: unknown, given: readonly string[]): unknown {
  if (!isJsonObject(written)) return written;
  return given.reduce<JsonObject>((suite, text) => {
    const [, key, value = ""] = /^([^=\s]+)=(.*)$/su.exec(text) ?? [];
    if (key === undefined) throw malformed(text);
    const path = key.split(".");
    if (path.some((step) => step === "" || step === "__proto__")) throw malformed(text);
    if (!Object.hasOwn(limitKeys, key)) return placed(suite, path, valueOf(value, text));
    // A suite of stored answers has none, and nothing to limit.
    const deployments = isJsonObject(suite["deployments"]) ? Object.keys(suite["deployments"]) : [];
    return deployments.reduce((each, name) => placed(each, ["deployments", name, key], valueOf(value, text)), suite);
  }, written);
}

function placed(object: JsonObject, [step = "", ...rest]: readonly string[], value: JsonObject[string]): JsonObject {
  const { [step]: before, ...others } = object;
  if (rest.length > 0) return { ...object, [step]: placed(isJsonObject(before) ? before : {}, rest, value) };
  return value === null ? others : { ...object, [step]: value };
}

/** The value as YAML reads it. */
function valueOf(written: string, text: string): JsonObject[string] {
  try {
    const value: JsonObject[string] = parse(written, { schema: "core" });
    return value ?? null;
  } catch {
    throw malformed(text);
  }
}

const malformed = (text: string): AppError =>
  new AppError("USAGE", `--set takes KEY=VALUE; got ${showText(text)}.`, {
    hint: "For example: --set timeout=30s, or --set compare.noise_repeats=2",
  });
