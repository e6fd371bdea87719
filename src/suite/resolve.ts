import { resolve } from "node:path";
import { defaultEndpoint, endpointWord } from "../api/endpoint-name.ts";
import { endpointOf } from "../api/endpoints.ts";
import { passRuleOf } from "../score/contract/case-pass.ts";
import { scorerSpecs, type ScorerSpec } from "../score/contract/spec.ts";
import { deploymentAddress, namedIn } from "./address.ts";
import type { Environment } from "./environment.ts";
import type { Fault, FaultPath } from "../lib/fault.ts";
import { gridBody, type GridTarget, gridOf, plainOf } from "./matrix/grid.ts";
import { bodyWithPrompt } from "./prompts/prompt-body.ts";
import type { PromptTexts } from "./prompts/prompt-file.ts";
import { defaultErrorShare } from "./default-values.ts";
import { deploymentOf, needsOf } from "./written-deployment.ts";
import { targetPrices } from "./prices.ts";
import { withScorerJudges } from "./scorer-judges.ts";
import { compareSection } from "./schema/compare-schema.ts";
import { caseSection, filesSection } from "./schema/dataset-schema.ts";
import { toStoredKeys } from "./schema/kept.ts";
import type { SuiteFile } from "./schema/schema.ts";
import type { storedKeys } from "./schema/target-schema.ts";
import { gateKinds, type GateSettings, kindOfGate, gateLimits } from "./gate-settings.ts";
import type { CompareSettings, DecisionSettings, Suite, Target } from "./suite.ts";
import { filesOf, mappingOf } from "./case-mapping.ts";
import { fileFields } from "./sent-files.ts";
import { scriptColumns } from "../lib/script-columns.ts";
import { isByToken, type Price } from "../api/price.ts";
import { checksType } from "../score/row-checks.ts";

/** A suite made from its file, with what is missing or wrong in addresses, and remarks with the path they are about. */
export interface ResolvedSuite {
  suite: Suite;
  /** Addresses that cannot be used. */
  faults: Fault[];
  /** `${NAME}` without value and default. */
  missing: Fault[];
  warnings: { path: FaultPath; message: string }[];
}

/** The facts that `resolveSuite` needs beside the file. */
export interface ResolveContext {
  /** The name when the file gives none. */
  name: string;
  /** Relative paths begin here. */
  base: string;
  /** The suite file; left out when the suite came from flags. */
  file?: string;
  /** The folder of the suite file; null when the suite came from flags. */
  folder: string | null;
  env: Environment;
  /** Texts of the prompt files that it names. */
  prompts?: PromptTexts;
}

/** Fills in what depends on names, paths and the environment. The file must have passed the schema and the cross-check. */
export function resolveSuite(file: SuiteFile, context: ResolveContext): ResolvedSuite {
  const written = Object.entries(file.deployments ?? {});
  const addresses = written.map(([name, { base_url }]) => deploymentAddress(name, base_url, context));
  const { targets, faults: ofPrompts } = targetsOf(file, context.prompts ?? new Map());
  const { scorers, judges } = withScorerJudges(scorerSpecs(file.scorers ?? []), {
    judges: Object.entries(file.judges ?? {}).map(([name, judge]) => askedTarget(name, judge)),
    targets,
  });
  const deployments = written.map(([name, deployment], i) => ({
    ...deploymentOf({ name, baseUrl: addresses[i]?.url ?? "", base: context.base }, deployment),
    ...needsOf(name, deployment, [...targets, ...judges]),
    ...namedIn(deployment.base_url),
  }));
  const compare = file.compare ?? compareSection.parse({});
  const suite: Suite = {
    name: file.name ?? context.name,
    ...resolveDataset(file, context),
    deployments,
    targets,
    judges,
    repeats: file.repeats,
    interleave: file.interleave,
    onInDoubt: file.on_in_doubt ?? "resend",
    ...(file.on_in_doubt !== undefined && { onInDoubtOverWorkers: file.on_in_doubt }),
    onAmbiguous: file.on_ambiguous,
    scorers: withUsage(scorers, targets, targetPrices({ deployments, targets })),
    pass: passRuleOf(file.pass),
    compare: compareOf(compare, targets),
    decision: decisionOf(compare, file.gates),
    maxErrorShare: file.gates?.find((gate) => gate.errors !== undefined)?.errors ?? defaultErrorShare,
    ...(file.history !== undefined && { history: toStoredKeys(file.history) }),
    ...toStoredKeys({ reports: file.reports }),
    ...(file.csv !== undefined && { csv: toStoredKeys(file.csv) }),
    folder: context.folder,
  };
  return {
    suite,
    faults: [...addresses.flatMap((address) => address.faults), ...ofPrompts],
    missing: addresses.flatMap((address) => address.missing),
    warnings: [...addresses.flatMap((address) => address.warnings), ...leftOut(suite)],
  };
}

