import { statSync } from "node:fs";
import { type Server, createServer } from "node:http";
import { join, resolve } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { AppError } from "../errors.ts";
import { servedFiles } from "../lib/paths/served-folder.ts";
import { showText } from "../lib/show.ts";
import { deploymentApp } from "./serving/app.ts";
import { readSettings } from "./configuration/configuration.ts";
import { Configurations } from "./configuration/configurations.ts";
import { Credits } from "./access/credits.ts";
import { type DeploymentSettings, deploymentSettings } from "./configuration/deployment-settings.ts";
import type { Described } from "./configuration/describe.ts";
import { Faults } from "./faults/faults.ts";
import { isLoopback } from "../lib/own-host.ts";
import { RequestJournal } from "./serving/request-journal.ts";
import { Keys } from "./access/keys.ts";
import { Limits } from "./access/limits.ts";
import { type DeploymentLog, type LogLevel, logLevels, openLog } from "./log.ts";
import { AsyncRuns } from "./serving/async-runs.ts";
import { RecentRuns } from "./record/recent-runs.ts";
import { stopSandbox } from "./sandbox/run-function.ts";
import type { Service } from "./service.ts";

export { describeDeployment } from "./configuration/describe.ts";

export interface DeploymentOptions {
  /** The served directory: deployment.yaml (optional), bots/, functions/. */
  directory: string;
  /** 0, the default, takes a free one. */
  port?: number;
  /** Default 127.0.0.1. Anything but loopback needs `allowRemote` and keys in deployment.yaml. */
  host?: string;
  allowRemote?: boolean;
  /** Keep every request; a text is a JSONL file to append to as well. Default: the setting in deployment.yaml. */
  journal?: boolean | string;
  /** One of `logLevels`. Default: silent. */
  logLevel?: string;
  /** A log to write to instead of stderr. */
  log?: DeploymentLog;
  /** Started by a command for its own use: accepts any key and none. */
  embedded?: boolean;
}

/** A deployment that answers requests. */
export interface RunningDeployment extends Described {
  /** `http://host:port`, without a slash at the end. */
  baseUrl: string;
  /** Totals always; entries and counts when the journal is on. */
  journal: RequestJournal;
  /** The rules of what goes wrong; they can be replaced at any time. */
  faults: Faults;
  /** Runs of the asynchronous form. */
  asyncRuns: AsyncRuns;
  /** Takes no new connections, answers what is in flight for at most `graceMs` (default 30,000), then closes. */
  stop(graceMs?: number): Promise<void>;
}

/** Entries that the journal keeps in memory. */
const journalEntries = 10_000;

/** Distinct bodies that the journal counts: some 300 MB of them. */
const countedBodies = 1_000_000;

/** Runs that are kept in memory, for their addresses. */
const recentRuns = 500;

/** Runs of the asynchronous form that can be asked for. */
const mostAsyncRuns = 100_000;

/** Number of connections that may wait to be accepted. */
const backlog = 4096;

/** Deployments of this process that share the threads of the sandbox. */
let running = 0;

/**
 * Serves the saved configurations of a directory. Raises `DEPLOYMENT_INVALID` for a faulty directory, and
 * `DEPLOYMENT_PORT` when the address cannot be listened on.
 */
