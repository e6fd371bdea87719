import { AppError } from "../../errors.ts";
import type { Environment } from "../../suite/environment.ts";
import type { LoadedSuite } from "../../suite/load.ts";
import { sameBotFaults, sameCandidateNotes } from "../../suite/same-bot.ts";
import type { Suite } from "../../suite/suite.ts";

interface Options {
  env?: Environment;
  /** The error that tells where in the suite a fault is. */
  errorOf?: LoadedSuite["errorOf"] | undefined;
  onNotice: (message: string) => void;
}

/**
 * Refuses a suite that would compare a bot with itself without saying so (`compare: { same: true }`), or that says so of
 * two bots. Candidates that are the same bot are a warning. Throws SUITE_INVALID, or USAGE for flags.
 */
export function checkSameBot(suite: Suite, { env = process.env, errorOf, onNotice }: Options): void {
  const faults = sameBotFaults(suite, env);
  for (const line of faults.length === 0 ? sameCandidateNotes(suite, env) : []) onNotice(`warning: ${line}`);
  if (faults.length === 0) return;
  if (errorOf !== undefined) throw errorOf(faults);
  const lines = faults.map(({ path, message, hint }) => [`${path.join(".")} ${message}.`, hint ?? ""].join(" ").trim());
  throw new AppError("SUITE_INVALID", lines.join("\n"));
}
