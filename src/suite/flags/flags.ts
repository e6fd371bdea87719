import { basename, extname } from "node:path";
import { stringify } from "yaml";
import { AppError } from "../../errors.ts";
import type { JsonObject } from "../../lib/json.ts";
import { scriptColumns } from "../../lib/script-columns.ts";
import { templateFaults } from "../prompts/body-templates.ts";
import { suiteFaults } from "../check/cross-check.ts";
import { defaultTargetLimit } from "../default-values.ts";
import type { Environment } from "../environment.ts";
import type { Fault, FaultPath } from "../../lib/fault.ts";
import { type FormatFlags, formatOfFlags } from "./format-flags.ts";
import type { LoadedSuite } from "../load.ts";
import type { VariedByFlags } from "../matrix/dimensions.ts";
import { gridOf } from "../matrix/grid.ts";
import type { PromptTexts } from "../prompts/prompt-file.ts";
import { resolveSuite } from "../resolve.ts";
import { scorerFlag, scorerFromFlag } from "./scorer-flag.ts";
import { type SetSuite, withSetValues } from "./set-values.ts";
import { suiteFile, type SuiteFileInput } from "../schema/schema.ts";
import type { CaseMapping, StoredColumns } from "../suite.ts";

/** The flags that stand for a suite file; texts are as typed. Limits hold for every deployment. */
export interface SuiteFromFlags extends FormatFlags {
  dataset: string | readonly string[];
  endpoint: string;
  /** Name to base URL, in the order given. */
  deployments: Record<string, string>;
  exampleIds: readonly string[];
  /** Models of a chat, in place of saved configurations. */
  models?: readonly string[] | undefined;
  /** Further dimensions: values by the keys of a matrix's `vary`. */
  vary?: VariedByFlags | undefined;
  /** Texts of the prompt files that they name. */
  prompts?: PromptTexts | undefined;
  name?: string | undefined;
  concurrency?: number | undefined;
  rate?: string | undefined;
  repeats?: number | undefined;
  /** Values of other keys, as `KEY=VALUE`. */
  set?: readonly string[] | undefined;
  /** Scorers: a type, or a mapping in braces as YAML writes it. */
  scorers?: readonly string[] | undefined;
  onInDoubt?: string | undefined;
  onAmbiguous?: string | undefined;
  /** Mapping of the dataset's columns; left out: found by their names. */
  mapping?: CaseMapping | undefined;
  /** Answers that the dataset brings along: a target beside the deployments. */
  stored?: StoredColumns | undefined;
}

/**
 * The suite that flags describe: every deployment with every example_id or model, and stored answers. It goes through the same schema as a file;
 * messages name the flag. `text` is the same suite as a YAML file. Raises USAGE or ENV_MISSING.
 */
export function suiteFromFlags(flags: SuiteFromFlags, env: Environment, cwd: string): LoadedSuite {
  const file = fileOf(flags);
  const set = withSetValues(file, flags.set ?? []);
  const whole = set.value;
  const faults = suiteFaults(whole);
  if (faults.length > 0) throw new AppError("USAGE", message(faults, set));
  const [first] = [flags.dataset].flat();
  const name = first === undefined || first === "-" ? "run" : basename(first, extname(first));
  const resolved = resolveSuite(suiteFile.parse(whole), {
    name,
    base: cwd,
    folder: null,
    env,
    prompts: flags.prompts ?? new Map(),
  });
  const { suite, missing, warnings } = resolved;
  const wrong = [...resolved.faults, ...templateFaults(suite)];
  if (wrong.length + missing.length > 0) {
    throw new AppError(wrong.length > 0 ? "USAGE" : "ENV_MISSING", message([...wrong, ...missing], set));
  }
  return {
    suite,
    trust: null,
    warnings: warnings.map((warning) => ({ where: flagOf(warning.path), message: warning.message })),
    text: stringify(whole),
    targetLimit: file.matrix === undefined ? null : defaultTargetLimit,
    errorOf: (found) => new AppError("USAGE", message(found, set)),
  };
}

/** Checked by the schema, so a wrong endpoint or interleave is still plain text here. */
type FlagFile = Omit<
  SuiteFileInput,
  "matrix" | "targets" | "scorers" | "interleave" | "on_in_doubt" | "on_ambiguous"
> & {
  matrix?: {
    deployments: string[];
    endpoint: string;
    example_ids?: string[];
    models?: string[];
    vary?: VariedByFlags;
  };
  targets?: Record<string, { [key: string]: unknown }>;
  scorers?: JsonObject[];
  interleave?: string;
  on_in_doubt?: string;
  on_ambiguous?: string;
};

function fileOf(flags: SuiteFromFlags): FlagFile {
  const limits = {
    ...(flags.concurrency !== undefined && { concurrency: flags.concurrency }),
    ...(flags.rate !== undefined && { rate: flags.rate }),
  };
  const format = formatOfFlags(flags);
  return {
    ...(flags.name !== undefined && { name: flags.name }),
    dataset: typeof flags.dataset === "string" ? flags.dataset : [...flags.dataset],
    ...(format !== undefined && { format }),
    ...(flags.mapping !== undefined && { case: caseSection(flags.mapping) }),
    deployments: Object.fromEntries(
      Object.entries(flags.deployments).map(([name, baseUrl]) => [name, { base_url: baseUrl, ...limits }]),
    ),
    ...sidesOf(flags),
    ...(flags.repeats !== undefined && { repeats: flags.repeats }),
    ...(flags.scorers !== undefined && flags.scorers.length > 0 && { scorers: flags.scorers.map(scorerFromFlag) }),
    ...(flags.onInDoubt !== undefined && { on_in_doubt: flags.onInDoubt }),
    ...(flags.onAmbiguous !== undefined && { on_ambiguous: flags.onAmbiguous }),
  };
}