/** The keys of a suite about its dataset; paths begin in `base`. */
export function resolveDataset(
  { dataset, format, case: mapped, files }: Pick<SuiteFile, "dataset" | "format" | "case" | "files">,
  { base, file }: Pick<ResolveContext, "base" | "file">,
): Pick<Suite, "datasets" | "format" | "mapping" | "files"> {
  const datasets = [dataset].flat().map((path) => (path === "-" ? path : resolve(base, path)));
  const mapping = mappingOf(mapped ?? caseSection.parse({}));
  const own = files ?? filesSection.parse({});
  return {
    datasets,
    ...(format !== undefined && { format: toStoredKeys(format) }),
    mapping,
    ...(fileFields(mapping).length > 0 && { files: filesOf(own, { base, datasets, suite: file ?? null }) }),
  };
}

/** Parts of a case that are mapped, and that some targets are not sent. */
function leftOut({ mapping, targets }: Suite): ResolvedSuite["warnings"] {
  const files = fileFields(mapping);
  const asked = targets.filter(({ stored }) => stored === undefined);
  const fields = Object.keys(mapping.input ?? {}).flatMap((field) => {
    const without = asked.filter(({ endpoint }) => endpointOf(endpoint).leavesOut(field, files.includes(field)));
    const names = without.map(({ name, endpoint }) => `${name} (${endpointWord(endpoint)} has no such field)`);
    return names.length === 0
      ? []
      : [{ path: ["case", "input", field], message: `${field} is not sent to ${names.join(", ")}` }];
  });
  const withoutMessages = asked.filter(
    ({ endpoint, body }) => !endpointOf(endpoint).fields.has("messages") || body["messages"] !== undefined,
  );
  if (withoutMessages.length === 0) return fields;
  const names = withoutMessages.map(({ name }) => name).join(", ");
  // The beginning of a list of messages is no column of the sheet.
  const hasOpening = mapping.opening !== null && mapping.opening !== scriptColumns.opening;
  return [
    ...fields,
    ...(hasOpening ? [{ path: ["case", "opening"], message: `opening is not sent to ${names}` }] : []),
    ...(mapping.input?.["messages"] === undefined
      ? []
      : [{ path: ["case", "input", "messages"], message: `messages is not sent to ${names}` }]),
  ];
}

interface MadeTargets {
  targets: Target[];
  /** Prompts that have no place in a request. */
  faults: Fault[];
}

function targetsOf({ matrix, targets = {} }: SuiteFile, prompts: PromptTexts): MadeTargets {
  const made =
    matrix === undefined
      ? Object.entries(targets).map(([name, written]) => targetOf(name, written))
      : gridOf(matrix).targets.map((target) => matrixTarget(target, matrix));
  const faults: Fault[] = [];
  const whole = made.map((target) => {
    const { prompt, promptField: field, endpoint, body } = target;
    const text = prompt === undefined ? undefined : prompts.get(prompt);
    if (text === undefined) return target;
    const laid = bodyWithPrompt({ endpoint, body, field }, text);
    if (laid.wrong === undefined) return { ...target, body: laid.body };
    faults.push({ path: ["targets", target.name, "prompt"], message: laid.wrong, hint: laid.hint, atKey: false });
    return target;
  });
  return { targets: whole, faults };
}

/** A target as it is written under `targets`. */
export function targetOf(name: string, written: NonNullable<SuiteFile["targets"]>[string]): Target {
  const { answers, run_id, run_url, created_at, label, note, ...asked } = written;
  const target = askedTarget(name, asked);
  return answers === undefined
    ? target
    : {
        ...target,
        stored: {
          answer: answers,
          runId: run_id ?? null,
          url: run_url ?? null,
          createdAt: created_at ?? null,
          label: label ?? null,
          note: note ?? null,
        },
      };
}

