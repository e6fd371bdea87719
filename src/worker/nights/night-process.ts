import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";
import type { NightEnd } from "../postgres/nights.ts";
import type { NightOfBatch } from "../postgres/submit.ts";
import { nightVariables } from "../../lib/night-variables.ts";

/** Variables of this machine that a night gets for its programs: how to reach others. Its suite may name none of them. */
const passed =
  /^(?:PATH|HOME|USER|LANG|LC_.*|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|(?:HTTPS?|ALL|NO)_PROXY|NODE_EXTRA_CA_CERTS|NODE_COMPILE_CACHE)$/i;

/** The environment of a night, with the address of the database, and the variables that schedules may use. */
export function environmentOfNight(
  env: NodeJS.ProcessEnv,
  { url, allowed }: { url: string; allowed: readonly string[] },
): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => passed.test(name) || allowed.includes(name));
  return { ...Object.fromEntries(kept), TANDEM_WORKERS: url, [nightVariables]: allowed.join(" ") };
}

/** Variable of the environment by which a night knows its schedule and home, and that it is to end with the process that began it. */
export const ofWorker = "TANDEM_NIGHT_OF_WORKER";

/** The schedule and home of the night that this process spends; null: it spends none for a worker. */
export function nightOfWorker(env: NodeJS.ProcessEnv): NightOfBatch | null {
  const [, schedule, home] = /^(\d{1,9}) ([0-9a-f-]{36})$/.exec(env[ofWorker] ?? "") ?? [];
  return schedule === undefined || home === undefined ? null : { schedule: Number(schedule), home };
}

export interface NightProcessOptions {
  /** The file of the command tandem. */
  main: string;
  /** The words behind it. */
  words: readonly string[];
  /** Folder in which it works: that of results and `.env`. */
  folder: string;
  env: NodeJS.ProcessEnv;
  night: NightOfBatch;
  /** Called with each line that it writes for a person. */
  tell: (line: string) => void;
}

/** The part that is kept of the summary that a night prints at its end. */
const summary = z.object({
  batch: z.string(),
  comparison: z.object({ verdict: z.string().nullable(), word: z.string().nullable().default(null) }),
});

/** A night in a process of its own: its fault is not the worker's. Where the worker dies it ends by itself. */
export class NightProcess {
  readonly #child: ChildProcess;
  /** The end of the night; null: it was interrupted, or another process does it, so that it is still to be done. */
  readonly ended: Promise<NightEnd | null>;

  constructor({ main, words, folder, env, night, tell }: NightProcessOptions) {
    this.#child = spawn(process.execPath, [main, "night", ...words], {
      cwd: folder,
      env: { ...env, [ofWorker]: `${night.schedule} ${night.home}` },
      // The worker passes signals on: those of a terminal would come twice. The channel ends with the worker.
      detached: process.platform !== "win32",
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    let out = "";
    this.#child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
    let rest = "";
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      const lines = `${rest}${chunk.toString()}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") tell(line);
    });
    this.ended = once(this.#child, "close").then(([code]: (number | null)[]) => endOf(code ?? null, out));
  }

  /** The first time it finishes what is in flight, the second time it gives that up too. */
  stop(): void {
    this.#child.kill("SIGTERM");
  }
}

const interrupted = new Set([130, 143]);

function endOf(exitCode: number | null, out: string): NightEnd | null {
  if (exitCode === null || interrupted.has(exitCode)) return null;
  const reported = summary.safeParse(json(out));
  // A night that leaves because another process does it says nothing.
  if (exitCode === 0 && !reported.success) return null;
  return {
    exitCode,
    batch: reported.data?.batch ?? null,
    verdict: reported.data?.comparison.verdict ?? null,
    word: reported.data?.comparison.word ?? null,
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
