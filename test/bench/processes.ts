import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export interface Started {
  pid: number;
  /** Everything that it has written so far. */
  text: () => string;
  /** Its exit code; null after a signal. */
  ended: Promise<number | null>;
}

/** Processes of tandem that end with the one that started them, whatever ends that. */
export class Processes {
  readonly #children = new Set<ChildProcess>();
  readonly #folder: string;
  readonly #env: Record<string, string>;

  constructor(folder: string, env: Record<string, string>) {
    this.#folder = folder;
    this.#env = env;
  }

  start(...args: string[]): Started {
    const child = spawn(process.execPath, [command, ...args], {
      cwd: this.#folder,
      env: { ...process.env, ...this.#env },
      stdio: ["ignore", "pipe", "pipe"],
      // Ctrl-C in a terminal is for the one who started it.
      detached: true,
    });
    this.#children.add(child);
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (more: string) => (text += more));
    const ended = once(child, "close").then(([code]: unknown[]) => {
      this.#children.delete(child);
      return typeof code === "number" ? code : null;
    });
    const { pid } = child;
    if (pid === undefined) throw new Error(`${args.join(" ")} did not start`);
    guard(pid);
    return { pid, text: () => text, ended };
  }

  killAll(): void {
    for (const child of this.#children) child.kill("SIGKILL");
  }
}

/** The shell has no other task than to outlive the owner of a process. */
function guard(pid: number): void {
  const watch =
    'while kill -0 "$0" 2>/dev/null && kill -0 "$1" 2>/dev/null; do sleep 1; done; kill -9 "$1" 2>/dev/null';
  spawn("sh", ["-c", watch, String(process.pid), String(pid)], { stdio: "ignore", detached: true }).unref();
}