function matrixTarget({ name, values }: GridTarget, matrix: NonNullable<SuiteFile["matrix"]>): Target {
  const { deployments: _places, example_ids: _ids, models: _models, include: _more, exclude: _less, ...rest } = matrix;
  const { limit: _most, vary = {}, prompt: shared, prompt_field, body = {}, ...asked } = rest;
  const textOf = (dimension: string): string | undefined => {
    const value = values.get(dimension)?.value;
    return typeof value === "string" ? value : undefined;
  };
  const prompt = textOf("prompt") ?? shared;
  const target = askedTarget(name, {
    ...asked,
    deployment: textOf("deployment"),
    example_id: textOf("example_id") ?? textOf("model"),
    ...(prompt !== undefined && { prompt, prompt_field }),
    body: gridBody(body, values),
  });
  const varied = Object.keys(vary).flatMap((dimension) => {
    const value = values.get(dimension);
    return value === undefined ? [] : [[dimension, plainOf(value)] as const];
  });
  return varied.length === 0 ? target : { ...target, varied: Object.fromEntries(varied) };
}

type WrittenTarget = Omit<NonNullable<SuiteFile["targets"]>[string], keyof typeof storedKeys>;

function askedTarget(name: string, written: Partial<WrittenTarget>): Target {
  const { deployment = "", endpoint = defaultEndpoint, example_id, model, mode, history, body = {}, ...more } = written;
  const exampleId = (example_id ?? model ?? "").trim();
  return { name, deployment, endpoint, exampleId, ...toStoredKeys({ mode, keepsHistory: history, ...more }), body };
}

type WrittenCompare = NonNullable<SuiteFile["compare"]>;

function compareOf(
  { baseline: written, candidates, noise_repeats, same }: WrittenCompare,
  targets: readonly Target[],
): CompareSettings | null {
  const names = targets.map((target) => target.name);
  if (names.length < 2) return null;
  const baseline = written ?? defaultBaseline(targets.filter(({ name }) => candidates?.includes(name) !== true));
  const others = candidates ?? names.filter((name) => name !== baseline);
  return { baseline, candidates: others, ...toStoredKeys({ noise_repeats, same }) };
}

function decisionOf(compare: WrittenCompare, gates: NonNullable<SuiteFile["gates"]> = []): DecisionSettings {
  const { baseline, candidates: _candidates, noise_repeats: _repeats, same: _same, ...rules } = compare;
  const { alpha, nights, ignore, confirm, ...more } = rules;
  const ofMetrics = gates.flatMap((gate) => {
    const { metric, of = null, by = null, confirm: own, require, accept } = gate;
    if (metric === undefined) return [];
    const compared = gateKinds[kindOfGate(gate)].of ?? of;
    const limits = { margin: null, of: compared, losses: null, by, ...gateLimits(gate) };
    return [{ metric, ...limits, ...toStoredKeys({ confirm: own, require, accept }) } satisfies GateSettings];
  });
  const expected = more.choose === undefined ? undefined : baseline;
  return { gates: ofMetrics, alpha, nights, ignore, ...toStoredKeys({ confirm, expected, ...more }) };
}

/** Chooses the baseline: answers that were given before, else the target `prod`, else the first one. */
function defaultBaseline(targets: readonly Target[]): string {
  const baseline =
    targets.find(({ stored }) => stored !== undefined) ?? targets.find(({ name }) => name === "prod") ?? targets[0];
  return baseline?.name ?? "";
}

/**
 * Scorers with prices in those of cost. Where every target tells its tokens they are compared as well, and the cost where
 * every target has a price and one is by the token: beside scorers that say what is good, never alone.
 */
function withUsage(
  scorers: readonly ScorerSpec[],
  targets: readonly Target[],
  prices: Readonly<Record<string, Price>>,
): ScorerSpec[] {
  const asked = targets.filter(({ stored }) => stored === undefined);
  const has = (type: string): boolean => scorers.some((spec) => spec.type === type || spec.name === type);
  const added = [];
  if (scorers.length > 0 && asked.length > 0) {
    const isPriced = asked.every(({ name }) => prices[name] !== undefined);
    const isCounted = asked.every(({ endpoint }) => endpointOf(endpoint).tellsUsage);
    if (isCounted && !has("tokens")) added.push({ type: "tokens" });
    if (isPriced && Object.values(prices).some(isByToken) && !has("cost")) added.push({ type: "cost" });
  }
  const own = scorerSpecs(added).map((spec) => ({ ...spec, primary: false }));
  const hasPrices = Object.keys(prices).length > 0;
  return [...scorers, ...own].map((spec) =>
    (spec.type === "cost" || (hasPrices && spec.type === checksType)) &&
    Object.keys(Object(spec.options["prices"] ?? {})).length === 0
      ? { ...spec, options: { ...spec.options, prices } }
      : spec,
  );
}
