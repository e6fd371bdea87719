import { parse } from "yaml";
import { AppError } from "../../errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { schemaKeys } from "../../lib/fault.ts";
import { replacementOf } from "../../lib/replaced.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { bodySteps, withValueAt } from "../body-path.ts";
import type { Fault, FaultPath } from "../../lib/fault.ts";
import { suiteFile } from "../schema/schema.ts";
import { limitKeys } from "../schema/target-schema.ts";

/** A suite with values of `--set` in it. */
export interface SetSuite {
  value: unknown;
  /** A fault of one of its values in a sentence that names `--set KEY`. */
  lineOf: (fault: Fault) => string | null;
}

/**
 * A suite as it is written, with the values of `--set KEY=VALUE` in it, which the schema then checks as those of the file. A key
 * has dots, and positions of lists from 0 (`scorers.0.max`); a limit alone (`timeout`) is that of every deployment; `null` takes
 * the key out. Throws USAGE for what is no key with a value.
 */
export function withSetValues(written: unknown, given: readonly string[]): SetSuite {
  if (!isJsonObject(written)) return { value: written, lineOf: () => null };
  const places: { key: string; path: FaultPath }[] = [];
  const value = given.reduce<JsonObject>((suite, text) => {
    const [, key = "", typed = ""] = /^([^=\s]+)=(.*)$/su.exec(text) ?? [];
    const steps = bodySteps(key);
    if (key === "" || typeof steps === "string") throw malformed(text);
    if (typed.trim() === "")
      throw new AppError("USAGE", `--set ${key}= has no value.`, {
        hint: `Write one, or --set ${key}=null to take the key out.`,
      });
    const set = valueOf(typed, text);
    // A suite of stored answers has no deployments, and nothing to limit.
    const deployments = isJsonObject(suite["deployments"]) ? Object.keys(suite["deployments"]) : [];
    const paths = Object.hasOwn(limitKeys, key) ? deployments.map((name) => ["deployments", name, key]) : [steps];
    return paths.reduce<JsonObject>((each, path) => {
      const made = withValueAt(each, path, set);
      if (typeof made === "string") throw new AppError("USAGE", `--set ${key} ${made}.`);
      places.push({ key, path });
      return made;
    }, suite);
  }, written);
  const lineOf = (fault: Fault): string | null => {
    const place = places.find(({ path }) => isWithin(fault.path, path) || isNewKey(fault, path, written));
    return place === undefined ? null : lineAt(fault, place.key);
  };
  return { value, lineOf };
}

/** The keys that `--set` takes, with dots: those of maps and lists have the names that the suite gives them, and are left out. */
export const setKeys = (): string[] => [...Object.keys(limitKeys), ...schemaKeys(suiteFile)];

/** Throws USAGE for those of the faults that values of `--set` have. */
export function refuseSetFaults({ lineOf }: SetSuite, faults: readonly Fault[]): void {
  const lines = faults.flatMap((fault) => lineOf(fault) ?? []);
  if (lines.length > 0) throw new AppError("USAGE", [...new Set(lines)].join("\n"));
}

function lineAt({ path, message, hint, atKey }: Fault, key: string): string {
  const advice = atKey ? (keyAdvice(String(path.at(-1)), key) ?? hint) : hint;
  return `--set ${key}${atKey ? ":" : ""} ${message}${advice === null ? "" : `. ${advice}`}`;
}

/** The key that was meant: by its whole name, or by its last step where the section was left out. */
function keyAdvice(unknown: string, key: string): string | null {
  const known = setKeys();
  const ofSection = known.find((each) => each.endsWith(`.${key}`));
  if (ofSection !== undefined) return `Did you mean "${ofSection}"?`;
  return replacementOf("key", unknown) ?? didYouMean(key, known);
}

const isWithin = (path: FaultPath, set: FaultPath): boolean => set.every((step, i) => String(path[i]) === String(step));

/** True for an unknown key on the way to a value that was set, which the file itself does not have. */
function isNewKey({ path, atKey }: Fault, set: FaultPath, written: JsonObject): boolean {
  return atKey && isWithin(set, path) && valueAt(written, path) === undefined;
}

function valueAt(written: JsonValue, path: FaultPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)];
    return isJsonObject(at) ? at[String(step)] : undefined;
  }, written);
}

/** The value as YAML reads it; undefined for `null`, which takes the key out. */
function valueOf(typed: string, text: string): JsonValue | undefined {
  try {
    const value: JsonValue = parse(typed, { schema: "core" });
    return value ?? undefined;
  } catch {
    throw malformed(text);
  }
}

const malformed = (text: string): AppError =>
  new AppError("USAGE", `--set takes KEY=VALUE; got ${showText(text)}.`, {
    hint: "For example: --set timeout=30s, or --set compare.noise_repeats=2",
  });
