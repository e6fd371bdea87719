import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OwnPostgres, startServer, until } from "../../scripts/workers/own-postgres.ts";
import { Processes } from "../../scripts/workers/processes.ts";
import { openPostgres } from "../../src/worker/postgres/connection.ts";
import { migratePostgres } from "../../src/worker/postgres/schema.ts";
import { type Bench, prompts, runTandem } from "./bench.ts";
import { startDelayedServer } from "./delayed-server.ts";
import { beside, type Figure, figure, notMeasured } from "./figure.ts";
import type { Usage } from "./measure.ts";

const count = 3;
const concurrency = 60;
const delayMs = 5;

const ratio = {
  name: `jobs/s of ${count} workers / of one process`,
  reach: 0.5,
  aim: 0.5,
  unit: "",
  digits: 2,
  more: true,
};

interface Shared {
  /** The submitter, which is what a person waits for. */
  run: Usage;
  workersCpu: number;
  postgresCpu: number;
}

/** The same jobs by one process, and by three workers on a PostgreSQL of their own: all on this machine. */
export async function workers(bench: Bench): Promise<Figure[]> {
  if (process.platform !== "linux")
    return [notMeasured(ratio.name, `${ratio.reach}`, `${ratio.aim}`, "needs Linux: CPU is read from /proc")];
  const dataset = await prompts(bench, bench.jobs);
  const service = await startDelayedServer(delayMs);
  try {
    const given = { dataset, url: service.url, concurrency };
    bench.note(`${bench.jobs} jobs by one process`);
    const alone = await runTandem(bench, given);
    bench.note(`${bench.jobs} jobs by ${count} workers`);
    const shared = await withPostgres((server) => byWorkers(bench, server, given));
    return figures(bench.jobs, alone, shared);
  } finally {
    await service.stop();
  }
}

function figures(jobs: number, alone: Usage, { run, workersCpu, postgresCpu }: Shared): Figure[] {
  const rate = (usage: Usage): string => ((jobs / usage.wallMs) * 1000).toFixed(0);
  const each = (seconds: number): string => ((seconds / jobs) * 1000).toFixed(2);
  return [
    figure(ratio, alone.wallMs / run.wallMs, `${rate(run)} / ${rate(alone)}, ${jobs} jobs`),
    beside(
      "their CPU seconds for 1,000 jobs",
      `workers ${each(workersCpu)}, PostgreSQL ${each(postgresCpu)}, submitter ${each(run.cpuUs / 1e6)}; one process ${each(alone.cpuUs / 1e6)}`,
    ),
  ];
}

async function withPostgres<Result>(work: (server: OwnPostgres) => Promise<Result>): Promise<Result> {
  const server = await startServer(join(tmpdir(), `tandem-bench-workers-${process.pid}`));
  try {
    const admin = await openPostgres(server.url("postgres"), { most: 1, applicationName: "bench" });
    await admin.query("CREATE DATABASE tandem");
    await admin.close();
    const db = await openPostgres(server.url("tandem"), { most: 1, applicationName: "bench" });
    await migratePostgres(db);
    await db.close();
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function byWorkers(
  bench: Bench,
  server: OwnPostgres,
  given: { dataset: string; url: string; concurrency: number },
): Promise<Shared> {
  const address = server.url("tandem");
  const processes = new Processes(bench.folder, {
    TANDEM_WORKERS: address,
    TANDEM_ADDRESSES: "http://127.0.0.1:*=TANDEM_API_KEY",
    TANDEM_API_KEY: "sk-bench",
  });
  try {
    const started = Array.from({ length: count }, (_none, place) =>
      processes.start("worker", "--folder", join(bench.folder, `worker-${place}`)),
    );
    for (const { text } of started) await until(() => Promise.resolve(text().includes("is there")));
    const all = (): number => started.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
    const postmaster = Number(readFileSync(join(server.folder, "data/postmaster.pid"), "utf8").split("\n")[0]);
    const [workersBefore, postgresBefore] = [all(), cpuSeconds(postmaster)];
    const run = await runTandem(bench, { ...given, more: ["--workers", address] });
    return { run, workersCpu: all() - workersBefore, postgresCpu: cpuSeconds(postmaster) - postgresBefore };
  } finally {
    processes.killAll();
  }
}

/** CPU that a process has used, with its children: those that it has waited for, and those that live. */
function cpuSeconds(pid: number): number {
  const living = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(name))
    .filter(({ parent }) => parent === pid);
  // Linux counts in hundredths of a second, whatever its kernel's own tick is.
  return [statOf(String(pid)), ...living].reduce((sum, { ticks }) => sum + ticks, 0) / 100;
}

function statOf(pid: string): { parent: number; ticks: number } {
  let text = "";
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // It has ended since the folder was listed.
    return { parent: 0, ticks: 0 };
  }
  // The name in parentheses may have spaces; the state comes behind it, and the times are the 12th to the 15th field from there.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  return { parent: fields[1] ?? 0, ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) };
}
