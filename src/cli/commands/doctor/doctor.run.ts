import { AppError, exitCodes } from "../../../errors.ts";
import type { Check } from "../../../app/doctor/check.ts";
import { deploymentChecks, machineChecks } from "../../../app/doctor/doctor.ts";
import { keyVariable } from "../../../app/plan/planned-request.ts";
import { checkSuite, type SuiteCheck } from "../../../app/plan/check-suite.ts";
import { counted } from "../../../report/words/quantity.ts";
import type { Deployment } from "../../../suite/suite.ts";
import { loadDotEnv, namesInSuite } from "../../dot-env.ts";
import { openAccess } from "../../access.ts";
import { reachLines } from "../../progress/reach.ts";
import { mappingSummaryLines } from "../../progress/mapping-summary.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import { checkLines } from "./doctor.text.ts";
import type { JsonOutputs } from "../../json-outputs.ts";

/** Looks at everything and prints a table of it; 3 when something would keep a run from working. */
export async function printChecks(
  flags: { suite?: string | undefined; results: string; json: boolean },
  terminal: Terminal,
): Promise<CommandResult> {
  const validity = flags.suite === undefined ? null : await lookAt(flags.suite);
  const checks = [...machineChecks(flags.results, validity?.suite ?? null), terminalCheck(terminal)];
  if (validity !== null && flags.suite !== undefined) checks.push(...suiteChecks(flags.suite, validity));
  const deployments = validity?.suite?.deployments ?? [];
  for (const line of reachLines(deployments, null, process.env)) terminal.note(line);
  const each = await Promise.all(deployments.map((deployment) => checksOf(deployment)));
  checks.push(...each.flat());
  const isWell = checks.every(({ state }) => state !== "failed");
  const data = { version: 1, ok: isWell, checks } satisfies JsonOutputs["doctor"];
  const text = checkLines(checks, terminal.color.out).join("\n");
  return { data, text, exit: isWell ? exitCodes.ok.code : exitCodes.couldNotRun.code };
}

function lookAt(suite: string): Promise<SuiteCheck> {
  loadDotEnv(namesInSuite(suite));
  return checkSuite(suite, {
    env: process.env,
    folder: process.cwd(),
    standardInput: process.stdin,
    skipInvalid: false,
    onSkipped: () => {},
  });
}

function terminalCheck({ live, color, columns }: Terminal): Check {
  const found = live ? `${columns} columns, ${color.err ? "colours" : "no colours"}` : "none: progress is plain lines";
  return { about: "terminal", state: "ok", found, advice: null };
}

function suiteChecks(path: string, { suite, cases, files, messages, warnings }: SuiteCheck): Check[] {
  const advice = `\`tandem validate ${path}\` lists every fault.`;
  const checks: Check[] = messages.map((message) => ({ about: "suite", state: "failed", found: message, advice }));
  for (const { where, message } of warnings) {
    checks.push({ about: "suite", state: "warning", found: `${where}: ${message}`, advice: null });
  }
  if (suite !== null && messages.length === 0) {
    checks.push({
      about: "suite",
      state: "ok",
      found: `${path}, ${counted(suite.targets.length, "target")}`,
      advice: null,
    });
  }
  if (cases !== null) {
    const lines = suite === null ? [counted(cases, "case")] : mappingSummaryLines(files, suite);
    checks.push({ about: "dataset", state: "ok", found: lines.map((line) => line.trim()).join("\n"), advice: null });
  }
  return checks;
}

/** A missing key or a faulty local folder is what is wrong with this deployment, not with the others. */
async function checksOf(deployment: Deployment): Promise<Check[]> {
  const { name } = deployment;
  try {
    const { access, close } = await openAccess([deployment], process.env);
    try {
      const own = access.get(name);
      return own === undefined ? [] : await deploymentChecks(deployment, own, keyVariable(deployment, process.env));
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ about: name, state: "failed", found: error.message, advice: error.hint }];
  }
}
