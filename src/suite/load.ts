import { readFile } from "node:fs/promises";
import { basename, dirname, extname, relative, resolve } from "node:path";
import { isMap, isScalar, isSeq } from "yaml";
import { z } from "zod";
import { AppError } from "../errors.ts";
import { type CodeTrust, trustCode } from "../score/contract/code-trust.ts";
import { templateFaults } from "./prompts/body-templates.ts";
import { certificateFaults } from "./certificates.ts";
import { suiteFaults, targetNames } from "./check/cross-check.ts";
import type { Environment } from "./environment.ts";
import { type Fault, type FaultPath, fault as faultAt } from "../lib/fault.ts";
import { secretNames } from "./key.ts";
import { stepsOf } from "./body-path.ts";
import { gridOf } from "./matrix/grid.ts";
import { refuseSetFaults, withSetValues } from "./flags/set-values.ts";
import { withDimensions, type VariedByFlags } from "./matrix/dimensions.ts";
import { namedPrompts, readPrompts } from "./prompts/prompt-file.ts";
import { resolveSuite } from "./resolve.ts";
import { scorersNotMade } from "./check/scorer-check.ts";
import { type SuiteFile, suiteFile } from "./schema/schema.ts";
import { type Sections, sectionsOf } from "./schema/sections.ts";
import type { Suite } from "./suite.ts";
import { faultyFile, parseYaml, placeFault, positionOf, type YamlDocument, type YamlFault } from "./yaml.ts";
import { statSync } from "node:fs";
import { showText } from "../lib/show.ts";
import { fileFields } from "./sent-files.ts";

/** Something in a suite that a person should know, although the suite can be run. */
interface SuiteWarning {
  /** `file:line:column`, or a flag. */
  where: string;
  message: string;
}

/** A suite and what it was made of. */
export interface LoadedSuite {
  suite: Suite;
  warnings: SuiteWarning[];
  /** The file as it is on disk. */
  text: string;
  /** Leave to run the modules and commands of the file; null: the suite came from flags. */
  trust: CodeTrust | null;
  /** Targets of a matrix that run without a question; null without a matrix. */
  targetLimit: number | null;
  /** The error that tells of faults which only the dataset has shown, each with its place in the file, or its flag. */
  errorOf: (faults: readonly Fault[]) => AppError;
}

/** Dimensions (`--vary`) and values of keys (`--set`) that flags lay over a suite file. */
export interface FileOverrides {
  vary?: VariedByFlags;
  set?: readonly string[];
}

/**
 * Reads, checks and completes a suite file. Raises SUITE_NOT_FOUND, SUITE_SYNTAX, SUITE_INVALID or ENV_MISSING;
 * the last three list every fault with file:line:column. No key is read.
 */
export async function loadSuite(path: string, env: Environment, over: FileOverrides = {}): Promise<LoadedSuite> {
  const file = resolve(path);
  const text = await readSuiteText(path);
  const parsed = parseYaml(text, path);
  const set = withSetValues(parsed.value, over.set ?? []);
  const document = { ...parsed, value: withDimensions(set.value, over.vary ?? {}, path) };
  const folder = dirname(file);
  const sections = sectionsOf(document.value);
  const unmade =
    sections === null ? [] : await scorersNotMade(sections.scorers ?? [], { folder, targets: targetNames(sections) });
  const faults = suiteFaults(document.value, unmade);
  refuseSetFaults(set, faults);
  if (faults.length > 0)
    throw faultyFile("SUITE_INVALID", `The suite ${path} is not valid`, placedFaults(document, faults));
  const written = suiteFile.parse(document.value);
  const name = basename(file, extname(file));
  const prompts = await readPrompts(namedPrompts(written), folder);
  const resolved = resolveSuite(written, { name, base: folder, file, folder, env, prompts: prompts.texts });
  const certificates = await certificateFaults(resolved.suite.deployments);
  const ofFiles = [...certificates, ...prompts.faults, ...filesFaults(written, resolved.suite)];
  const wrong = [...resolved.faults, ...ofFiles, ...templateFaults(resolved.suite)];
  refuseSetFaults(set, wrong);
  const problems = placedFaults(document, [...wrong, ...resolved.missing], written.matrix);
  if (problems.length > 0) {
    const code = wrong.length > 0 ? "SUITE_INVALID" : "ENV_MISSING";
    throw faultyFile(code, `The suite ${path} cannot be used`, problems);
  }
  const remarks = filesRemarks(written, resolved.suite);
  const warnings = [...resolved.warnings, ...remarks, ...literalReferences(document)].map((warning) => {
    const { line, column } = positionOf(document, warning.path);
    return { line, column, message: warning.message };
  });
  const { suite } = resolved;
  const keyNames = suite.deployments.flatMap(secretNames);
  return {
    suite,
    trust: trustCode({ folder, scorers: suite.scorers, keyNames }),
    warnings: warnings
      .toSorted((a, b) => a.line - b.line || a.column - b.column)
      .map(({ line, column, message }) => ({ where: `${path}:${line}:${column}`, message })),
    text,
    targetLimit: written.matrix?.limit ?? null,
    errorOf: (found) =>
      faultyFile("SUITE_INVALID", `The suite ${path} cannot be used`, placedFaults(document, found, written.matrix)),
  };
}

