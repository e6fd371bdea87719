import { z } from "zod";
import { isJsonObject } from "../lib/json.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import manifest from "../../package.json" with { type: "json" };
import { suiteFile } from "./schema/schema.ts";

/** The JSON Schema of the suite file, for editors. */
export function suiteJsonSchema(): JsonObject {
  const schema: unknown = z.toJSONSchema(suiteFile, { io: "input" });
  if (!isJsonObject(schema)) throw new TypeError("The schema of the suite is not an object.");
  return { ...schema, title: "tandem suite" };
}

/** The reference page of the suite file as Markdown: every key with its type, whether it is needed, and its sentence. */
export function suiteReference(): string {
  const rows = keysOf(suiteJsonSchema(), "");
  return [
    "# The suite file",
    "",
    "Generated from `src/suite/schema` by `npm run generate`; do not edit.",
    "",
    "A suite is a YAML file. Paths are relative to it. Every fault of a suite is listed at once as `file:line:column`.",
    "",
    "## In an editor",
    "",
    "Editors complete and check a suite by [suite.schema.json](suite.schema.json). `tandem init` writes it beside the suite, whose first line names it:",
    "",
    "```yaml",
    "# yaml-language-server: $schema=./suite.schema.json",
    "```",
    "",
    "VS Code (with the extension YAML by Red Hat), JetBrains' editors, Neovim and Helix (with yaml-language-server) read that line.",
    "Where tandem is installed in the project, name the file in the package, which is always that of the installed version:",
    `\`# yaml-language-server: $schema=node_modules/${manifest.name}/dist/schemas/suite.schema.json\`, with the path from the suite, or once for all suites in`,
    "`.vscode/settings.json`:",
    "",
    "```json",
    "{",
    '  "yaml.schemas": {',
    `    "./node_modules/${manifest.name}/dist/schemas/suite.schema.json": ["tandem.yaml", "**/*.suite.yaml"]`,
    "  }",
    "}",
    "```",
    "",
    "The schema knows keys and kinds of values. `tandem check` checks what depends on other files, such as columns of the dataset.",
    "",
    "## Keys",
    "",
    "| Key | Type | Needed | Meaning |",
    "|---|---|---|---|",
    ...rows.map(({ path, type, needed, about }) => `| \`${path}\` | ${type} | ${needed ? "yes" : ""} | ${about} |`),
    "",
    "`NAME` stands for a name of your choice, `[]` for an entry of a list. Either `targets` or `matrix` is needed.",
    "",
  ].join("\n");
}

interface KeyRow {
  path: string;
  type: string;
  needed: boolean;
  about: string;
}

function keysOf(schema: JsonObject, prefix: string): KeyRow[] {
  const { properties } = schema;
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, key]) =>
    isJsonObject(key) ? rowsOf(key, prefix + name, required.includes(name)) : [],
  );
}

function rowsOf(key: JsonObject, path: string, needed: boolean): KeyRow[] {
  const about = typeof key["description"] === "string" ? cell(key["description"]) : "";
  const row = { path, type: cell(typeOf(key)), needed, about };
  const { items, additionalProperties: named } = key;
  if (isJsonObject(items) && Array.isArray(items["oneOf"]))
    return [row, ...keysOf(commonKeys(items["oneOf"]), `${path}[].`)];
  if (isJsonObject(items) && isJsonObject(items["properties"])) return [row, ...keysOf(items, `${path}[].`)];
  if (isJsonObject(named) && isJsonObject(named["properties"])) return [row, ...keysOf(named, `${path}.NAME.`)];
  return [row, ...keysOf(key, `${path}.`)];
}

/** The keys that all entries have, of those that are told apart by their type. */
function commonKeys(kinds: readonly JsonValue[]): JsonObject {
  const [first, ...others] = kinds.flatMap((kind) =>
    isJsonObject(kind) && isJsonObject(kind["properties"]) ? [kind["properties"]] : [],
  );
  const shared = Object.entries(first ?? {}).filter(([name]) => others.every((keys) => keys[name] !== undefined));
  const about = "Kind of scorer; scorers.md has every type with its own keys.";
  return {
    properties: {
      type: { type: "string", description: about },
      ...Object.fromEntries(shared.filter(([name]) => name !== "type")),
    },
    required: ["type"],
  };
}

function typeOf(schema: JsonObject): string {
  const { type, enum: values, anyOf, items, minimum, maximum, pattern } = schema;
  if (Array.isArray(values)) return values.map(String).join(", ");
  if (Array.isArray(anyOf)) return anyOf.map((each) => (isJsonObject(each) ? typeOf(each) : "any")).join(" or ");
  if (type === "array")
    return `list of ${isJsonObject(items) ? (Array.isArray(items["oneOf"]) ? "maps" : typeOf(items)) : "any"}`;
  if (type === "object") return "map";
  if (type === "integer" || type === "number") {
    const kind = type === "integer" ? "whole number" : "number";
    const to = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : "";
    return typeof minimum === "number" ? `${kind} from ${minimum}${to}` : kind;
  }
  if (type === "boolean") return "true or false";
  return typeof pattern === "string" && pattern.includes("ms|s") ? "duration" : "text";
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");
}
