import { exitCodes } from "../../errors.ts";

/** The signals that ask a process to end. Windows has no SIGTERM, and SIGBREAK for Ctrl-Break, which others do not have. */
export const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const;
export type EndingSignal = (typeof endingSignals)[number];

/** The exit code of a command that a signal has ended. */
export const codeOfSignal = (signal: NodeJS.Signals): number =>
  signal === "SIGTERM" ? exitCodes.terminated.code : exitCodes.interrupted.code;

/** A signal as the person knows it who sent it. */
export const signalWords = (signal: EndingSignal): string => (signal === "SIGINT" ? "Ctrl-C" : signal);
