import { existsSync, mkdirSync, rmSync } from "node:fs";
import { type Check, deploymentChecks, machineChecks } from "../../../app/doctor/doctor.ts";
import { checkSuite, type SuiteCheck } from "../../../app/plan/check-suite.ts";
import type { TypedPrompt } from "../../../app/plan/chat-export.ts";
import { plannedMetrics } from "../../../app/compare/compared-metrics.ts";
import { whyToTheEnd } from "../../../app/compare/stop-rule.ts";
import { planSuite, type SuitePlan } from "../../../app/plan/estimate.ts";
import { planPower, type PowerPlan } from "../../../app/plan/power.ts";
import { keyVariable } from "../../../app/plan/planned-request.ts";
import { knownMetric } from "../../../score/make.ts";
import type { Sheets } from "../../../dataset/sheets.ts";
import { AppError, exitCodes } from "../../../errors.ts";
import { databasePath } from "../../../store/database.ts";
import { suiteFileName } from "../../../suite/file-name.ts";
import { resolveKey } from "../../../suite/key.ts";
import type { Deployment, Suite } from "../../../suite/suite.ts";
import { openAccess } from "../../access.ts";
import type { CommandResult } from "../../command-result.ts";
import { loadDotEnv, namesInSuite } from "../../dot-env.ts";
import { promptOf, severalPrompts } from "../../flags/prompt-flags.ts";
import { suiteHere, suitePath } from "../../flags/suite-path.ts";
import { isSheetAlone, notThere, overOf, preparationFrom, suiteFrom } from "../../flags/suite-source.ts";
import type { JsonData } from "../../json-outputs.ts";
import { hanging } from "../../../report/text/wrap.ts";
import { beyondLimit } from "../../progress/approval.ts";
import { sentLines } from "../../progress/mapping-summary.ts";
import { reachLines } from "../../progress/reach.ts";
import { sheetsHere } from "../../sheets-here.ts";
import type { Terminal } from "../../terminal.ts";
import type { CheckFlags } from "./check.ts";
import { checkLines, datasetLines, validText, warningLines } from "./check.text.ts";
import { planText } from "./plan.text.ts";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tempSuffix, removeLeftovers } from "../../../lib/leftovers.ts";
import { codeOfSignal, endingSignals } from "../../signals/ending-signals.ts";

/**
 * Reads everything that a run would read, looks at the machine and reaches the services without a run, then says what a run
 * would send. Ends with 2 where suite or sheet have faults, with 3 where something else keeps a run from working.
 */
export async function checkEverything(given: CheckFlags, terminal: Terminal): Promise<CommandResult> {
  const path = given.offline ? suitePath(given.path, terminal) : (given.path ?? suiteHere(terminal));
  if (path === null) return machineAlone(given, terminal);
  const flags = { ...given, path };
  if (path !== "-" && !/\.ya?ml$/i.test(path) && !existsSync(path)) throw notThere(path);
  loadDotEnv(namesInSuite(path));
  using sheets = sheetsHere();
  const validity = await checkSuite(path, {
    env: process.env,
    sheets,
    format: flags,
    over: overOf(flags),
    endpoint: flags.endpoint,
    prompt: firstPrompt(flags),
    skipInvalid: flags["skip-invalid"],
    hasReference: flags.against !== undefined,
    onSkipped: (message) => terminal.note(`left out: ${message}`),
  });
  const found = [...machineChecks(flags.results, validity.suite), terminalCheck(terminal)];
  if (validity.faults.length > 0) return invalid(validity, found, { flags, terminal });
  const planned = (await isSheetAlone(flags, sheets)) ? null : await plan(flags, { sheets, terminal });
  const { deployments } = planned?.suite ?? validity.suite ?? { deployments: [] };
  const reached = flags.offline ? [] : await reach(deployments, terminal);
  found.push(...reached.flatMap(({ checks }) => checks));
  const isWell = found.every(({ state }) => state !== "failed");
  const warnings = warningsOf(validity, { planned, deployments: flags.offline ? deployments : [] });
  const { cases, faults, dataset } = validity;
  const facts = { valid: true, ok: isWell, checks: found, cases, faults, dataset };
  const { suite = null, data = null, extra = null } = planned ?? {};
  const output = { ...facts, ...data, ...extra, warnings } satisfies JsonData["check"];
  if (!flags.json) tellWarnings(validity, warnings, { plan: data, terminal });
  const width = widthOf(terminal);
  const told =
    suite === null || data === null || extra === null
      ? []
      : ["", planText(data, suite, { power: extra.power ?? null, isOffline: flags.offline, width })];
  const shown = found.filter(({ about, state }) => state !== "ok" || !ofMachine.has(about));
  const lines = shown.length === 0 ? [] : ["", ...checkLines(shown, { colored: terminal.color.out, width })];
  const text = [
    validText(path, cases ?? 0, (validity.suite ?? suite)?.targets.length ?? null),
    ...sheetLines(validity).flatMap((line) => hanging(line, width)),
    ...lines,
    ...told,
  ].join("\n");
  return { data: output, text, exit: isWell ? exitCodes.ok.code : codeOf(reached) };
}