/** Targets of the flags: a matrix, or with stored answers beside it the targets that it stands for. */
function sidesOf(flags: SuiteFromFlags): Pick<FlagFile, "matrix" | "targets"> {
  const { stored, deployments, exampleIds, models = [] } = flags;
  const isWhole = Object.keys(deployments).length === 0 || exampleIds.length + models.length > 0;
  return stored === undefined || !isWhole ? { matrix: matrixOf(flags) } : { targets: targetsOf(flags, stored) };
}

function matrixOf(flags: SuiteFromFlags): NonNullable<FlagFile["matrix"]> {
  const { deployments, endpoint, exampleIds, models = [], vary = {} } = flags;
  return {
    deployments: Object.keys(deployments),
    endpoint,
    ...(exampleIds.length > 0 && { example_ids: [...exampleIds] }),
    ...(models.length > 0 && { models: [...models] }),
    ...(Object.keys(vary).length > 0 && { vary }),
  };
}

/** The targets that a matrix would make, after the stored answers. */
function targetsOf(flags: SuiteFromFlags, stored: StoredColumns): NonNullable<FlagFile["targets"]> {
  const { deployments, endpoint, exampleIds, models = [] } = flags;
  const ran = [...exampleIds.map((id) => ({ example_id: id })), ...models.map((model) => ({ model }))];
  const names = gridOf(matrixOf(flags)).targets.map((target) => target.name);
  const pairs = Object.keys(deployments).flatMap((deployment) =>
    ran.map((what) => ({ deployment, endpoint, ...what })),
  );
  const { answer, runId, url, createdAt, label, note } = stored;
  const columns = { answers: answer, endpoint, run_id: runId, run_url: url, created_at: createdAt, label, note };
  const given = Object.fromEntries(Object.entries(columns).filter(([, column]) => column !== null));
  const name = names.includes("stored") ? "stored_answers" : "stored";
  return { [name]: given, ...Object.fromEntries(pairs.map((target, i) => [names[i] ?? target.deployment, target])) };
}

/** A mapping that was learned from a header, as a suite writes it. */
function caseSection(mapping: CaseMapping): NonNullable<SuiteFileInput["case"]> {
  const { key, input, expected, cluster, turn, turns, messages, orderBy, tags } = mapping;
  const { prompt, conversation } = scriptColumns;
  const plain = Object.entries(input ?? {}).flatMap(([field, from]) =>
    typeof from === "string" || (!Array.isArray(from) && "value" in from) ? [[field, from] as const] : [],
  );
  return {
    ...(key !== null && { key }),
    ...(input !== null && { input: Object.fromEntries(plain.filter(([, from]) => from !== prompt)) }),
    ...(turns !== undefined && { turns }),
    ...(messages !== undefined && { messages }),
    ...(expected !== null && { expected }),
    ...(cluster !== null && cluster !== conversation && turns === undefined && { cluster }),
    ...(turn !== null && turns === undefined && messages === undefined && { turn }),
    ...(orderBy !== undefined && { order_by: orderBy }),
    ...(tags.length > 0 && { tags }),
  };
}

/** Keys that have a flag of their own name; others are given by `--set`. */
const ownFlags: ReadonlySet<string> = new Set(["concurrency", "rate", "repeats", "name", "dataset"]);

/** The flag that a path of the suite file was given by. */
function flagOf(path: FaultPath): string {
  const [section, name, key] = path.map(String);
  if (section === "deployments") {
    if (key === undefined || key === "base_url") return `--deployment${name === undefined ? "" : ` ${name}`}`;
    return ownFlags.has(key) ? `--${key}` : `--set ${key}`;
  }
  if (section === "targets" && name !== undefined && key === undefined) return `The target ${name}`;
  if (section === "matrix" && name === "example_ids") return "--example-id";
  if (section === "targets" && key === "example_id") return "--example-id";
  if ((section === "matrix" && name === "models") || (section === "targets" && key === "model")) return "--model";
  if (section === "targets" && key === "endpoint") return "--endpoint";
  if (section === "matrix" && name === "vary" && key === "prompt") return "--prompt-file";
  if (section === "matrix" && name === "vary") return `--vary${key === undefined ? "" : ` ${key}`}`;
  if (section === "targets" && key === "prompt") return "--prompt-file";
  if (section === "scorers") return scorerFlag(Number(name), key);
  if (section === "format") return name === undefined ? "The flags" : `--${name}`;
  if (section === "matrix") return name === "endpoint" ? "--endpoint" : "--deployment";
  if (section === undefined) return "The flags";
  return ownFlags.has(section) ? `--${section}` : `--set ${path.join(".")}`;
}

function message(faults: readonly Fault[], set: SetSuite): string {
  const lines = faults.map(
    (fault) =>
      set.lineOf(fault) ?? `${flagOf(fault.path)} ${fault.message}${fault.hint === null ? "" : `. ${fault.hint}`}`,
  );
  return [...new Set(lines)].join("\n");
}
