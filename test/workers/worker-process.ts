import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
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
  name?: string;
  args?: string[];
  env?: Record<string, string>;
  folder?: string;
  /** Words before the command, such as `faketime`. */
  before?: string[];
  /** Nobody above it can have passed a signal on. */
  inGroupOfItsOwn?: boolean;
}

/** Starts a worker and waits until it is there; it ends with the test. */
export async function startWorker(url: string, options: WorkerProcessOptions = {}): Promise<WorkerProcess> {
  const worker = spawnWorker(url, options);
  onTestFinished(() => endWorker(worker));
  await isThere(worker);
  return worker;
}

/** Resolves when a worker has said so. */
export async function isThere({ err }: WorkerProcess): Promise<void> {
  await vi.waitFor(() => expect(err()).toContain("is there"), { interval: 20, timeout: 60_000 });
}

/** Kills a worker, and takes its folder away. */
export async function endWorker({ child, ended, folder }: WorkerProcess): Promise<void> {
  child.kill("SIGKILL");
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

/** Starts a worker that its caller ends. */
export function spawnWorker(url: string, options: WorkerProcessOptions): WorkerProcess {
  const {
    name = [],
    args = [],
    env = {},
    folder = mkdtempSync(join(tmpdir(), "tandem-worker-")),
    before = [],
  } = options;
  const line = [
    ...before,
    process.execPath,
    command,
    "workers",
    "serve",
    name,
    "--folder",
    join(folder, "kept"),
    ...args,
  ].flat();
  const [program = "", ...rest] = line;
  const child = spawn(program, rest, {
    cwd: folder,
    detached: options.inGroupOfItsOwn === true,
    env: { PATH: process.env["PATH"], ...cached, TANDEM_WORKERS: url, TANDEM_API_KEY: "sk-test-0123456789", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  child.stdout.resume();
  const ended = once(child, "exit").then(
    ([code, signal]: (number | NodeJS.Signals | null)[]) => code ?? signal ?? null,
  );
  return { child, folder, err: () => err, ended };
}
