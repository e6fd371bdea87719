import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isTemplate } from "../lib/liquid-name.ts";
import { isJsonObject, type JsonObject } from "../lib/json.ts";
import { showText } from "../lib/show.ts";
import { scorerOfType } from "./registry.ts";
import { gradeFileOptions } from "./own/from-file.ts";
import { readGrades } from "./own/grades-file.ts";
import type { OptionFault } from "./contract/scorer.ts";
import { loadSchemas, schemaCheck } from "./json/schema-check.ts";
import { loadLiquid, templateText, valueIsPattern } from "./contract/expected.ts";

/** A fault at a key of an entry, and where in a list it stands. */
interface MakingFault extends OptionFault {
  at: number | null;
}

/**
 * Finds the faults of an entry of `scorers` that passed the schema, which are only seen by making it: templates that
 * are not Liquid, schemas that are none, and files that are not in the folder. Programs and modules are not started.
 */
export async function makingFaults(
  entry: JsonObject,
  { folder, targets }: { folder: string; targets: readonly string[] },
): Promise<MakingFault[]> {
  const name = entry["type"];
  const type = typeof name === "string" ? scorerOfType(name) : null;
  if (type === null || !type.schema.safeParse(entry).success) return [];
  return [
    ...(await templateFaults(entry, templateKeys(type.keys))),
    ...(await schemaFaults(entry)),
    ...fileFaults(entry, folder),
    ...gradeFaults(entry, { folder, targets }),
  ];
}

/** Keys whose texts may be templates. A path is none, whatever it holds. */
const maybeTemplates = ["value", "equals", "contains", "expected_urls", "language", "rubric", "template"];

function templateKeys(keys: Readonly<Record<string, unknown>>): string[] {
  return maybeTemplates.filter((key) => key in keys && !(key === "value" && valueIsPattern(keys)));
}

async function templateFaults(entry: JsonObject, keys: readonly string[]): Promise<MakingFault[]> {
  const texts = keys.flatMap((key): { key: string; at: number | null; text: unknown }[] => {
    const value = entry[key];
    return Array.isArray(value) ? value.map((text, at) => ({ key, at, text })) : [{ key, at: null, text: value }];
  });
  const faults: MakingFault[] = [];
  for (const { key, at, text } of texts) {
    if (typeof text !== "string" || !isTemplate(text)) continue;
    await loadLiquid();
    const message = thrown(() => void templateText(text));
    if (message !== null) faults.push({ key, at, message: `is not a Liquid template: ${message}` });
  }
  return faults;
}

async function schemaFaults({ type, schema }: JsonObject): Promise<MakingFault[]> {
  const given = schema ?? null;
  if ((type !== "json-schema" && type !== "shape") || !isJsonObject(given)) return [];
  await loadSchemas();
  const message = thrown(() => void schemaCheck(given));
  return message === null ? [] : [{ key: "schema", at: null, message: `is not a JSON Schema: ${message}` }];
}

function fileFaults({ type, file }: JsonObject, folder: string): MakingFault[] {
  if (type !== "module" || typeof file !== "string" || existsSync(resolve(folder, file))) return [];
  return [{ key: "file", at: null, message: `is ${showText(file)}, and there is no file ${resolve(folder, file)}` }];
}

/** Grades of a file that cannot be read, or that are of none of the targets. */
function gradeFaults(
  entry: JsonObject,
  { folder, targets }: { folder: string; targets: readonly string[] },
): MakingFault[] {
  if (entry["type"] !== "from-file") return [];
  const options = gradeFileOptions.parse(entry);
  const grades = readGrades(resolve(folder, options.file), options);
  if ("message" in grades) return [{ key: "file", at: null, message: `${grades.message}. ${grades.hint}` }];
  if (options.run !== undefined || targets.length === 0 || grades.targets.some((name) => targets.includes(name)))
    return [];
  const message = `${options.file}:1:1 has no column named like a target (${shownNames(targets)}); it has ${shownNames(grades.targets)}. Name the columns of grades like the targets.`;
  return [{ key: "file", at: null, message }];
}

const shownNames = (names: readonly string[]): string => names.map((name) => showText(name)).join(", ");

function thrown(make: () => void): string | null {
  try {
    make();
    return null;
  } catch (cause) {
    return (cause instanceof Error ? cause.message : String(cause)).split("\n", 1)[0] ?? "";
  }
}
