import { isJsonObject, type JsonObject, type JsonValue } from "../../src/lib/json.ts";

const rowLine = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** A table of Markdown. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [rowLine(heads), `|${"---|".repeat(heads.length)}`, ...rows.map(rowLine)];
}

/** A text that cannot break out of its cell. */
export function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");
}

/** A key of a schema, with the words for its cells. */
export interface KeyRow {
  /** With dots between nested keys, `[]` for an entry of a list and `NAME` for a name of one's choice. */
  path: string;
  type: string;
  /** `yes`, or empty. */
  needed: string;
  /** The default in backticks, or empty. */
  fallback: string;
  about: string;
}

/**
 * The lines of keys; one with the sentence of an earlier key of its name, in this list or in one before it, is named and
 * not told again, nor are the keys within a map of which all are such.
 */
export function keyLines(rows: readonly KeyRow[], told = new Set<string>()): string[] {
  const lines = rows.map(({ path, type, needed, fallback, about }) => {
    const at = path.lastIndexOf(".");
    const name = path.slice(at + 1);
    const isSaid = /^(?:|`(?:false|""|\[\]|\{\})`)$/.test(fallback) || about.includes("Default: ");
    const facts = [type, ...(needed === "" ? [] : ["needed"]), ...(isSaid ? [] : [`default ${fallback}`])];
    const sentence = `${name}: ${about === "" ? facts.join(", ") : about}`;
    const isTold = told.has(sentence);
    told.add(sentence);
    const words = `(${facts.join(", ")})${about === "" ? "" : `: ${about}`}`;
    return { within: path.slice(0, at + 1), name, line: isTold ? null : `- \`${path}\` ${words}` };
  });
  const isRepeat = (map: string): boolean => lines.every(({ within, line }) => within !== map || line === null);
  return lines.flatMap(({ within, line }, at) => {
    if (line !== null) return [line];
    const isFirst = lines[at - 1]?.line !== null || lines[at - 1]?.within !== within;
    if (!isFirst || (within !== "" && isRepeat(within))) return [];
    const end = lines.findIndex((other, i) => i > at && (other.line !== null || other.within !== within));
    const names = lines.slice(at, end < 0 ? undefined : end).map(({ name }) => `\`${within}${name}\``);
    return [`- ${names.join(", ")}: as above`];
  });
}

/** The keys of a JSON Schema, those of maps and of entries of lists behind their own. */
export function keyRows(schema: JsonObject): KeyRow[] {
  const { $defs } = schema;
  return keysOf(schema, "", isJsonObject($defs) ? $defs : {});
}

function keysOf(schema: JsonObject, prefix: string, named: JsonObject): KeyRow[] {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, key]) => {
    if (!isJsonObject(key)) return [];
    const path = prefix + name;
    const row = {
      path,
      type: cell(typeWords(key, named)),
      needed: Array.isArray(required) && required.includes(name) ? "yes" : "",
      fallback: defaultWords(key),
      about: typeof key["description"] === "string" ? cell(key["description"]) : "",
    };
    return [row, ...nestedKeys(key, path, named)];
  });
}

/** The keys of a map, of the maps in a list, or of those by names of one's choice; of a choice where it is that or null. */
function nestedKeys(schema: JsonObject, path: string, named: JsonObject): KeyRow[] {
  const { anyOf, oneOf, items, additionalProperties, ...own } = resolved(schema, named);
  if (Array.isArray(anyOf) && own["properties"] === undefined) {
    const [only, ...others] = anyOf.filter(isJsonObject).filter(({ type }) => type !== "null");
    return only === undefined || others.length > 0 ? [] : nestedKeys(only, path, named);
  }
  if (Array.isArray(oneOf)) return keysOf(commonKeys(oneOf), `${path}.`, named);
  if (isJsonObject(items)) return nestedKeys(items, `${path}[]`, named);
  if (isJsonObject(additionalProperties)) return nestedKeys(additionalProperties, `${path}.NAME`, named);
  return keysOf(own, `${path}.`, named);
}

/** The keys that all entries have, of those that are told apart by their type; none where that is all that they share. */
function commonKeys(kinds: readonly JsonValue[]): JsonObject {
  const [first, ...others] = kinds.flatMap((kind) =>
    isJsonObject(kind) && isJsonObject(kind["properties"]) ? [kind["properties"]] : [],
  );
  const shared = Object.entries(first ?? {}).filter(([name]) => others.every((keys) => keys[name] !== undefined));
  if (shared.length < 2) return {};
  const about = "Kind of scorer; scorers.md has every type with its own keys.";
  return {
    properties: {
      type: { type: "string", description: about },
      ...Object.fromEntries(shared.filter(([name]) => name !== "type")),
    },
    required: ["type"],
  };
}

function resolved(schema: JsonObject, named: JsonObject): JsonObject {
  const { $ref } = schema;
  const found = typeof $ref === "string" ? named[$ref.replace("#/$defs/", "")] : undefined;
  return isJsonObject(found) ? found : schema;
}

/** `depth`: of lists and choices within each other; a value of any depth has no shorter name. */
function typeWords(given: JsonValue, named: JsonObject, depth = 0): string {
  if (!isJsonObject(given) || depth > 4) return "any";
  const { type, anyOf, oneOf, enum: values, const: only, items, pattern, ...range } = resolved(given, named);
  // A value of JSON, whatever it is.
  if (Array.isArray(anyOf) && anyOf.length > 4) return "any";
  if (Array.isArray(anyOf)) return either(anyOf.map((each) => typeWords(each, named, depth + 1)));
  if (Array.isArray(oneOf)) return "map";
  if (Array.isArray(values))
    return either([
      values
        .filter((value) => value !== null)
        .map(plain)
        .join(", "),
      ...nullIn(values),
    ]);
  if (only !== undefined) return plain(only);
  if (Array.isArray(type)) return either(type.map((each) => typeWords({ ...given, type: each }, named, depth + 1)));
  if (type === "array") return `list of ${typeWords(items ?? null, named, depth + 1).replace(/^map$/, "maps")}`;
  if (type === "object") return "map";
  if (type === "boolean") return "true or false";
  if (type === "integer" || type === "number") return numberWords(type, range);
  if (type === "string") return typeof pattern === "string" && pattern.includes("ms|s") ? "duration" : "text";
  return typeof type === "string" ? type : "any";
}

const plain = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Types in words, null behind the others. */
function either(types: readonly string[]): string {
  const different = Array.from(new Set(types));
  return [...different.filter((type) => type !== "null"), ...different.filter((type) => type === "null")].join(" or ");
}

const nullIn = (values: readonly JsonValue[]): string[] => (values.includes(null) ? ["null"] : []);

/** A number with its ends, where these are small: others only keep a mistake out. */
function numberWords(type: string, { minimum, maximum }: JsonObject): string {
  const isSmall = typeof maximum === "number" && maximum <= 100;
  const least = typeof minimum === "number" && (isSmall || minimum > 1) ? ` from ${minimum}` : "";
  return `${type === "integer" ? "whole number" : "number"}${least}${isSmall ? ` to ${maximum}` : ""}`;
}

/** Maps whose keys are listed need no default of their own. */
function defaultWords({ default: value, properties }: JsonObject): string {
  if (value === undefined || (isJsonObject(value) && properties !== undefined)) return "";
  return `\`${cell(JSON.stringify(value))}\``;
}
