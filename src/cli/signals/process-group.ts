import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { type EndingSignal, isEndingSignal } from "./ending-signals.ts";

/** The processes above this one in its process group: those that get a signal to the group too, and may pass it on. */
export interface Above {
  count: number;
  /** One of them sends what it gets to the whole group once more, as `timeout` of coreutils does. */
  repeatsToGroup: boolean;
}

interface Process {
  parent: number;
  group: number;
  name: string;
}

const parentAtStart = process.ppid;

/** Looks at what is above this process. A parent that has gone may have passed a signal on before it went: it is counted. */
export async function processesAbove(system: NodeJS.Platform = process.platform): Promise<Above> {
  // A console tells each of its processes, and no process there passes a signal on.
  if (system === "win32") return { count: 0, repeatsToGroup: false };
  const processOf = system === "linux" ? fromProc : await fromPs();
  const own = processOf(process.pid);
  // Nothing is known: whoever started this one may pass signals on.
  if (own === null) return { count: 1, repeatsToGroup: false };
  const above: Process[] = [];
  for (let next = processOf(own.parent); next?.group === own.group; next = processOf(next.parent)) above.push(next);
  const gone = process.ppid === parentAtStart ? 0 : 1;
  return { count: above.length + gone, repeatsToGroup: above.some(({ name }) => name === "timeout") };
}

/** `PID (NAME) STATE PARENT GROUP ...`, and the name may be anything. */
function fromProc(pid: number): Process | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = text.lastIndexOf(")");
    const [, parent, group] = text.slice(end + 2).split(" ");
    return { parent: Number(parent), group: Number(group), name: text.slice(text.indexOf("(") + 1, end) };
  } catch {
    return null;
  }
}

async function fromPs(): Promise<(pid: number) => Process | null> {
  const text = await new Promise<string>((resolve) => {
    execFile("ps", ["-A", "-o", "pid=,ppid=,pgid=,comm="], (error, out) => resolve(error === null ? out : ""));
  });
  const all = new Map<number, Process>();
  for (const line of text.split("\n")) {
    const [, pid, parent, group, name = ""] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(?:.*\/)?(.*)$/.exec(line) ?? [];
    if (pid !== undefined) all.set(Number(pid), { parent: Number(parent), group: Number(group), name });
  }
  return (pid) => all.get(pid) ?? null;
}

/**
 * A process of our own in our process group that only waits: a signal to the whole group ends it, and tells so; one to
 * this process alone does not. It ends with this process. Where it cannot be started nothing is ever heard.
 */
export class GroupWitness {
  #child: ChildProcess | null = null;
  #isClosed = false;
  readonly #onSignal: (signal: EndingSignal) => void;

  constructor(onSignal: (signal: EndingSignal) => void) {
    this.#onSignal = onSignal;
    this.#start();
  }

  close(): void {
    this.#isClosed = true;
    this.#child?.kill("SIGKILL");
  }

  #start(): void {
    // Our environment holds keys: it gets nothing of it but where programs are.
    const env = { PATH: `${process.env["PATH"] ?? ""}:/usr/bin:/bin` };
    const child = spawn("cat", { stdio: ["pipe", "ignore", "ignore"], env });
    this.#child = child;
    child.once("error", () => (this.#child = null));
    child.stdin.once("error", () => undefined);
    child.once("exit", (_, signal) => {
      this.#child = null;
      if (this.#isClosed || signal === null || !isEndingSignal(signal)) return;
      this.#start();
      this.#onSignal(signal);
    });
    // Nobody waits for it.
    child.unref();
    if (child.stdin instanceof Socket) child.stdin.unref();
  }
}
