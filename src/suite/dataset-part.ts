import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { defaultEndpoint, type EndpointName } from "../api/endpoint-name.ts";
import { soundEndpoint } from "./check/endpoint-check.ts";
import { stepsOf } from "./body-path.ts";
import { gridOf } from "./matrix/grid.ts";
import { namedPrompts } from "./prompts/prompt-file.ts";
import { resolveDataset, targetOf } from "./resolve.ts";
import { caseSection, filesSection, formatSection } from "./schema/dataset-schema.ts";
import { suiteFile } from "./schema/schema.ts";
import { type Sections, sectionsOf } from "./schema/sections.ts";
import type { CaseMapping, DatasetFormat, FileSettings, Target } from "./suite.ts";
import { parseYaml } from "./yaml.ts";

/** The part of a suite about its dataset. */
export interface DatasetPart {
  datasets: string[];
  mapping: CaseMapping;
  format?: DatasetFormat | undefined;
  /** Where files of the cases are; no field holds any without it. */
  files?: FileSettings | undefined;
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

/** The keys about a dataset; one that is not known says nothing of it. */
const datasetKeys = z.object({
  dataset: suiteFile.shape.dataset,
  case: caseSection.strip().optional(),
  format: formatSection.strip().optional(),
  files: filesSection.strip().optional(),
});

/**
 * Reads the dataset's part of a suite with faults elsewhere, so that both can be checked at once; null when not even
 * that is sound. Its faults are told by loadSuite.
 */
export async function datasetPart(path: string): Promise<DatasetPart | null> {
  try {
    const { value } = parseYaml(await readFile(path, "utf8"), path);
    const written = datasetKeys.safeParse(value);
    const sections = sectionsOf(value);
    if (!written.success || sections === null) return null;
    const dataset = resolveDataset(written.data, { base: dirname(resolve(path)), file: resolve(path) });
    const endpoints = endpointsIn(sections);
    const { input } = dataset.mapping;
    // Whatever the endpoint is, rows with a prompt are asked with it.
    const hasPrompt = input === null || input["input_prompt"] !== undefined;
    return {
      ...dataset,
      endpoints: endpoints.length === 0 && hasPrompt ? [defaultEndpoint] : endpoints,
      constants: constantsIn(sections),
      asksItself: namedPrompts(sections).length > 0,
      stored: Object.entries(sections.targets ?? {}).flatMap(([name, target]) =>
        (target.answers ?? "") === "" ? [] : [targetOf(name, target)],
      ),
      named: [],
    };
  } catch {
    return null;
  }
}

/** The fields that targets or matrix set themselves. */
function constantsIn({ targets = {}, matrix }: Sections): string[] {
  const bodies = [matrix, ...Object.values(targets)].flatMap((section) => Object.keys(section?.body ?? {}));
  const varied = gridOf(matrix).dimensions.flatMap(({ name }) => stepsOf(name)?.slice(0, 1) ?? []);
  return [...bodies, ...varied];
}

/** The endpoints that targets and matrix name; none where one of them is not known: rows are not measured by another one then. */
function endpointsIn({ targets = {}, matrix }: Sections): EndpointName[] {
  const sections = [matrix ?? [], ...Object.values(targets)].flat();
  if (sections.length === 0) return [defaultEndpoint];
  const named = sections.map((section) =>
    "answers" in section && section.answers !== undefined
      ? (section.endpoint ?? defaultEndpoint)
      : soundEndpoint(section.endpoint),
  );
  return named.includes(null) ? [] : [...new Set(named.filter((name) => name !== null))];
}
