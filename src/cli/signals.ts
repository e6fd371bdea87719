import { exitCodes } from "../errors.ts";

/** The signals that ask a process to end. Windows has no SIGTERM, and SIGBREAK for Ctrl-Break, which others do not have. */
export const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const;
export type EndingSignal = (typeof endingSignals)[number];

/**
 * Time within which two equal signals are one: the terminal tells Ctrl-C to every process, and npm, or the older Node
 * that handed over to this one, passes it on. People take longer between two.
 */
export const echoMs = 100;

/** Resolves at the first signal that asks for an end; its echo does nothing, and a later one ends the process. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      resolve();
      setTimeout(() => {
        for (const signal of endingSignals) process.off(signal, stop);
      }, echoMs).unref();
    };
    for (const signal of endingSignals) process.on(signal, stop);
  });
}

/**
 * While report files are written, a signal that nobody else takes care of ends the process with its exit code, so that
 * nothing of them is left. At any other time it does what signals do.
 */
export async function endCleanly(): Promise<void> {
  const { watchWriting } = await import("../report/write/unfinished.ts");
  watchWriting((isWriting) => (isWriting ? listen() : forget()));
}

function listen(): void {
  for (const signal of endingSignals) process.on(signal, end);
}

function forget(): void {
  for (const signal of endingSignals) process.off(signal, end);
}

function end(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  // While a disk does not answer the process cannot exit: the next signal ends it as if we were not here.
  forget();
  process.exit(signal === "SIGTERM" ? exitCodes.terminated.code : exitCodes.interrupted.code);
}
