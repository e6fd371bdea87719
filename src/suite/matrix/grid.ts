import { canonicalJson, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { showText, showValue } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { bodyPrefix, bodySteps, stepsOf, withValueAt } from "../body-path.ts";
import { type Fault, type FaultPath, fault, keyFault } from "../../lib/fault.ts";
import { gridNames, type GridValue, type Unnamed, type WrittenDimension } from "./names.ts";
import type { PlainValue } from "../schema/form.ts";
import type { Sections } from "../schema/sections.ts";

/** The keys of a matrix by which it makes targets. */
type WrittenMatrix = Pick<
  NonNullable<Sections["matrix"]>,
  "deployments" | "example_ids" | "models" | "vary" | "include" | "exclude" | "body"
>;

/** A target that a matrix makes. */
export interface GridTarget {
  name: string;
  /** Its value in each dimension. */
  values: ReadonlyMap<string, GridValue>;
  /** The place that makes it: the first of its values that not all targets have, or its entry of `include`. */
  path: FaultPath;
}

export interface Grid {
  dimensions: WrittenDimension[];
  targets: GridTarget[];
  faults: Fault[];
}

/** More targets than this are a mistake: no screen lists them. */
export const mostTargets = 1_000;

/** The keys of a matrix that list the values of a dimension, by its name in `vary`. */
export const listKeys = { deployment: "deployments", example_id: "example_ids", model: "models" } as const;

/** Dimensions of `vary` beside the paths of the body. */
const ownDimensions = ["deployment", "example_id", "model", "prompt"];

/** The targets that a matrix makes, and everything that is wrong with its dimensions; none without a matrix. */
export function gridOf(matrix: WrittenMatrix | undefined): Grid {
  if (matrix === undefined) return { dimensions: [], targets: [], faults: [] };
  const { dimensions, faults } = dimensionsIn(matrix);
  const { include = [], exclude = [], body = {}, vary } = matrix;
  const more = include.length;
  const size = dimensions.reduce((product, { values }) => product * values.length, 1) + more;
  if (size > mostTargets) {
    const product = dimensions.map(({ name, values }) => `${values.length} of ${name}`).join(" x ");
    const places = more === 0 ? product : `${product}, ${more} of include`;
    const message = `makes ${size.toLocaleString("en-US")} targets (${places}); at most ${mostTargets.toLocaleString("en-US")} can be compared`;
    return { dimensions, targets: [], faults: [...faults, fault(["matrix"], message, "Vary less at once.")] };
  }
  if (dimensions.some(({ values }) => values.length === 0)) return { dimensions, targets: [], faults };
  const excluded = excludedBy(exclude, dimensions);
  const kept = combinations(dimensions).filter((values) => !excluded.entries.some((entry) => isIn(values, entry)));
  if (kept.length === 0) faults.push(fault(["matrix", "exclude"], "leaves no target", "Take an entry out of it."));
  const included = includedBy(include, { dimensions, kept });
  faults.push(...excluded.faults, ...bodyFaults(body, dimensions), ...included.faults);
  const all = [...kept.map((values) => ({ values, own: null, path: null })), ...included.targets];
  const names = gridNames(all, { dimensions, isVaried: vary !== undefined });
  const targets = all.map(({ values, path }, place) => ({
    name: names[place] ?? "",
    values,
    path: path ?? placeOf(values, dimensions),
  }));
  const taken = new Set<string>();
  for (const { name, path } of targets) {
    if (taken.has(name))
      faults.push(fault(path, `is a second target named ${showText(name)}`, "Give it another name."));
    taken.add(name);
  }
  return { dimensions, targets, faults };
}

function dimensionsIn(matrix: WrittenMatrix): Pick<Grid, "dimensions" | "faults"> {
  const faults: Fault[] = [];
  const dimensions: WrittenDimension[] = [];
  for (const [name, key] of Object.entries(listKeys)) {
    const list = matrix[key];
    if (list === undefined) continue;
    dimensions.push({ name, values: valuesIn(list, ["matrix", key], { name, faults }) });
  }
  const { vary = {} } = matrix;
  for (const [name, written] of Object.entries(vary)) {
    const path = ["matrix", "vary", name];
    const wrong = dimensionFault(name, Object.keys(vary));
    const twice = Object.entries(listKeys).find(([same, key]) => same === name && matrix[key] !== undefined);
    if (wrong !== null) faults.push(keyFault(path, ...wrong));
    else if (twice !== undefined)
      faults.push(keyFault(path, `${name} is varied by ${twice[1]} already`, "Keep one of them."));
    else dimensions.push({ name, values: valuesIn(written, path, { name, faults }) });
  }
  if (!dimensions.some(({ name }) => name === "deployment"))
    faults.push(fault(["matrix", "deployments"], "is required", "Name at least one deployment of this suite."));
  return { dimensions: dimensions.toSorted((a, b) => order(a.name) - order(b.name)), faults };
}

/** Deployments change last, then configurations, then what is varied as it is written. */
function order(name: string): number {
  const place = ["deployment", "example_id", "model"].indexOf(name);
  return place < 0 ? 3 : place;
}

/** The fault of a key of `vary` and what to do about it. */
function dimensionFault(name: string, all: readonly string[]): [message: string, hint: string | null] | null {
  if (ownDimensions.includes(name)) return null;
  const known = `A dimension is ${ownDimensions.join(", ")}, or body. and a path, such as body.sampling_temperature.`;
  if (!name.startsWith(bodyPrefix)) {
    const meant = all.includes(`${bodyPrefix}${name}`) ? null : didYouMean(name, ownDimensions);
    return [`${showText(name)} is no dimension`, meant ?? `For a field of the body: ${bodyPrefix}${name}. ${known}`];
  }
  const steps = bodySteps(name.slice(bodyPrefix.length));
  if (typeof steps === "string") return [`the path ${showText(name)} ${steps}`, known];
  const inside = all.find((other) => other !== name && other.startsWith(`${name}.`));
  return inside === undefined ? null : [`${showText(name)} and ${showText(inside)} exclude each other`, null];
}

/** A list of values, or a map of names to values. */
function valuesIn(
  written: JsonValue[] | JsonObject,
  path: FaultPath,
  { name, faults }: { name: string; faults: Fault[] },
): GridValue[] {
  const entries: GridValue[] = Array.isArray(written)
    ? written.map((value, i) => ({ value, name: null, path: [...path, i] }))
    : Object.entries(written).map(([given, value]) => ({ value, name: given, path: [...path, given] }));
  const seen = new Map<string, GridValue>();
  const sound: GridValue[] = [];
  for (const entry of entries) {
    const text = canonicalJson(entry.value);
    const wrong = valueFault(name, entry);
    if (wrong !== null) faults.push(wrong);
    else if (seen.has(text)) faults.push(fault(entry.path, `repeats ${shown(entry.value)}`));
    else sound.push(entry);
    seen.set(text, entry);
  }
  return sound;
}

const nameForm = /^[\p{L}\p{M}\p{N}_.-]{1,64}$/u;

function valueFault(dimension: string, { value, name, path }: GridValue): Fault | null {
  if (name !== null && !nameForm.test(name))
    return keyFault(path, `name ${showText(name)} may hold only letters, digits, _, - and .`);
  if (dimension.startsWith(bodyPrefix)) return null;
  if (typeof value !== "string")
    return { ...fault(path, `must be a text, got ${showValue(value)}`), fitsInQuotes: true };
  return value.trim() === "" ? fault(path, "must not be blank") : null;
}

const shown = (value: JsonValue): string =>
  typeof value === "string" ? showText(value) : showText(canonicalJson(value)).slice(1, -1).replaceAll('\\"', '"');

/** Every value of each dimension with every value of the others; the last one changes first. */
function combinations(dimensions: readonly WrittenDimension[]): Map<string, GridValue>[] {
  return dimensions.reduce<Map<string, GridValue>[]>(
    (made, { name, values }) => made.flatMap((before) => values.map((value) => new Map([...before, [name, value]]))),
    [new Map()],
  );
}

/** An entry of `exclude` or `include`: dimensions and the values that it says. */
type Entry = [dimension: string, value: JsonValue][];

/** True where a combination has all values of an entry, as they are written or by their names. */
function isIn(values: ReadonlyMap<string, GridValue>, entry: Entry): boolean {
  return entry.every(([dimension, value]) => {
    const own = values.get(dimension);
    return own !== undefined && isSame(own, value);
  });
}

const isSame = (own: GridValue, value: JsonValue): boolean =>
  canonicalJson(own.value) === canonicalJson(value) || (own.name !== null && own.name === value);

function excludedBy(
  written: readonly JsonObject[],
  dimensions: readonly WrittenDimension[],
): { entries: Entry[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const entries: Entry[] = [];
  const all = combinations(dimensions);
  for (const [i, entry] of written.entries()) {
    const path = ["matrix", "exclude", i];
    const named = Object.entries(entry);
    const unknown = named.flatMap(([name]) => unknownDimension([...path, name], name, dimensions));
    faults.push(...unknown);
    if (unknown.length > 0) continue;
    if (all.some((values) => isIn(values, named))) entries.push(named);
    else faults.push(nothingExcluded(path, named, dimensions));
  }
  return { entries, faults };
}

function nothingExcluded(path: FaultPath, entry: Entry, dimensions: readonly WrittenDimension[]): Fault {
  for (const [name, value] of entry) {
    const { values = [] } = dimensions.find((dimension) => dimension.name === name) ?? {};
    if (values.some((own) => isSame(own, value))) continue;
    const has = values.map((own) => own.name ?? shown(own.value)).join(", ");
    return fault([...path, name], `matches nothing: ${name} is never ${shown(value)}`, `It has: ${has}.`);
  }
  return fault(path, "matches nothing");
}

function unknownDimension(path: FaultPath, name: string, dimensions: readonly WrittenDimension[]): Fault[] {
  const known = dimensions.map((dimension) => dimension.name);
  if (known.includes(name)) return [];
  const hint = didYouMean(name, known) ?? `This matrix varies: ${known.join(", ")}.`;
  return [keyFault(path, `${showText(name)} is no dimension of this matrix`, hint)];
}

function includedBy(
  written: readonly JsonObject[],
  { dimensions, kept }: { dimensions: readonly WrittenDimension[]; kept: readonly ReadonlyMap<string, GridValue>[] },
): { targets: Unnamed[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const targets: Unnamed[] = [];
  for (const [i, entry] of written.entries()) {
    const path = ["matrix", "include", i];
    const { name: own, ...named } = entry;
    const wrong = Object.keys(named).flatMap((name) => unknownDimension([...path, name], name, dimensions));
    if (own !== undefined && (typeof own !== "string" || !targetNameForm.test(own)))
      wrong.push(fault([...path, "name"], `may hold only ${targetNameWords}, got ${showValue(own)}`));
    const values = new Map<string, GridValue>();
    for (const dimension of dimensions) {
      const value = named[dimension.name];
      const [only] = dimension.values;
      const known = value === undefined ? undefined : dimension.values.find((each) => isSame(each, value));
      if (value === undefined && dimension.values.length === 1 && only !== undefined) values.set(dimension.name, only);
      else if (value === undefined)
        wrong.push(
          fault(path, `does not say ${dimension.name}`, "Every dimension with several values needs one here."),
        );
      else
        values.set(dimension.name, {
          value,
          name: known?.name ?? null,
          path: [...path, dimension.name],
          ...(known && { value: known.value }),
        });
    }
    for (const [name, value] of values) if (wrong.length === 0) wrong.push(...[valueFault(name, value) ?? []].flat());
    faults.push(...wrong);
    if (wrong.length > 0) continue;
    const isTwice = [...kept, ...targets.map((target) => target.values)].some((other) => areEqual(other, values));
    if (isTwice) faults.push(fault(path, "repeats a combination that is there already", "Take it out."));
    else targets.push({ values, own: typeof own === "string" ? own : null, path });
  }
  return { targets, faults };
}

const areEqual = (one: ReadonlyMap<string, GridValue>, other: ReadonlyMap<string, GridValue>): boolean =>
  Array.from(one).every(([name, { value }]) => canonicalJson(other.get(name)?.value ?? null) === canonicalJson(value));

/** Characters of the name of a target. */
export const targetNameForm = /^[\p{L}\p{M}\p{N}_.:-][\p{L}\p{M}\p{N}_.:=-]{0,199}$/u;
export const targetNameWords = "letters, digits, _, -, ., : and = (which is not the first)";

/** Faults of values that cannot stand where their path leads. */
function bodyFaults(body: JsonObject, dimensions: readonly WrittenDimension[]): Fault[] {
  return dimensions.flatMap(({ name }) => {
    const steps = stepsOf(name);
    const made = steps === null ? {} : withValueAt(body, steps, null);
    return typeof made === "string" ? [keyFault(["matrix", "vary", name], `the path ${showText(name)} ${made}`)] : [];
  });
}

/** The first value that not all targets share. */
function placeOf(values: ReadonlyMap<string, GridValue>, dimensions: readonly WrittenDimension[]): FaultPath {
  const several = dimensions.find((dimension) => dimension.values.length > 1) ?? dimensions[0];
  return values.get(several?.name ?? "")?.path ?? ["matrix"];
}

/** The value as a target keeps it: what is a list or a map by its name, or as its JSON. */
export function plainOf({ value, name }: GridValue): PlainValue {
  if (name !== null) return name;
  return typeof value === "object" && value !== null ? canonicalJson(value) : value;
}

/** The body of a target: the shared one with its values in it. */
export function gridBody(shared: JsonObject, values: ReadonlyMap<string, GridValue>): JsonObject {
  return Array.from(values).reduce<JsonObject>((body, [dimension, { value }]) => {
    const steps = stepsOf(dimension);
    const made = steps === null ? body : withValueAt(body, steps, value);
    return typeof made === "string" ? body : made;
  }, shared);
}
