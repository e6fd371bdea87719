import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Time given to each step: on a machine that is not short of anything the longest one takes half a minute. */
const patienceMs = 300_000;

export interface Place {
  folder: string;
  env?: NodeJS.ProcessEnv;
}

/** Starts a command as the first of a group of processes. */
export function start(command: readonly string[], { folder, env = process.env }: Place): ChildProcess {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  // To the group of processes: what a package manager called would go on alone.
  const patience = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, patienceMs);
  child.once("close", () => clearTimeout(patience));
  return child;
}

/** Waits for the end of a process and gives all that it said. Throws with that when its exit code is another. */
export async function ends(child: ChildProcess, expected = 0): Promise<string> {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => (text += part.toString()));
  const [code, signal]: unknown[] = await once(child, "close");
  if (code !== expected) {
    throw new Error(
      `${child.spawnargs.join(" ")}\nended with ${String(signal ?? code)}, not with ${expected}:\n${text}`,
    );
  }
  return text;
}

export async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("the output of the process is not read");
  const [line]: unknown[] = await once(stdout, "data");
  return String(line);
}
