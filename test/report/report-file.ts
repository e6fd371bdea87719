import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/lib/json.ts";
import type { ReportJson } from "../../src/report/formats/json/report-json.ts";

const published = new URL("../../dist/schemas/report.schema.json", import.meta.url);

/** The published schema of `report.json`. */
export const reportSchema = (): JsonObject => JSON.parse(readFileSync(published, "utf8"));

let check: ValidateFunction | undefined;

/** What is wrong with a `report.json` by the published schema, where members that this does not know are wrong too. */
export function reportFaults(report: unknown): string[] {
  check ??= new Ajv2020({ allErrors: true, strict: false, validateFormats: false }).compile(closed(reportSchema()));
  if (check(report)) return [];
  return (check.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(" "),
  );
}

/** A `report.json` that has what its schema says, and nothing else. */
export function reportFrom(text: string): ReportJson {
  const report: ReportJson = JSON.parse(text);
  const faults = reportFaults(report);
  if (faults.length > 0) throw new Error(`report.json is not what its schema says:\n${faults.join("\n")}`);
  return report;
}

/** The schema as it would be if no member could be added. */
function closed(schema: JsonObject): JsonObject {
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closedValue(value)]));
  const { type, properties, additionalProperties } = inside;
  const isOpen = type === "object" && isJsonObject(properties) && additionalProperties === undefined;
  return isOpen ? { ...inside, additionalProperties: false } : inside;
}

function closedValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(closedValue);
  return isJsonObject(value) ? closed(value) : value;
}
