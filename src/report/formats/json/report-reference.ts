import { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { reportFile } from "./report-schema.ts";

/** The JSON Schema of `report.json`. Members that it does not know are allowed: later versions may add some. */
export function reportJsonSchema(): JsonObject {
  // Plain JSON by its definition.
  const schema: JsonObject = JSON.parse(JSON.stringify(z.toJSONSchema(reportFile)));
  const { $schema, ...rest } = schema;
  const head = {
    $schema: $schema ?? null,
    title: "tandem report",
    description: "What a batch came to, as `tandem run` and `tandem report -o report.json` write it.",
  };
  return { ...head, ...opened(rest) };
}

function opened(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).filter(([name, value]) => name !== "additionalProperties" || value !== false);
  return Object.fromEntries(entries.map(([name, value]) => [name, openedValue(value)]));
}

function openedValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(openedValue);
  return isJsonObject(value) ? opened(value) : value;
}

/** The reference of `report.json`, as Markdown: every member with its type and meaning. */
export function reportReference(): string {
  return [
    "# report.json",
    "",
    "Written by `npm run generate` from `src/report/formats/json`; do not edit.",
    "",
    "A run writes `report.json` into the folder of its batch (suite key `reports`), and `tandem report -o result.json`",
    "writes it again from the database. It is one JSON object whose size does not depend on the number of cases, with the",
    "same numbers as every other report; [report.schema.json](report.schema.json) is its JSON Schema. Shares and rates are",
    "between 0 and 1, times are milliseconds, and null is something that is not known. Every row is in `comparison.csv`",
    "and `runs.csv`.",
    "",
    "`version` goes up when a member changes its meaning or goes away. New members may appear at any time.",
    "",
    "What `--json` prints is another form, for scripts that start a run: see [json.md](json.md).",
    "",
    "| Member | Type | Meaning |",
    "|---|---|---|",
    ...membersOf(reportJsonSchema(), "").map(({ path, type, about }) => `| \`${path}\` | ${type} | ${about} |`),
    "",
  ].join("\n");
}

interface MemberRow {
  path: string;
  type: string;
  about: string;
}

function membersOf(schema: JsonObject, prefix: string): MemberRow[] {
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, member]) => {
    if (!isJsonObject(member)) return [];
    const about = typeof member["description"] === "string" ? member["description"] : "";
    return [{ path: prefix + name, type: cell(typeOf(member)), about: cell(about) }, ...inside(member, prefix + name)];
  });
}

function inside(member: JsonObject, path: string): MemberRow[] {
  const kind = present(member);
  const { items } = kind;
  if (isJsonObject(items)) return membersOf(present(items), `${path}[].`);
  return membersOf(kind, `${path}.`);
}

/** The schema of a member when it is not null. */
function present(schema: JsonObject): JsonObject {
  const { anyOf } = schema;
  const found = Array.isArray(anyOf) ? anyOf.find((each) => isJsonObject(each) && each["type"] !== "null") : undefined;
  return isJsonObject(found) ? found : schema;
}

function typeOf(schema: JsonObject): string {
  const { type, anyOf, enum: values, const: only, items } = schema;
  if (Array.isArray(anyOf)) return anyOf.map((each) => (isJsonObject(each) ? typeOf(each) : "any")).join(" or ");
  if (Array.isArray(values)) return values.map(String).join(", ");
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(type)) return type.map((each) => typeOf({ type: each })).join(" or ");
  if (type === "array") return `list of ${isJsonObject(items) ? typeOf(items) : "any"}`;
  if (type === "object") return "map";
  if (type === "integer") return "whole number";
  if (type === "boolean") return "true or false";
  return type === "string" ? "text" : typeof type === "string" ? type : "any";
}

function cell(text: string): string {
  return text
    .replaceAll("|", String.raw`\|`)
    .replaceAll("<", "&lt;")
    .replaceAll("\n", " ");
}
