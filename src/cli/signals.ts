import { exitCodes } from "../errors.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * While report files are written, a signal that nobody else takes care of ends the process with its exit code, so that
 * nothing of them is left. At any other time it does what signals do.
 */
export async function endCleanly(): Promise<void> {
  const { watchWriting } = await import("../report/write/unfinished.ts");
  watchWriting((isWriting) => (isWriting ? listen() : forget()));
}

function listen(): void {
  for (const signal of signals) process.on(signal, end);
}

function forget(): void {
  for (const signal of signals) process.off(signal, end);
}

function end(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  // Where a disk does not answer the process cannot exit: the next signal ends it as if we were not here.
  forget();
  process.exit(signal === "SIGTERM" ? exitCodes.terminated.code : exitCodes.interrupted.code);
}
