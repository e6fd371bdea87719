import { CountedSignals } from "./counted-signals.ts";
import { codeOfSignal, type EndingSignal, endingSignals } from "./ending-signals.ts";

/** Waits for the first signal that asks for an end, and stops then; a second one ends the process. */
export async function untilStopped(stop: () => Promise<void>): Promise<void> {
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
  const signals = new CountedSignals({
    onSignal: (signal, number) => {
      ask();
      if (number > 1) endBy(signals, signal);
    },
  });
  await isAsked;
  await stop();
  signals.close();
}

/** Ends the process as the signal does where nobody listens to it. */
function endBy(signals: CountedSignals, signal: EndingSignal): void {
  signals.close();
  process.kill(process.pid, signal);
}

/**
 * While report files are written, a signal that nobody else takes care of ends the process with its exit code, so that
 * nothing of them is left. At any other time it does what signals do.
 */
export async function endCleanly(): Promise<void> {
  const { watchWriting } = await import("../../report/write/unfinished.ts");
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
  process.exit(codeOfSignal(signal));
}
