import { posix } from "node:path";
import { freeName } from "../../lib/free-name.ts";
import type { JsonValue } from "../../lib/json.ts";
import { stepsOf } from "../body-path.ts";
import type { FaultPath } from "../../lib/fault.ts";

/** One value of a dimension, and the place that writes it. */
export interface GridValue {
  value: JsonValue;
  /** The name that the matrix gives it. */
  name: string | null;
  path: FaultPath;
}

/** A dimension as a matrix writes it: `deployment`, `example_id` or `model`, a key of `vary`. */
export interface WrittenDimension {
  name: string;
  values: GridValue[];
}

/** A combination that is made, before it has its name; `own`: the name that the matrix gives it. */
export interface Unnamed {
  values: ReadonlyMap<string, GridValue>;
  own: string | null;
  path: FaultPath | null;
}

/** Characters of one part of a name: it stands in columns of a terminal, in headers of sheets and behind flags. */
const longestPart = 32;

/** Texts up to this length stand for themselves in a name. */
const longestText = 24;

/** Characters of a name as a whole. */
const longestName = 120;

/**
 * Short, unique names for the targets of a matrix. They are made of the values that differ: a configuration by its name, a
 * prompt by its file, a number with a word for what it is. `prod:b`, `gpt-4o:temperature=0.5:formal`.
 */
export function gridNames(
  made: readonly Unnamed[],
  { dimensions, isVaried }: { dimensions: readonly WrittenDimension[]; isVaried: boolean },
): string[] {
  const several = dimensions
    .map(({ name }) => ({ name, values: distinct(made.flatMap(({ values }) => values.get(name) ?? [])) }))
    .filter(({ name, values }) => values.length > 1 || (name === "deployment" && !isVaried));
  const shown = several.length > 0 ? several : dimensions.slice(0, 1);
  const keys = shortKeys(shown.map(({ name }) => name));
  const labels = shown.map(({ name, values }, i) => ({
    name,
    labels: labelsOf({ name, values }, keys[i] ?? name, isVaried),
  }));
  const withKeys = labels.map((dimension, i) => {
    const others = new Set(labels.flatMap((other) => (other === dimension ? [] : [...other.labels.values()])));
    const isUnclear = [...dimension.labels.values()].some((label) => others.has(label));
    if (!isUnclear || !isVaried) return dimension;
    const keyed = Array.from(dimension.labels, ([text, label]) => [text, `${keys[i] ?? ""}=${label}`] as const);
    return { ...dimension, labels: new Map(keyed) };
  });
  const taken = new Set<string>(made.flatMap(({ own }) => own ?? []));
  return made.map(({ values, own }) => {
    if (own !== null) return own;
    const parts = withKeys.map(({ name, labels: known }) => known.get(textOf(values.get(name))) ?? "");
    const name = parts.join(":");
    return unlike(isVaried ? name.slice(0, longestName) : name, taken);
  });
}

/** A name unlike the others, which is taken then. */
function unlike(name: string, taken: Set<string>): string {
  const free = freeName(name, (each) => taken.has(each));
  taken.add(free);
  return free;
}

const textOf = (value: GridValue | undefined): string => JSON.stringify(value?.value ?? null);

function distinct(values: readonly GridValue[]): GridValue[] {
  return [...new Map(values.map((value) => [textOf(value), value])).values()];
}

/** A label for each value, by the JSON of the value. */
function labelsOf({ name, values }: WrittenDimension, key: string, isVaried: boolean): Map<string, string> {
  const taken = new Set<string>();
  const files = name === "prompt" ? fileLabels(values) : null;
  return new Map(
    values.map((value, i): [string, string] => {
      const plain = !isVaried && typeof value.value === "string" ? value.value : null;
      const label = value.name ?? plain ?? files?.[i] ?? labelOf(name, value.value, { key, place: i + 1 });
      return [textOf(value), unlike(label, taken)];
    }),
  );
}

function labelOf(dimension: string, value: JsonValue, { key, place }: { key: string; place: number }): string {
  if (typeof value === "number" || typeof value === "boolean" || value === null)
    return `${key}=${String(value).replaceAll("+", "")}`;
  const numbered = `${key}-${place}`;
  if (typeof value !== "string") return numbered;
  if (stepsOf(dimension) !== null) {
    const isShort = value.length <= longestText && !/[\r\n]/.test(value);
    return (isShort ? cleaned(value) : "") || numbered;
  }
  // The last part of a path of models, such as accounts/x/models/y, says which.
  const last = value.split("/").findLast((part) => part.trim() !== "") ?? value;
  return cut(cleaned(last)) || numbered;
}

/** Names of files without their folders and ending, as far as they differ without. */
function fileLabels(values: readonly GridValue[]): string[] {
  const paths = values.map(({ value }) =>
    posix.normalize(typeof value === "string" ? value.replaceAll("\\", "/") : ""),
  );
  const forms: ((path: string) => string)[] = [
    (path) => posix.basename(path, posix.extname(path)),
    (path) => posix.basename(path),
    (path) =>
      path
        .split("/")
        .slice(-2)
        .join("-")
        .replace(/\.[^.]*$/, ""),
    (path) => path,
  ];
  const labels = forms.map((form) => paths.map((path, i) => cut(cleaned(form(path))) || `prompt-${i + 1}`));
  return labels.find((each) => new Set(each).size === each.length) ?? labels[0] ?? [];
}

/** The text with a dash for what no name may hold; empty where nothing is left. */
function cleaned(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}_.:-]+/gu, "-")
    .replaceAll(/^[-:]+|[-:]+$/g, "");
}

const cut = (text: string): string => Array.from(text).slice(0, longestPart).join("");

const isOnly = (list: readonly string[], place: number): boolean =>
  list.filter((other) => other === list[place]).length === 1;

/** A word for each dimension: the last one of its key, such as `temperature` of `body.sampling_temperature`, where it is not another's too. */
function shortKeys(names: readonly string[]): string[] {
  const wholes = names.map((name) => cut(cleaned(stepsOf(name)?.at(-1) ?? name)) || "value");
  const words = wholes.map((whole) => {
    const word = whole.split("_").at(-1) ?? whole;
    return word.length >= 4 ? word : whole;
  });
  const longer = names.map((name) => cut(cleaned((stepsOf(name) ?? [name]).join("."))) || "value");
  return names.map((_, i) => [words, wholes, longer].find((list) => isOnly(list, i))?.[i] ?? longer[i] ?? "value");
}
