import { hostname } from "node:os";
import { resolve } from "node:path";
import { AppError, exitCodes } from "../../../errors.ts";
import type { Deployment } from "../../../suite/suite.ts";
import { type OwnAddress, ownAddresses, unsetVariables } from "../../../worker/serve/addresses.ts";
import { allowedHere, environmentOf } from "../../../worker/serve/allowed.ts";
import { serveMetrics } from "../../../worker/serve/metrics-server.ts";
import { metricsOf } from "../../../worker/serve/metrics.ts";
import type { ServiceAccess } from "../../../worker/serve/clients.ts";
import { openWorker } from "../../../worker/serve/open-worker.ts";
import type { ChunkRun } from "../../../worker/serve/chunk-run.ts";
import type { Worker } from "../../../worker/serve/worker.ts";
import { openAccess } from "../../access.ts";
import { loadDotEnv } from "../../dot-env.ts";
import { graceOf } from "../../flags/run-flags.ts";
import { type Interruptible, Interrupts } from "../../progress/interrupts.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import { workerLines, workerSummary } from "./worker.text.ts";

interface WorkerFlags {
  url: string | undefined;
  deployment: readonly string[];
  address: readonly string[];
  name: string | undefined;
  folder: string;
  metrics: string | undefined;
  grace: string | undefined;
}

/** A process that has nothing to do any more ends after this time, whatever is still open. */
const lastWaitMs = 1_000;
const showEveryMs = 500;
/** Without a live screen a line is written so often, and only when something has changed. */
const noteEveryMs = 60_000;

/** Works until a signal, or until it is drained. Exit codes: 0 drained, 130 and 143 after a signal, 2 and 3 as everywhere. */
export async function runWorker(flags: WorkerFlags, terminal: Terminal): Promise<CommandResult> {
  const url = flags.url ?? process.env["TANDEM_WORKERS"] ?? "";
  if (url === "") {
    throw new AppError("USAGE", "No PostgreSQL is named to take work from.", {
      hint: "Put postgres://user:password@host/database into TANDEM_WORKERS, or give it as the argument.",
    });
  }
  const graceMs = graceOf(flags, process.env);
  const addresses = ownAddresses(flags.address.length > 0 ? flags.address : inEnvironment("TANDEM_ADDRESSES"));
  loadDotEnv(addresses.flatMap(({ variables }) => variables ?? []));
  for (const line of unsetVariables(addresses, process.env)) terminal.note(line);
  const name = flags.name ?? `${hostname()}-${process.pid}`;
  const tell = (line: string): void => terminal.note(line);
  const worker = await openWorker({
    url,
    name,
    deployments: flags.deployment,
    folder: resolve(flags.folder),
    addresses: addresses.map(({ address }) => address),
    accessOf: (deployment) => accessOf(addresses, deployment),
    tell,
  });
  const metrics = await openMetrics(worker, flags.metrics, tell);
  tell(`worker ${name} is there${metrics === null ? "" : `; metrics at ${metrics.url}`}`);
  const interrupts = new Interrupts({ terminal, graceMs, isShown: terminal.live });
  interrupts.watch(interruptible(worker));
  const stopShowing = show(worker, { interrupts, terminal });
  try {
    await worker.run();
    return { exit: interrupts.exitCode ?? exitCodes.ok.code };
  } finally {
    stopShowing();
    interrupts.close();
    metrics?.close();
    tell(workerSummary(worker));
    // Everything is finished by now; what still waits for a database that is away waits in vain.
    setTimeout(() => process.exit(), lastWaitMs).unref();
  }
}

/** Answers scrapers beside sending, where that is asked; where it cannot, the worker is closed. */
async function openMetrics(
  worker: Worker,
  address: string | undefined,
  tell: (line: string) => void,
): Promise<Awaited<ReturnType<typeof serveMetrics>> | null> {
  if (address === undefined) return null;
  try {
    return await serveMetrics(address, () => metricsOf(worker), tell);
  } catch (error) {
    await worker.close();
    throw error;
  }
}

function inEnvironment(variable: string): string[] {
  loadDotEnv([]);
  return (process.env[variable] ?? "").split(/\s+/).filter((text) => text !== "");
}

/** The key of a deployment from this machine's environment, or from `.env`, as far as its operator allows. */
async function accessOf(addresses: readonly OwnAddress[], asked: Deployment): Promise<ServiceAccess> {
  if (asked.baseUrl.startsWith("local:")) {
    throw new AppError("USAGE", `${asked.name} runs inside the process that sends, and is of no worker.`, {
      hint: "Serve it with `tandem serve`, and give its address.",
    });
  }
  const { deployment, variables, within } = allowedHere(addresses, asked);
  loadDotEnv(variables);
  const { access } = await openAccess([deployment], environmentOf(process.env, variables));
  const found = access.get(deployment.name);
  if (found === undefined) throw new Error(`no access to ${deployment.name}`);
  return { ...found, within };
}

/** The worker for whoever stops it. */
function interruptible(worker: Worker): Interruptible {
  return {
    stop: () => worker.stop("the worker was stopped"),
    abort: () => void worker.abort(),
    snapshot: () => worker.chunks.flatMap(sentBy),
    rest: "the rest goes to other workers",
    leaving: (inFlight) => `Giving up on the ${inFlight} in flight: they are in doubt.`,
    // Nobody else has what has arrived and is not entered.
    settled: async () => worker.tools.settles.keep(),
  };
}

/** The queue of a chunk with what has left: what waits for leave is given back at a stop. */
function sentBy(chunk: ChunkRun): ReturnType<Interruptible["snapshot"]> {
  const queue = chunk.snapshot();
  return queue === null ? [] : [{ ...queue, inFlight: Math.max(0, queue.inFlight - chunk.waiting) }];
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
