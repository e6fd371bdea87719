import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface DelayedServer {
  url: string;
  /** Resolves at its first request. */
  asked: Promise<string>;
  stop: () => Promise<void>;
}

/** A server in a process of its own that answers every request after a delay; `perSecond`: no more of them in a second. */
export async function startDelayedServer(delayMs: number, { port = 0, perSecond = 0 } = {}): Promise<DelayedServer> {
  const script = join(import.meta.dirname, "delayed-server.mjs");
  const child = spawn(process.execPath, [script, ...[delayMs, port, perSecond].map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const listening = await printed(child, /^\d+$/m);
  return {
    url: `http://127.0.0.1:${listening.trim()}`,
    asked: printed(child, /asked/),
    async stop() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

/** Resolves with what a process printed once that matches. */
function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      if (pattern.test(chunk.toString())) resolve(chunk.toString());
    });
    child.once("error", reject);
  });
}
