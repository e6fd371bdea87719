import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { AppError } from "../../errors.ts";
import { readPage } from "../../report/page.ts";
import { openDatabase } from "../../store/database.ts";
import { Comparisons } from "./comparisons.ts";
import { guard } from "./guard.ts";
import { viewerRoutes } from "./routes.ts";

/** A viewer that answers. */
export interface RunningViewer {
  /** With the token: whoever has it may look and label. */
  url: string;
  stop: () => Promise<void>;
}

/** Serves the page over the database of a results folder, on this machine only. `port` 0 takes a free one. */
export async function startViewer(given: { database: string; port: number }): Promise<RunningViewer> {
  const reading = openDatabase(given.database, { mustExist: true });
  const writing = openDatabase(given.database, { mustExist: true });
  const comparisons = new Comparisons(reading);
  const token = randomBytes(24).toString("base64url");
  const app = new Hono();
  const server = createServer();
  const close = (): void => {
    comparisons.close();
    reading.close();
    writing.close();
  };
  try {
    const port = await listen(server, given.port);
    app.use(guard(token, `tandem_${port}`));
    app.route("/", viewerRoutes({ reading, writing, comparisons, page: readPage("viewer") }));
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    server.on("request", (incoming, outgoing) => void listener(incoming, outgoing));
    return { url: `http://127.0.0.1:${port}/?token=${token}`, stop: () => stopServer(server, close) };
  } catch (error) {
    close();
    throw error;
  }
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