export async function startDeployment(options: DeploymentOptions): Promise<RunningDeployment> {
  const service = await openService(options);
  let baseUrl = "";
  const described = (): Described => describedService(service, baseUrl, options.embedded ?? false);
  const listener = getRequestListener(deploymentApp(service).fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  // Longer than clients keep an idle connection, so that none is closed while a request is on its way.
  server.keepAliveTimeout = 75_000;
  try {
    baseUrl = await listen(server, service.host, options.port ?? 0);
  } catch (error) {
    service.journal.close();
    throw error;
  }
  running++;
  service.log.info("serving", { baseUrl, directory: service.directory });
  let stopped: Promise<void> | null = null;
  const stop = (graceMs = 30_000): Promise<void> => (stopped ??= stopService(service, server, graceMs));
  return { ...described(), journal: service.journal, faults: service.faults, asyncRuns: service.asyncRuns, stop };
}

/** Reads the directory and puts the parts together. */
async function openService(options: DeploymentOptions): Promise<Service> {
  const directory = resolve(options.directory);
  const { host = "127.0.0.1", embedded = false } = options;
  const log = options.log ?? openLog(levelOf(options.logLevel ?? "silent"));
  const settings = await readSettings(join(directory, servedFiles.settings), deploymentSettings, true);
  checkRemote(host, options.allowRemote ?? false, settings);
  const configurations = await Configurations.load(directory);
  if (configurations.all.length === 0) throw nothingToServe(directory);
  const faults = new Faults();
  faults.set(settings.faults);
  return {
    directory,
    host,
    log,
    settings,
    configurations,
    faults,
    keys: new Keys(settings, embedded),
    credits: new Credits(),
    limits: new Limits(),
    journal: openJournal(directory, settings, options.journal),
    runs: new RecentRuns(recentRuns),
    asyncRuns: new AsyncRuns(mostAsyncRuns),
  };
}

function openJournal(
  directory: string,
  settings: DeploymentSettings,
  option: boolean | string | undefined,
): RequestJournal {
  const asked = option !== undefined && option !== false;
  const wanted = asked ? option : settings.journal;
  const file = typeof wanted === "string" ? resolve(asked ? "." : directory, wanted) : null;
  try {
    return new RequestJournal({
      enabled: wanted !== false,
      file,
      entries: journalEntries,
      bodies: countedBodies,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("OUTPUT_UNWRITABLE", `The journal cannot be written to ${file ?? "memory"}: ${reason}`, {
      cause,
    });
  }
}

function levelOf(text: string): LogLevel {
  const level = logLevels.find((name) => name === text);
  if (level !== undefined) return level;
  throw new AppError("USAGE", `The log level must be one of ${logLevels.join(", ")}, got ${showText(text)}`);
}

function checkRemote(host: string, allowed: boolean, settings: DeploymentSettings): void {
  if (isLoopback(host)) return;
  if (!allowed) {
    throw new AppError("USAGE", `A local deployment listens on loopback only, got host ${showText(host)}`, {
      hint: "Give --allow-remote (and keys in deployment.yaml) to let other machines reach it.",
    });
  }
  if (settings.keys.length > 0) return;
  throw new AppError(
    "DEPLOYMENT_INVALID",
    `Nobody needs a key for this deployment, and host ${showText(host)} is reached from other machines`,
    {
      hint: "Add keys to deployment.yaml.",
    },
  );
}

function nothingToServe(directory: string): AppError {
  const isFolder = statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
  const what = isFolder ? "has no saved configuration" : "is not a folder";
  return new AppError("DEPLOYMENT_INVALID", `${directory} ${what}`, {
    hint: "A served directory has bots/ID.yaml or functions/ID.js, and optionally deployment.yaml.",
  });
}

function describedService(service: Service, baseUrl: string, embedded: boolean): Described {
  const { directory, settings, configurations, journal } = service;
  return {
    baseUrl,
    directory,
    configurations: configurations.all,
    key: embedded ? null : (settings.keys[0]?.key ?? null),
    testRoutes: journal.enabled,
  };
}

/** Listens; gives the base URL. */
async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolveListening, reject) => {
    server.once("error", (cause) => {
      reject(
        new AppError("DEPLOYMENT_PORT", `Cannot listen on ${host}:${port}: ${cause.message}`, {
          cause,
          hint: "Choose another port, or 0 for a free one.",
        }),
      );
    });
    server.listen({ host, port, backlog }, resolveListening);
  });
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return `http://${host.includes(":") ? `[${host}]` : host}:${bound}`;
}

async function stopService(service: Service, server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolveClosed) => {
    server.close(() => {
      resolveClosed();
    });
  });
  // A connection that is kept alive becomes idle only after its answer, and nothing else closes it then.
  const idle = setInterval(() => {
    server.closeIdleConnections();
  }, 10);
  const late = setTimeout(() => {
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
  running--;
  if (running === 0) await stopSandbox();
  service.journal.close();
  service.log.info("stopped");
}
