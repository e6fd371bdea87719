import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { cached, command } from "../e2e/tandem.ts";

/** A worker as a process of its own, from the built command. */
export interface WorkerProcess {
  child: ChildProcess;
  folder: string;
  /** What it has written for a person. */
  err: () => string;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
}

export interface WorkerProcessOptions {
  args?: string[];
  env?: Record<string, string>;
  folder?: string;
  /** Words before the command, such as `faketime`. */
  before?: string[];
}

/** Services of tests are on this machine, at whatever port is free. */
const everythingHere = "http://127.0.0.1:*=TANDEM_API_KEY,KEY,MISSING_KEY";

/** Starts a worker and waits until it is there; it ends with the test. */
export async function startWorker(
  url: string,
  { args = [], env = {}, folder = ownFolder(), before = [] }: WorkerProcessOptions = {},
): Promise<WorkerProcess> {
  const [program = "", ...rest] = [
    ...before,
    process.execPath,
    command,
    "worker",
    "--folder",
    join(folder, "kept"),
    ...args,
  ];
  const child = spawn(program, rest, {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...cached, TANDEM_WORKERS: url, TANDEM_ADDRESSES: everythingHere, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  child.stdout.resume();
  const ended = once(child, "exit").then(
    ([code, signal]: (number | NodeJS.Signals | null)[]) => code ?? signal ?? null,
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  await expect.poll(() => err, { interval: 20, timeout: 60_000 }).toContain("is there");
  return { child, folder, err: () => err, ended };
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tandem-worker-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
