import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { asBase64 } from "../files/file-marks.ts";
import { liquid, pathLiquid, type Templates } from "../../lib/liquid.ts";

/** A value with the places in it that a case fills. */
export interface BodyTemplate {
  /** Undefined where the whole value is a field that the case does not have. */
  fill: (fields: JsonObject) => JsonValue | undefined;
  /** Fields that it uses, by their first names. */
  uses: string[];
  /** Paths of fields that it does not just put in as they are: it filters them, or looks at them in a tag. */
  alters: string[][];
}

/** `$name`, and dots for what is inside of it. */
const reference = /^\$([A-Za-z_]\w*(?:\.\w+)*)$/;

/** Compiles the path of an address, in which each value is one segment or a part of one. Raises an Error for a text that is not Liquid. */
export const compileAddress = (text: string): BodyTemplate => compileLiquid(text, pathLiquid);

/** Compiles a template. Raises an Error for a text in it that is not Liquid. */
export function compileBody(value: JsonValue): BodyTemplate {
  if (typeof value === "string") return compileText(value);
  if (Array.isArray(value)) return compileList(value);
  if (!isJsonObject(value)) return { uses: [], alters: [], fill: () => value };
  const parts = Object.entries(value).map(([name, part]) => ({ name, ...compileBody(part) }));
  return {
    uses: parts.flatMap(({ uses }) => uses),
    alters: parts.flatMap(({ alters }) => alters),
    fill(fields) {
      const filled = parts.flatMap(({ name, fill }): [string, JsonValue][] => {
        const part = fill(fields);
        return part === undefined ? [] : [[name, part]];
      });
      return Object.fromEntries(filled);
    },
  };
}

/** Among other entries of a list, a history stands for the entries that it has: a list of messages holds no list. */
function compileList(list: JsonValue[]): BodyTemplate {
  const parts = list.map((part) => ({
    ...compileBody(part),
    isHistory: list.length > 1 && typeof part === "string" && /^\$(?:messages|conversation)$/.test(part),
  }));
  return {
    uses: parts.flatMap(({ uses }) => uses),
    alters: parts.flatMap(({ alters }) => alters),
    fill: (fields) =>
      parts.flatMap(({ fill, isHistory }) => {
        const part = fill(fields);
        return isHistory && Array.isArray(part) ? part : [part].filter((each) => each !== undefined);
      }),
  };
}

function compileText(text: string): BodyTemplate {
  const [, name] = reference.exec(text) ?? [];
  if (name !== undefined) {
    const steps = name.split(".");
    return { uses: steps.slice(0, 1), alters: [], fill: (fields) => referredTo(fields, steps) };
  }
  return compileLiquid(text, liquid);
}

function compileLiquid(text: string, load: () => Templates): BodyTemplate {
  if (!text.includes("{{") && !text.includes("{%")) return { uses: [], alters: [], fill: () => text };
  const engine = load();
  const parsed = engine.parse(text);
  const names = engine.variables(parsed).flatMap(([first]) => (typeof first === "string" ? [first] : []));
  const counted = engine.variables(parsed).filter((steps) => steps.at(-1) === "size");
  const alters = [...engine.altered(parsed), ...counted].map((steps) =>
    steps.filter((step) => typeof step === "string"),
  );
  return { uses: [...new Set(names)], alters, fill: (fields) => engine.fill(parsed, fields) };
}

function referredTo(fields: JsonObject, steps: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = fields;
  for (const step of steps) {
    if (isJsonObject(value)) value = Object.hasOwn(value, step) ? value[step] : undefined;
    else value = value !== undefined && step === "base64" ? asBase64(value) : undefined;
  }
  return value;
}
