import { statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { AppError } from "../../errors.ts";
import { readPage } from "../../report/formats/page.ts";
import { openDatabase } from "../../store/database.ts";
import type { Connection } from "../../store/connection.ts";
import { readablePath } from "../../store/read-only-folder.ts";
import { storedVersion } from "../../lib/stored-version.ts";
import { versionNow } from "../../store/schema.ts";
import { BatchEntries } from "./home/batch-entries.ts";
import { Comparisons } from "./open-comparisons.ts";
import { guard, newEntry } from "./guard.ts";
import { HomeSuites } from "./home/home-suites.ts";
import { NightsReader } from "./home/nights-reader.ts";
import { answerFailure, viewerRoutes } from "./routes.ts";
import { SuiteHistories } from "./home/suite-histories.ts";
import { SuiteMarks } from "./home/suite-marks.ts";
import { openIndexFolder } from "../../app/report/index-folder.ts";
import { addressFolder } from "./address-folder.ts";

/** A viewer that answers. */
export interface RunningViewer {
  /** Address with the token: whoever has it may look and label. */
  url: string;
  stop: () => Promise<void>;
}

/** Greatest number of connections that ask for nothing: no browser keeps more. */
const mostSilent = 64;
/** A browser sends its request at once. */
const requestMs = 20_000;

/**
 * Serves the page over the database of a results folder, on this machine only. `port` 0 takes a free one. Throws
 * BATCH_NOT_FOUND without a database, OTHER_VERSION, DATABASE_INVALID, DEPLOYMENT_PORT.
 */
export async function startViewer(given: { database: string; port: number }): Promise<RunningViewer> {
  if (!Number.isInteger(given.port) || given.port < 0 || given.port > 65_535) {
    throw new AppError("USAGE", `--port must be a whole number from 0 to 65535, got ${given.port}.`);
  }
  const database = readablePath(given.database);
  const reading = openDatabase(database, { mustExist: true });
  // Writing waits in turns, so that others are answered meanwhile.
  const writing = openDatabase(database, { mustExist: true, busyMs: 0 });
  const folder = openIndexFolder(database);
  const comparisons = new Comparisons(reading, folder);
  const nights = new NightsReader(database);
  const marks = new SuiteMarks(reading);
  const suites = new HomeSuites(marks, nights);
  const histories = new SuiteHistories(marks, nights);
  const app = new Hono();
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs });
  dropSilent(server);
  const close = (): void => {
    suites.close();
    nights.close();
    comparisons.close();
    reading.close();
    writing.close();
    folder.close();
  };
  try {
    const port = await listen(server, given.port);
    const entry = newEntry(addressFolder(database), port);
    // A database that is damaged or held fails before a route is reached.
    app.onError(answerFailure(database));
    app.use(guard(entry), sameDatabase(database), knownSchema(reading));
    const page = readPage("viewer");
    const entries = new BatchEntries(reading);
    app.route("/", viewerRoutes({ reading, writing, entries, suites, histories, comparisons, page }));
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    server.on("request", (incoming, outgoing) => {
      if (incoming.url?.startsWith(entry.folder) === true) incoming.url = incoming.url.slice(entry.folder.length - 1);
      void listener(incoming, outgoing);
    });
    return { url: `http://127.0.0.1:${port}/?token=${entry.token}`, stop: () => stopServer(server, close) };
  } catch (error) {
    close();
    throw error;
  }
}

/** Ends the oldest of the connections that send nothing, so that many of them keep nobody out. */
function dropSilent(server: Server): void {
  const silent = new Set<Socket>();
  const wait = (socket: Socket): void => {
    silent.add(socket);
    const [oldest] = silent;
    if (silent.size > mostSilent) oldest?.destroy();
  };
  server.on("connection", (socket) => {
    socket.once("close", () => silent.delete(socket));
    wait(socket);
  });
  server.on("request", ({ socket }, outgoing) => {
    silent.delete(socket);
    outgoing.once("close", () => {
      if (!socket.destroyed) wait(socket);
    });
  });
}

/** A file that was deleted lives on for those who have it open: nobody is told that something was kept in it. */
function sameDatabase(path: string): MiddlewareHandler {
  const first = fileNumber(path);
  return async (context, next) => {
    const now = fileNumber(path);
    if (now === first || context.req.path === "/") return next();
    const what = now === null ? "is gone" : "is another file now";
    return context.json(
      { error: `The database ${path} ${what}.`, hint: "Stop tandem view, and start it again where the batches are." },
      503,
    );
  };
}

/** Another tandem may have put its own database there while the page is open: nothing of it is read, or written. */
function knownSchema(db: Connection): MiddlewareHandler {
  return async (context, next) => {
    if (context.req.path === "/" || versionNow(db) === storedVersion) return next();
    return context.json(
      {
        error: `The database ${db.name} is of another tandem now, and this one cannot read it.`,
        hint: "Stop tandem view, and start it again with the tandem that wrote it.",
      },
      503,
    );
  };
}

function fileNumber(path: string): bigint | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(
        new AppError("DEPLOYMENT_PORT", `Cannot listen on 127.0.0.1:${port}: ${cause.message}`, {
          hint: "Choose another port with --port; 0 takes any free one.",
          cause,
        }),
      );
    });
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function stopServer(server: Server, close: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      close();
      resolve();
    });
    server.closeAllConnections();
  });
}
