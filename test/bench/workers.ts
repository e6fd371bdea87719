import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OwnPostgres, ownPrograms, type ServerKind, until } from "../own-postgres.ts";
import { Processes } from "./processes.ts";
import { type Bench, prompts, runTandem } from "./bench.ts";
import { startDelayedServer } from "./delayed-server.ts";
import { beside, type Figure, figure, notMeasured, type Target } from "./figure.ts";
import type { Usage } from "./measure.ts";
import { withOwnDatabase } from "./own-database.ts";
import { serverCpuSeconds } from "./postgres-load.ts";
import { cpuSeconds } from "./process-cpu.ts";

const concurrency = 60;
const delayMs = 5;

/** A server with the settings that its packager gave it; on Debian JIT is on, and has made workers 7 to 15 times slower. */
const targets: Record<ServerKind, { server: string; reach: number }> = {
  package: { server: "", reach: 0.5 },
  installed: { server: ", on the PostgreSQL of this machine", reach: 0.4 },
};

const ratioOf = (count: number, kind: ServerKind): Target => ({
  name: `jobs/s of ${count} worker${count === 1 ? "" : "s"} / of one process${targets[kind].server}`,
  reach: targets[kind].reach,
  aim: 0.5,
  unit: "",
  digits: 2,
  more: true,
});

interface Shared {
  /** The submitter, which is what a person waits for. */
  run: Usage;
  workersCpu: number;
  postgresCpu: number;
}

/** The same jobs by one process, and by some workers on a PostgreSQL of their own: all on this machine. */
export const workers = (bench: Bench): Promise<Figure[]> => measured(bench, "package");

/** The same on the PostgreSQL that is installed here, as its packager has set it. */
export const workersAsInstalled = (bench: Bench): Promise<Figure[]> => measured(bench, "installed");

async function measured(bench: Bench, kind: ServerKind): Promise<Figure[]> {
  const ratio = ratioOf(bench.workers, kind);
  const without = (reason: string): Figure[] => [notMeasured(ratio.name, `${ratio.reach}`, `${ratio.aim}`, reason)];
  if (process.platform !== "linux") return without("needs Linux: CPU is read from /proc");
  if (ownPrograms(kind) === null) return without("no such PostgreSQL is installed");
  const dataset = await prompts(bench, bench.jobs);
  const service = await startDelayedServer(delayMs);
  try {
    const given = { dataset, url: service.url, concurrency };
    bench.note(`${bench.jobs} jobs by one process`);
    const alone = await runTandem(bench, given);
    bench.note(`${bench.jobs} jobs by ${bench.workers} workers`);
    const folder = join(tmpdir(), `tandem-bench-workers-${process.pid}`);
    const own = { folder, settings: [], kind };
    const shared = await withOwnDatabase(own, (server) => byWorkers(bench, server, given));
    return [
      figure(ratio, alone.wallMs / shared.run.wallMs, rates(bench.jobs, alone, shared)),
      ...figures(bench.jobs, alone, shared),
    ];
  } finally {
    await service.stop();
  }
}

function rates(jobs: number, alone: Usage, { run }: Shared): string {
  const rate = (usage: Usage): string => ((jobs / usage.wallMs) * 1000).toFixed(0);
  return `${rate(run)} / ${rate(alone)}, ${jobs} jobs`;
}

function figures(jobs: number, alone: Usage, shared: Shared): Figure[] {
  const { run, workersCpu, postgresCpu } = shared;
  const each = (seconds: number): string => ((seconds / jobs) * 1000).toFixed(2);
  return [
    beside(
      "their CPU seconds for 1,000 jobs",
      `workers ${each(workersCpu)}, PostgreSQL ${each(postgresCpu)}, submitter ${each(run.cpuUs / 1e6)}; one process ${each(alone.cpuUs / 1e6)}`,
    ),
  ];
}

async function byWorkers(
  bench: Bench,
  server: OwnPostgres,
  given: { dataset: string; url: string; concurrency: number },
): Promise<Shared> {
  const address = server.url("tandem");
  const processes = new Processes(bench.folder, {
    TANDEM_WORKERS: address,
    TANDEM_API_KEY: "sk-bench",
  });
  try {
    const started = Array.from({ length: bench.workers }, (_none, place) =>
      processes.start("workers", "serve", "--folder", join(bench.folder, `worker-${place}`)),
    );
    for (const { text } of started) await until(() => Promise.resolve(text().includes("is there")));
    const all = (): number => started.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
    const [workersBefore, postgresBefore] = [all(), serverCpuSeconds(server)];
    const run = await runTandem(bench, { ...given, more: ["--workers", address] });
    const cpu = { workersCpu: all() - workersBefore, postgresCpu: serverCpuSeconds(server) - postgresBefore };
    return { run, ...cpu };
  } finally {
    processes.killAll();
  }
}
