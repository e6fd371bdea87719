import { hostname } from "node:os";
import { resolve } from "node:path";
import { AppError, exitCodes } from "../../../errors.ts";
import { variablesIn } from "../../../suite/environment.ts";
import { secretNames } from "../../../suite/key.ts";
import type { Deployment } from "../../../suite/suite.ts";
import type { ServiceAccess } from "../../../workers/serve/clients.ts";
import { openWorker, type Worker } from "../../../workers/serve/worker.ts";
import { openAccess } from "../../access.ts";
import { loadDotEnv } from "../../dot-env.ts";
import { graceOf } from "../../flags/run-flags.ts";
import { type Interruptible, Interrupts } from "../../progress/interrupts.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import { workersAddress } from "../../workers-address.ts";
import { workerLines, workerSummary } from "./serve.text.ts";

interface ServeFlags {
  deployment: readonly string[];
  name: string | undefined;
  folder: string;
  grace: string | undefined;
}

/** A process that has nothing to do any more ends after this time, whatever is still open. */
const lastWaitMs = 1_000;
const showEveryMs = 500;
/** Without a live screen a line is written so often, and only when something has changed. */
const noteEveryMs = 60_000;

/** Works until a signal, or until it is drained. Exit codes: 0 drained, 130 and 143 after a signal, 2 and 3 as everywhere. */
export async function serveWorker(flags: ServeFlags, terminal: Terminal): Promise<CommandResult> {
  const url = workersAddress();
  const graceMs = graceOf(flags, process.env);
  const name = flags.name ?? `${hostname()}-${process.pid}`;
  const { note: tell } = terminal;
  const folder = resolve(flags.folder);
  const worker = await openWorker({ url, name, deployments: flags.deployment, folder, accessOf, tell });
  tell(`worker ${name} is there`);
  const interrupts = new Interrupts({ terminal, graceMs, isShown: terminal.live });
  interrupts.watch(interruptible(worker));
  const stopShowing = show(worker, { interrupts, terminal });
  try {
    await worker.run();
    return { exit: interrupts.exitCode ?? exitCodes.ok.code };
  } finally {
    stopShowing();
    interrupts.close();
    tell(workerSummary(worker));
    // Everything is finished by now; what still waits for a database that is away waits in vain.
    setTimeout(() => process.exit(), lastWaitMs).unref();
  }
}

/** The key of a deployment from this machine's environment, or from `.env`. */
async function accessOf(deployment: Deployment): Promise<ServiceAccess> {
  if (deployment.baseUrl.startsWith("local:")) {
    throw new AppError("USAGE", `${deployment.name} runs inside the process that sends, and is of no worker.`, {
      hint: "Serve it with `tandem serve`, and give its address.",
    });
  }
  loadDotEnv([...secretNames(deployment), ...variablesIn(deployment.writtenUrl ?? "")]);
  const { access } = await openAccess([deployment], process.env);
  const found = access.get(deployment.name);
  if (found === undefined) throw new Error(`no access to ${deployment.name}`);
  return found;
}

/** The worker for whoever stops it. */
function interruptible(worker: Worker): Interruptible {
  return {
    stop: () => worker.stop("the worker was stopped"),
    abort: () => void worker.abort(),
    snapshot: () => worker.runs.flatMap((run) => run.snapshot() ?? []),
    rest: "the rest goes to other workers",
    leaving: (inFlight) => `Giving up on the ${inFlight} in flight: they are in doubt.`,
    // It is in its folder what has arrived.
    settled: async () => undefined,
  };
}

/** Shows what the worker does: a live block for a person, a line now and then for a log. Returns what ends it. */
function show(worker: Worker, { interrupts, terminal }: { interrupts: Interrupts; terminal: Terminal }): () => void {
  let last = "";
  const timer = setInterval(
    () => {
      if (terminal.live) {
        const lines = [...workerLines(worker), ...interrupts.lines()];
        terminal.show(lines.map((line) => line.slice(0, terminal.liveColumns - 1)));
        return;
      }
      const line = workerSummary(worker);
      if (line !== last) terminal.note(line);
      last = line;
    },
    terminal.live ? showEveryMs : noteEveryMs,
  );
  return () => {
    clearInterval(timer);
    if (terminal.live) terminal.show([]);
  };
}
