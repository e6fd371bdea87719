import { AppError } from "../../errors.ts";
import type { Fault } from "../../lib/fault.ts";
import type { LoadedSuite } from "../../suite/load.ts";

/** Makes the error that tells where in a suite file, or in which flag, faults are; undefined: the suite came from neither. */
export type ErrorOf = LoadedSuite["errorOf"] | undefined;

/** Throws SUITE_INVALID (USAGE for flags) with the faults of a suite that its dataset or environment has shown; returns where there are none. */
export function refuseFaults(faults: readonly Fault[], errorOf: ErrorOf): void {
  if (faults.length === 0) return;
  if (errorOf !== undefined) throw errorOf(faults);
  const lines = faults.map(({ path, message, hint }) => `${path.join(".")} ${message}. ${hint ?? ""}`.trim());
  throw new AppError("SUITE_INVALID", lines.join("\n"));
}
