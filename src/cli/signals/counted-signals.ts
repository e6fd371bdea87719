import { type EndingSignal, endingSignals, isEndingSignal } from "./ending-signals.ts";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Socket } from "node:net";

/**
 * Signals within this time of one another are one, as those are that the system joins while nobody takes them: the
 * terminal and a program that passes Ctrl-C on, or both that `timeout` sends. People take longer between two.
 */
const togetherMs = 100;

export interface CountedSignalsOptions {
  /** `number`: 1 for the first that somebody sent. */
  onSignal: (signal: EndingSignal, number: number) => void;
  /** Called for one that may be the first, passed on late; `more`: so many like it would count. Left out: nobody is told. */
  onRepeat?: (signal: EndingSignal, more: number) => void;
  /** Left out: those of this process. */
  group?: SignalGroup;
}

/** Tells who else gets a signal, as far as that can be known. */
export interface SignalGroup {
  above: () => Promise<Above>;
  /** Calls with each signal that the whole process group got. */
  witness: (onSignal: (signal: EndingSignal) => void) => { close: () => void };
}

const ownGroup: SignalGroup = {
  above: () => processesAbove(),
  witness: (onSignal) => new GroupWitness(onSignal),
};

/**
 * Counts the signals by which somebody asks this process to end. Nothing tells who sent one, and one Ctrl-C may come
 * several times: the terminal tells the whole process group, and the older Node that handed over to this one, npm and
 * many others pass on what they get, at once or seconds later. So one is counted by where it may come from:
 *
 * - The first one counts.
 * - Without another process above this one in its group there is nobody who passes signals on: each one counts.
 * - One that the whole group got is somebody's own, as programs pass signals on to this process alone. A process of ours,
 *   which is started at the first signal, hears it (`GroupWitness`).
 * - Any other may be an earlier one that was passed on, of whatever kind it was. Each process above may do that once for
 *   each that counts; what is more than that counts.
 * - A closed terminal (SIGHUP) is told by the shell and by the system, and nobody closes it to give up: it is never a second.
 *
 * In doubt a signal does not count: an answer that is given up costs money, and another Ctrl-C nothing.
 */
export class CountedSignals {
  readonly #options: CountedSignalsOptions;
  readonly #group: SignalGroup;
  readonly #handlers = endingSignals.map((signal) => ({ signal, handler: (): void => this.#came(signal) }));
  #counted = 0;
  #countedAt = Number.NEGATIVE_INFINITY;
  #cameAt = Number.NEGATIVE_INFINITY;
  #passedOn = 0;
  /** Until it is known: one, which may do anything. */
  #above: Above = { count: 1, repeatsToGroup: true };
  #witness: { close: () => void } | null = null;
  /** One that came to this process, as long as it is not known whether the group got it too. */
  #undecided: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: CountedSignalsOptions) {
    this.#options = options;
    this.#group = options.group ?? ownGroup;
    for (const { signal, handler } of this.#handlers) process.on(signal, handler);
  }

  close(): void {
    this.#isClosed = true;
    for (const { signal, handler } of this.#handlers) process.off(signal, handler);
    this.#decided();
    this.#witness?.close();
  }

  #came(signal: EndingSignal): void {
    const now = performance.now();
    const isTogether = now - this.#cameAt < togetherMs;
    this.#cameAt = now;
    if (this.#counted === 0) {
      this.#count(signal);
      void this.#lookAround();
    } else if (!isTogether && signal !== "SIGHUP") {
      if (this.#above.count === 0) this.#count(signal);
      else this.#undecided = setTimeout(() => this.#cameAlone(signal), togetherMs);
    }
  }

  async #lookAround(): Promise<void> {
    this.#above = await this.#group.above();
    // Where a signal to the group may be passed on too, it tells nothing.
    if (this.#above.count === 0 || this.#above.repeatsToGroup || this.#isClosed) return;
    this.#witness = this.#group.witness((signal) => this.#groupGot(signal));
  }

  #groupGot(signal: EndingSignal): void {
    const isTogether = performance.now() - this.#countedAt < togetherMs;
    // Somebody may have ended the witness alone: this process got nothing then.
    if (signal === "SIGHUP" || isTogether || this.#cameAt < this.#countedAt) return;
    this.#decided();
    this.#count(signal);
  }

  #cameAlone(signal: EndingSignal): void {
    this.#decided();
    const more = this.#above.count * this.#counted - this.#passedOn;
    if (more <= 0) {
      this.#count(signal);
      return;
    }
    this.#passedOn += 1;
    this.#options.onRepeat?.(signal, more);
  }

  #decided(): void {
    if (this.#undecided !== null) clearTimeout(this.#undecided);
    this.#undecided = null;
  }

  #count(signal: EndingSignal): void {
    this.#counted += 1;
    this.#countedAt = performance.now();
    this.#options.onSignal(signal, this.#counted);
  }
}

/** The processes above this one in its process group: those that get a signal to the group too, and may pass it on. */
interface Above {
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
class GroupWitness {
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
