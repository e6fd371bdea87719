import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { defaultEndpoint, type EndpointName } from "../api/endpoint-name.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { endpointIn } from "./check/endpoint-check.ts";
import { stepsOf } from "./body-path.ts";
import { gridOf } from "./matrix/grid.ts";
import { namedPrompts } from "./prompts/named-prompts.ts";
import { resolveSuite } from "./resolve.ts";
import { suiteFile } from "./schema/schema.ts";
import type { CaseMapping, DatasetFormat, FileSettings, Target } from "./suite.ts";
import { parseYaml } from "./yaml.ts";

/** The part of a suite about its dataset. */
export interface DatasetPart {
  datasets: string[];
  mapping: CaseMapping;
  format: DatasetFormat | undefined;
  /** Where files of the cases are; undefined: no field holds any. */
  files: FileSettings | undefined;
  endpoints: EndpointName[];
  /** Fields that targets set themselves. */
  constants: string[];
  /** Every target asks something itself: no case needs to. */
  asksItself: boolean;
  /** Targets whose answers are columns of the dataset. */
  stored: Target[];
  /** Columns that are read by their names, by scorers and in requests. */
  named: string[];
}

/**
 * Reads the dataset's part of a suite with faults elsewhere, so that both can be checked at once; null when not even
 * that is sound.
 */
export async function datasetPart(path: string): Promise<DatasetPart | null> {
  try {
    const { value } = parseYaml(await readFile(path, "utf8"), path);
    if (!isJsonObject(value)) return null;
    const { dataset, case: mapping, format, files, targets } = value;
    const given: JsonObject = {
      ...(dataset !== undefined && { dataset }),
      ...(mapping !== undefined && { case: mapping }),
      ...(format !== undefined && { format }),
      ...(files !== undefined && { files }),
    };
    const withStored = readPart({ ...given, targets: storedIn(targets) });
    const part = withStored.success ? withStored : readPart(given);
    if (!part.success) return null;
    const folder = dirname(resolve(path));
    const { suite } = resolveSuite(part.data, { name: "part", base: folder, file: resolve(path), folder, env: {} });
    const { datasets, mapping: columns } = suite;
    const stored = suite.targets.filter((target) => target.stored !== undefined);
    const endpoints = endpointsIn(value);
    return {
      datasets,
      mapping: columns,
      format: suite.format,
      files: suite.files,
      endpoints: endpoints.length === 0 && columns.input === null ? [defaultEndpoint] : endpoints,
      constants: constantsIn(value),
      asksItself: namedPrompts(value).length > 0,
      stored,
      named: [],
    };
  } catch {
    // Its faults are told by loadSuite.
    return null;
  }
}

/** A key that is not known says nothing of the dataset: it is passed over, and told by loadSuite. */
function readPart(written: JsonObject): ReturnType<typeof suiteFile.safeParse> {
  const first = suiteFile.safeParse(written);
  if (first.success) return first;
  const known = structuredClone(written);
  for (const issue of first.error.issues) {
    if (issue.code !== "unrecognized_keys") return first;
    let section: JsonValue | undefined = known;
    for (const step of issue.path) section = isJsonObject(section) ? section[String(step)] : undefined;
    if (isJsonObject(section)) for (const key of issue.keys) delete section[key];
  }
  return suiteFile.safeParse(known);
}

/** The targets that have stored answers, as they are written. */
function storedIn(targets: JsonValue | undefined): JsonObject {
  if (!isJsonObject(targets)) return {};
  const stored = Object.entries(targets).filter(
    ([, target]) => isJsonObject(target) && target["answers"] !== undefined,
  );
  return Object.fromEntries(stored);
}

/** The fields that targets or matrix set themselves. */
function constantsIn({ targets, matrix }: { [member: string]: JsonValue }): string[] {
  const sections = [matrix, ...(isJsonObject(targets) ? Object.values(targets) : [])];
  const varied = gridOf(matrix).dimensions.flatMap(({ name }) => stepsOf(name)?.slice(0, 1) ?? []);
  const own = sections.flatMap((section) =>
    isJsonObject(section) && isJsonObject(section["body"]) ? Object.keys(section["body"]) : [],
  );
  return [...own, ...varied];
}

/** The endpoints that targets and matrix name; none where one of them is not known: rows are not measured by another one then. */
function endpointsIn(value: { [member: string]: JsonValue }): EndpointName[] {
  const { targets, matrix } = value;
  const sections = [matrix, ...(isJsonObject(targets) ? Object.values(targets) : [])];
  const written = sections.flatMap((section) => (isJsonObject(section) ? (section["endpoint"] ?? []) : []));
  if (written.length === 0) return [defaultEndpoint];
  const named = written.map(endpointIn);
  return named.includes(null) ? [] : [...new Set(named.filter((name) => name !== null))];
}
