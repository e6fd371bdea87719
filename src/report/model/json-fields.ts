import { isJsonObject, parsedJson, type JsonValue } from "../../lib/json.ts";

/** Characters of an answer that is read as fields. */
const mostCharacters = 500_000;
const mostFields = 1000;
/** Characters of a path: longer ones are no columns, and many of them take long to tell apart. */
const longestPath = 200;
/** Values within each other that are told apart: deeper ones stand as they are written. */
const deepest = 6;

/** The values of an object in JSON by their paths, such as `items[0].price`; null: the text is none. */
export function jsonFields(text: string | null): Map<string, string> | null {
  if (text === null || text.length > mostCharacters || !/^\s*\{/u.test(text)) return null;
  const value = parsedJson(text);
  if (!isJsonObject(value)) return null;
  const fields = new Map<string, string>();
  addFields(value, "", fields);
  return fields;
}

function addFields(value: JsonValue, path: string, fields: Map<string, string>, depth = 0): void {
  if (fields.size >= mostFields || path.length > longestPath) return;
  const isOpened = depth < deepest;
  if (isOpened && isJsonObject(value) && Object.keys(value).length > 0) {
    for (const [name, each] of Object.entries(value))
      addFields(each, path === "" ? name : `${path}.${name}`, fields, depth + 1);
  } else if (isOpened && Array.isArray(value) && value.length > 0) {
    for (const [place, each] of value.entries()) addFields(each, `${path}[${place}]`, fields, depth + 1);
  } else {
    fields.set(path, typeof value === "string" ? value : JSON.stringify(value));
  }
}