/** Whatever a run would refuse before it sends anything is one of its usage errors; else it could not run. */
const codeOf = (reached: readonly Reached[]): number =>
  reached.find(({ refused }) => refused === exitCodes.usage.code)?.refused ?? exitCodes.couldNotRun.code;

/** Node, database, disk, open files and terminal; without a suite there is nothing else to check, which is a usage error. */
function machineAlone({ results }: CheckFlags, terminal: Terminal): CommandResult {
  const checks = [...machineChecks(results, null), terminalCheck(terminal)];
  const message =
    "No suite is named, and there is no tandem.yaml in this folder: only the machine was checked. Name a suite or a dataset, or write a suite for a sheet: tandem init SHEET";
  terminal.fail({ message, hint: null });
  const about = { valid: false, cases: null, warnings: [], dataset: null };
  return {
    data: {
      ok: false,
      checks,
      ...about,
      faults: [{ file: suiteFileName, line: null, column: null, message }],
    } satisfies JsonData["check"],
    text: checkLines(checks, { colored: terminal.color.out, width: widthOf(terminal) }).join("\n"),
    exit: exitCodes.usage.code,
  };
}

/** Every fault of suite and sheet: nothing else is looked at before they are corrected. */
function invalid(
  validity: SuiteCheck,
  checks: Check[],
  { flags, terminal }: { flags: CheckFlags; terminal: Terminal },
): CommandResult {
  const { cases, faults, dataset, messages } = validity;
  const warnings = warningsOf(validity, { planned: null, deployments: [] });
  if (!flags.json) tellWarnings(validity, warnings, { plan: null, terminal });
  return {
    data: {
      valid: false,
      ok: false,
      checks,
      cases,
      faults,
      warnings,
      dataset,
    } satisfies JsonData["check"],
    text: [...messages, ...sheetLines(validity)].join("\n"),
    exit: exitCodes.usage.code,
  };
}

/** Columns of a screen; a file takes lines of any length. */
const widthOf = ({ rows, columns }: Terminal): number => (rows === null ? Number.POSITIVE_INFINITY : columns);

/** None of a sheet that could not be read. */
const sheetLines = ({ dataset, files, faults }: SuiteCheck): string[] =>
  dataset === null || (faults.length > 0 && dataset.profile.cases === 0)
    ? []
    : [...datasetLines(dataset), ...files.flatMap(sentLines)];

function firstPrompt(flags: CheckFlags): TypedPrompt | null {
  const [first] = severalPrompts(flags);
  return promptOf(first === undefined ? flags : { "prompt-file": first });
}

/** A plan of the suite with the flags over it, as `--json` prints it and as it is told. */
async function plan(
  flags: CheckFlags & { path: string },
  { sheets, terminal }: { sheets: Sheets; terminal: Terminal },
) {
  // Warnings of the suite itself are told with the others.
  const quiet = { ...terminal, note: () => {} };
  const { suite, ...source } = await suiteFrom(flags, /\.ya?ml$/i.test(flags.path) ? quiet : terminal, sheets);
  const options = { ...preparationFrom(flags, { ...source, onNotice: terminal.note }), onSkipped: () => {} };
  const database = databasePath(flags.results);
  const [show, against] = [flags.show ?? null, flags.against ?? null];
  const data = await withScratch((scratch) =>
    planSuite({ ...options, suite, scratch, database, show, env: process.env, against }),
  );
  const power = powerOf(flags, { plan: data, suite, database });
  const limit = beyondLimit(suite, { limit: source.targetLimit, ...data });
  const extra = power === null ? {} : { power };
  return { suite, data, extra, limit };
}

type Planned = Awaited<ReturnType<typeof plan>>;

