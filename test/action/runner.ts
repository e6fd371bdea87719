import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { filled, isRun, type Names } from "./expression.ts";

const texts = z.record(z.string(), z.string());

const stepSchema = z.strictObject({
  name: z.string(),
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: texts.optional(),
  run: z.string().optional(),
  shell: z.literal("bash").optional(),
  "working-directory": z.string().optional(),
  env: texts.optional(),
});

/** An action of steps, with the members that GitHub knows and no others. */
const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string().max(125),
  author: z.string(),
  branding: z.strictObject({ icon: z.string(), color: z.string() }),
  inputs: z.record(
    z.string().regex(/^[a-z][a-z-]*$/),
    z.strictObject({ description: z.string(), default: z.string() }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({ using: z.literal("composite"), steps: z.array(stepSchema) }),
});

/** The folder of the action: this checkout. */
export const actionFolder = resolve(import.meta.dirname, "../..");
export const action = actionSchema.parse(parse(readFileSync(join(actionFolder, "action.yml"), "utf8")));

/** One run of the action: which steps ran, what those that use other actions were given, and its outputs. */
export interface ActionRun {
  steps: { name: string; state: "ran" | "failed" | "skipped" | "used"; with?: Record<string, string> }[];
  outputs: Record<string, string>;
  /** What the steps printed, in order. */
  log: string;
}

export interface Given {
  workspace: string;
  inputs?: Record<string, string>;
  /** Members of the context `github`, as `event_name` and `event.pull_request.number`. */
  github?: Record<string, string>;
  env?: Record<string, string>;
  /** The place of the job in a matrix; left out: 0. */
  jobIndex?: number;
  /** Steps that are not run, but recorded as if they went well. */
  replaced?: readonly string[];
  /** A folder of commands that an earlier step would have put in front of the path. */
  commands?: string;
  /** The folder for temporary files of the job; a new one unless given. */
  temp?: string;
  folder?: string;
  /** When it resolves, the shell of the step that runs is told to end, as by a job that is cancelled. */
  cancelled?: Promise<void>;
}

/** A temporary folder of a job. */
export function jobFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tandem-job-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the steps of action.yml as a runner of GitHub does: its files for outputs and paths, its shell, its conditions. */
export async function runAction(given: Given): Promise<ActionRun> {
  const temp = given.temp ?? jobFolder();
  const names: Record<string, string> = {
    "runner.temp": temp,
    "runner.os": "Linux",
    "github.job": "compare",
    "strategy.job-index": "0",
  };
  for (const [name, { default: fallback }] of Object.entries(action.inputs)) {
    names[`inputs.${name}`] = given.inputs?.[name] ?? fallback;
  }
  for (const [name, value] of Object.entries(given.github ?? {})) names[`github.${name}`] = value;
  if (given.jobIndex !== undefined) names["strategy.job-index"] = String(given.jobIndex);
  const job: Job = { given, temp, names, path: [given.commands ?? "", process.env["PATH"] ?? ""], log: "" };
  const run: ActionRun = { steps: [], outputs: {}, log: "" };
  for (const step of action.runs.steps) {
    const isFailed = run.steps.some(({ state }) => state === "failed");
    if (!isRun(step.if, names, isFailed)) run.steps.push({ name: step.name, state: "skipped" });
    else if (step.uses !== undefined) {
      run.steps.push({ name: step.name, state: "used", with: allFilled(step.with, names) });
    } else if (given.replaced?.includes(step.name)) run.steps.push({ name: step.name, state: "ran" });
    else run.steps.push({ name: step.name, state: (await runStep(step, job)) === 0 ? "ran" : "failed" });
  }
  for (const [name, { value }] of Object.entries(action.outputs)) run.outputs[name] = filled(value, names);
  return { ...run, log: job.log };
}

interface Job {
  given: Given;
  temp: string;
  names: Record<string, string>;
  path: string[];
  log: string;
}

async function runStep(step: z.infer<typeof stepSchema>, job: Job): Promise<number> {
  const { given, temp, names } = job;
  const files = { output: join(temp, "output"), path: join(temp, "path"), summary: join(temp, "summary.md") };
  for (const file of [files.output, files.path]) writeFileSync(file, "");
  const script = join(temp, "step.sh");
  mkdirSync(dirname(script), { recursive: true });
  writeFileSync(script, step.run ?? "");
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
    cwd: resolve(given.workspace, filled(step["working-directory"] ?? ".", names)),
    env: {
      PATH: job.path.filter((each) => each !== "").join(":"),
      HOME: process.env["HOME"] ?? "",
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_ACTION_PATH: given.folder ?? actionFolder,
      GITHUB_WORKSPACE: given.workspace,
      GITHUB_OUTPUT: files.output,
      GITHUB_PATH: files.path,
      GITHUB_STEP_SUMMARY: files.summary,
      RUNNER_TEMP: temp,
      ...given.env,
      ...allFilled(step.env, names),
    },
  });
  void given.cancelled?.then(() => child.kill("SIGINT"));
  child.stdout.setEncoding("utf8").on("data", (text: string) => (job.log += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (job.log += text));
  const code = await new Promise<number>((done) => child.once("close", (ended) => done(ended ?? 1)));
  for (const line of lines(files.output)) {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/.exec(line) ?? [];
    if (step.id !== undefined) names[`steps.${step.id}.outputs.${name}`] = value;
  }
  job.path.unshift(...lines(files.path).toReversed());
  return code;
}

function allFilled(given: Record<string, string> | undefined, names: Names): Record<string, string> {
  return Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [name, filled(value, names)]));
}

const lines = (file: string): string[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