/** Faults with their places, each once. Those of targets that a matrix stands for share the keys of the matrix. */
function placedFaults(document: YamlDocument, faults: readonly Fault[], matrix?: Sections["matrix"]): YamlFault[] {
  const placed = new Map<string, YamlFault>();
  for (const each of faults) {
    const fault = matrix === undefined ? each : ofMatrix(matrix, each);
    placed.set(JSON.stringify(fault), placeFault(document, fault));
  }
  return [...placed.values()].toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** A fault of a target that a matrix makes, where the matrix says it: of the target as a whole, at the value that makes it. */
function ofMatrix(matrix: Sections["matrix"], each: Fault): Fault {
  const [section, name, ...keys] = each.path;
  if (section !== "targets") return each;
  const target = gridOf(matrix).targets.find((made) => made.name === name);
  if (keys.length > 0 || name === undefined) {
    const at = Array.from(target?.values ?? []).find(([dimension]) => isAbout(dimension, keys));
    return { ...each, path: at?.[1].path ?? ["matrix", ...keys] };
  }
  return {
    ...each,
    path: target?.path ?? ["matrix"],
    message: `makes the target ${showText(String(name))}, which ${each.message}`,
  };
}

/** True where a dimension sets what the keys of a target lead to. */
function isAbout(dimension: string, keys: FaultPath): boolean {
  const steps = stepsOf(dimension);
  const path = steps === null ? [dimension] : ["body", ...steps];
  return path.every((step, i) => step === String(keys[i]));
}

/** The name of the suite in a file, of which nothing else needs to be right. Throws SUITE_NOT_FOUND and SUITE_SYNTAX. */
export async function suiteNameIn(path: string): Promise<string> {
  const { value } = parseYaml(await readSuiteText(path), path);
  const named = suiteNamed.safeParse(value);
  return named.success ? named.data.name : basename(path, extname(path));
}

const suiteNamed = z.looseObject({ name: z.string().min(1) });

async function readSuiteText(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "ENOENT") {
      throw new AppError("SUITE_NOT_FOUND", `There is no suite file ${path}.`, {
        cause,
        hint: `Check the path; it was looked for in ${relative("", dirname(resolve(path))) || "the current folder"}.`,
      });
    }
    if (code === "EISDIR") {
      throw new AppError("SUITE_NOT_FOUND", `${path} is a folder, not a suite file.`, {
        cause,
        hint: "Name the .yaml file in it.",
      });
    }
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
      throw new AppError("SUITE_SYNTAX", `${path} is not UTF-8 text.`, { cause, hint: "Save it as UTF-8." });
    }
    throw new AppError("SUITE_NOT_FOUND", `The suite file ${path} cannot be read: ${code || String(cause)}.`, {
      cause,
    });
  }
}

/** Parts of a deployment in which `${...}` is replaced. */
const substituted = new Set(["base_url", "headers", "proxy"]);

/** `${...}` is not replaced elsewhere: say so, for it is hardly ever meant literally. */
function literalReferences(document: YamlDocument): { path: (string | number)[]; message: string }[] {
  const found: { path: (string | number)[]; message: string }[] = [];
  const walk = (node: unknown, path: (string | number)[]): void => {
    if (isMap(node)) {
      for (const { key, value } of node.items) walk(value, [...path, isScalar(key) ? String(key.value) : ""]);
    } else if (isSeq(node)) {
      node.items.forEach((item, i) => walk(item, [...path, i]));
    } else if (isScalar(node) && typeof node.value === "string" && node.value.includes("${")) {
      if (path[0] === "deployments" && substituted.has(String(path[2]))) return;
      if (path.at(-2) === "headers" && path.at(-3) === "endpoint") return;
      const message = "${...} is replaced in base_url, headers and proxy only; here it stays as it is written";
      found.push({ path, message });
    }
  };
  walk(document.document.contents, []);
  return found;
}

/** The fault of a folder of files that is none; empty where there is nothing to say. */
function filesFaults({ files: written }: SuiteFile, { files }: Suite): Fault[] {
  const [root] = files?.roots ?? [];
  if (written?.root === undefined || root === undefined) return [];
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === true) return [];
  return [
    faultAt(["files", "root"], `must be a folder, got ${showText(written.root)}`, `It was looked for at ${root}.`),
  ];
}

/** A remark on `files:` where no field holds any. */
function filesRemarks({ files }: SuiteFile, { mapping }: Suite): { path: FaultPath; message: string }[] {
  if (files === undefined || fileFields(mapping).length > 0) return [];
  const message = "says nothing here: no field of case.input has type: file, such as { column: photo, type: file }";
  return [{ path: ["files"], message }];
}