function powerOf(
  flags: CheckFlags,
  { plan: planned, suite, database }: { plan: SuitePlan; suite: Suite; database: string },
): PowerPlan | null {
  const [drop, discordant] = [flags.drop ?? null, flags.discordant ?? null];
  if (!flags.power && drop === null && discordant === null) return null;
  const judged = planned.judges.flatMap(({ cost }) => cost ?? []);
  const judgeCost = judged.length === 0 ? null : judged.reduce((sum, cost) => sum + cost, 0);
  return planPower({ ...planned, suite, database, drop, discordant, judgeCost });
}

/** Says why a run that should stop when it is decided would send everything. */
function stopNotes({ decision, scorers }: Suite): string[] {
  if (decision.stopWhen !== "decided") return [];
  const why = whyToTheEnd(plannedMetrics(decision, scorers.flatMap(knownMetric)));
  return why === null ? [] : [`Everything would be sent, although the run should stop when it is decided: ${why}.`];
}

/** Sentences on what may be meant otherwise, each once. `deployments`: whose keys were not looked at by asking them. */
function warningsOf(
  { warnings }: SuiteCheck,
  { planned, deployments }: { planned: Planned | null; deployments: readonly Deployment[] },
): string[] {
  const known = new Set(warnings.map(({ message }) => message));
  return [
    ...warnings.map(({ where, message }) => `${where}: ${message}`),
    ...deployments.flatMap(keyFault),
    ...(planned?.data.warnings ?? []).filter((message) => !known.has(message)),
    ...(planned === null ? [] : stopNotes(planned.suite)),
    ...(planned === null || planned.limit === null
      ? []
      : [`${planned.limit} A run asks before it sends them, or wants --yes.`]),
  ];
}

/** Notes them on standard error, with the rows that are suspicious; what the plan says itself is not said twice. */
function tellWarnings(
  { dataset, warnings: ofSuite }: SuiteCheck,
  warnings: readonly string[],
  { plan: planned, terminal }: { plan: SuitePlan | null; terminal: Terminal },
): void {
  const told = new Set([...(planned?.rowsShow ?? []), ...(planned?.groupsShow ?? [])]);
  const twice = new Set(ofSuite.flatMap(({ where, message }) => (told.has(message) ? [`${where}: ${message}`] : [])));
  const rows = dataset === null ? [] : warningLines(dataset);
  for (const line of [...rows, ...warnings.filter((each) => !twice.has(each))]) terminal.warn(line);
}

/** A key that a run would miss. */
function keyFault(deployment: Deployment): string[] {
  try {
    resolveKey(deployment, process.env);
    return [];
  } catch (error) {
    if (error instanceof AppError) return [[error.message, error.hint].join(" ")];
    throw error;
  }
}

/** Checks of the machine: with a suite, a person is told only those that are not well. */
const ofMachine = new Set(["node", "database", "disk", "open files", "terminal"]);

function terminalCheck({ live, color, columns }: Terminal): Check {
  const found = live ? `${columns} columns, ${color.err ? "colours" : "no colours"}` : "none: progress is plain lines";
  return { about: "terminal", state: "ok", found, advice: null };
}

/** The checks of a deployment; `refused`: the exit code with which a run refuses it before anything is sent, else null. */
interface Reached {
  checks: Check[];
  refused: number | null;
}

async function reach(deployments: Deployment[], terminal: Terminal): Promise<Reached[]> {
  return Promise.all(deployments.map((deployment) => checksOf(deployment, terminal)));
}

/** A missing key or a faulty local folder is what is wrong with this deployment, not with the others. */
async function checksOf(deployment: Deployment, terminal: Terminal): Promise<Reached> {
  const { name } = deployment;
  try {
    const { access, close } = await openAccess([deployment], process.env);
    try {
      for (const line of reachLines([deployment], null, process.env)) terminal.note(line);
      const own = access.get(name);
      const checks =
        own === undefined ? [] : await deploymentChecks(deployment, own, keyVariable(deployment, process.env));
      return { checks, refused: null };
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const check: Check = { about: name, state: "failed", found: error.message, advice: error.hint };
    return { checks: [check], refused: error.exitCode };
  }
}

/** Runs work with a private folder that is gone afterwards, also when Ctrl-C or SIGTERM ends the command. */
async function withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  removeLeftovers(tmpdir());
  const folder = join(tmpdir(), `tandem-scratch-${tempSuffix()}`);
  mkdirSync(folder, { mode: 0o700 });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const end = (signal: NodeJS.Signals): void => {
    remove();
    process.exit(codeOfSignal(signal));
  };
  for (const signal of endingSignals) process.once(signal, end);
  try {
    return await work(folder);
  } finally {
    for (const signal of endingSignals) process.off(signal, end);
    remove();
  }
}
