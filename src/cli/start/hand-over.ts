import { spawn } from "node:child_process";
import { constants } from "node:os";
import { handedOver } from "./end-with-starter.ts";
import { endingSignals } from "../signals/ending-signals.ts";

/**
 * Runs a file with another Node and resolves to its exit code, or to null when that Node cannot be started. Its streams
 * are those of this process, a signal to this process is passed on, and a signal that ends either of them ends the other.
 */
export async function handOver(node: string, file: string, args: readonly string[]): Promise<number | null> {
  const child = spawn(node, [...process.execArgv, file, ...args], {
    // The channel tells the other when this process is gone.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, [handedOver]: "1" },
  });
  // On Windows the console tells every process by itself, and to send a signal would end the other one at once.
  const passOn = (signal: NodeJS.Signals): void => void (process.platform !== "win32" && child.kill(signal));
  for (const signal of endingSignals) process.on(signal, passOn);
  const ended = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("error", () => resolve({ code: null, signal: null }));
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  for (const signal of endingSignals) process.off(signal, passOn);
  if (ended.signal === null) return ended.code;
  process.kill(process.pid, ended.signal);
  return 128 + constants.signals[ended.signal];
}
