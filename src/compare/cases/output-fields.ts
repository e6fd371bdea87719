import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { numeralOf } from "../../lib/lost-digits.ts";

/** The respect in which a member differs: the first that applies. */
export type OutputFieldKind = "absent" | "null" | "empty" | "type" | "count" | "value";

/** A member path of `output` (`references[].title`: in at least one entry of the list) that is not the same on both sides. */
export interface OutputFieldDifference {
  path: string;
  kind: OutputFieldKind;
  /**
   * The member on each side, in a word or two: `absent`, `null`, `empty`, a list's count, a short value, or its type.
   */
  baseline: string;
  candidate: string;
}

/** The paths that are compared, and to what extent. */
interface ComparedPaths {
  /** True where only the presence, the type and the count are compared, but not the value. */
  isVolatile: (path: string) => boolean;
  /** Members that nothing is to be said of; see `compare.ignore`. */
  ignore: readonly string[];
}

/** No more paths than this are named for one pair of records. */
const mostPaths = 30;
const deepest = 6;

/**
 * The member paths in which two outputs differ, in the order of the baseline's members. Values that differ on every
 * run are left out, and so are the texts of the answer, which are compared by their distance.
 */
export function outputFieldDifferences(
  baseline: JsonObject,
  candidate: JsonObject,
  { isVolatile, ignore }: ComparedPaths,
): OutputFieldDifference[] {
  const found = new Map<string, OutputFieldDifference>();
  compareObjects({ path: "", depth: 0, found, isVolatile, ignore }, baseline, candidate);
  return Array.from(found.values());
}

/** `references: 3 -> null` */
export function describeDifference({ path, kind, baseline, candidate }: OutputFieldDifference): string {
  return kind === "value" && baseline === candidate ? `${path}: differs` : `${path}: ${baseline} -> ${candidate}`;
}

/** The present place in the outputs, and the findings so far, by path. */
interface Place extends ComparedPaths {
  path: string;
  depth: number;
  found: Map<string, OutputFieldDifference>;
}

function compareObjects(place: Place, baseline: JsonObject, candidate: JsonObject): void {
  for (const name of new Set([...Object.keys(baseline), ...Object.keys(candidate)])) {
    const path = place.path === "" ? name : `${place.path}.${name}`;
    if (place.ignore.length > 0 && isIgnored(path, place.ignore)) continue;
    // Own members only: an output may hold a member named like one that every object inherits.
    const left = Object.hasOwn(baseline, name) ? baseline[name] : undefined;
    const right = Object.hasOwn(candidate, name) ? candidate[name] : undefined;
    compareValues({ ...place, path, depth: place.depth + 1 }, left, right);
  }
}

/** True for a path that is named, and for what is below it. `output.` before a name, and an index in brackets, are allowed. */
export function isIgnored(path: string, ignore: readonly string[]): boolean {
  return ignore.some((written) => {
    const name = written.replace(/^output\./, "").replaceAll(/\[\d+\]/g, "[]");
    return path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);
  });
}

function compareValues(place: Place, baseline: JsonValue | undefined, candidate: JsonValue | undefined): void {
  if (place.found.size >= mostPaths || place.found.has(place.path)) return;
  const kind = shapeDifference(baseline, candidate);
  if (kind !== null) return note(place, kind, baseline, candidate);
  if (baseline === undefined || candidate === undefined || shape(baseline) === "empty") return;
  if (place.isVolatile(place.path)) return;
  if (place.depth >= deepest) return compareWhole(place, baseline, candidate);
  if (isJsonObject(baseline) && isJsonObject(candidate)) return compareObjects(place, baseline, candidate);
  if (Array.isArray(baseline) && Array.isArray(candidate)) return compareLists(place, baseline, candidate);
  const [left, right] = [stableValue(baseline), stableValue(candidate)];
  if (left !== right && (numeralOf(left) ?? left) !== numeralOf(right)) note(place, "value", left, right);
}

/** Too deep to tell the members apart. */
function compareWhole(place: Place, baseline: JsonValue, candidate: JsonValue): void {
  if (canonicalJson(baseline) !== canonicalJson(candidate)) note(place, "value", baseline, candidate);
}

function compareLists(place: Place, baseline: JsonValue[], candidate: JsonValue[]): void {
  const path = `${place.path}[]`;
  if (place.ignore.length > 0 && isIgnored(path, place.ignore)) return;
  for (const [index, entry] of baseline.entries()) {
    compareValues({ ...place, path, depth: place.depth + 1 }, entry, candidate[index]);
  }
}

function shapeDifference(baseline: JsonValue | undefined, candidate: JsonValue | undefined): OutputFieldKind | null {
  const [left, right] = [shape(baseline), shape(candidate)];
  if (left !== right) {
    for (const kind of ["absent", "null", "empty"] as const) if (left === kind || right === kind) return kind;
    return "type";
  }
  return Array.isArray(baseline) && Array.isArray(candidate) && baseline.length !== candidate.length ? "count" : null;
}

function shape(value: JsonValue | undefined): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  if (value === "") return "empty";
  if (Array.isArray(value)) return value.length === 0 ? "empty" : "list";
  if (numeralOf(value) !== null) return "number";
  if (typeof value === "object") return "object";
  return typeof value === "string" ? "text" : typeof value;
}

function note(
  place: Place,
  kind: OutputFieldKind,
  baseline: JsonValue | undefined,
  candidate: JsonValue | undefined,
): void {
  const { path } = place;
  place.found.set(path, { path, kind, baseline: brief(baseline), candidate: brief(candidate) });
}

const longestShown = 40;

function brief(value: JsonValue | undefined): string {
  if (Array.isArray(value) && value.length > 0) return String(value.length);
  if (typeof value === "string" && value !== "" && value.length <= longestShown) return JSON.stringify(value);
  if (typeof value === "boolean") return String(value);
  return (value === undefined ? null : numeralOf(value)) ?? shape(value);
}

/** A value without what differs on every run: the signature of a signed address, a run's page, the port of a local one. */
function stableValue(value: JsonValue): JsonValue {
  return typeof value === "string" && /^https?:\/\//i.test(value) ? stableAddress(value) : value;
}

const signature = /[?&](?:x-amz-signature|x-goog-signature|signature|sig|token|expires|googleaccessid)=/i;

function stableAddress(address: string): string {
  if (/[?&]run_id=/.test(address)) return "a run's page";
  const place = address.replace(
    /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?=[/?#]|$)/i,
    "http://localhost",
  );
  return signature.test(place) ? place.replace(/\?.*$/s, "") : place;
}
