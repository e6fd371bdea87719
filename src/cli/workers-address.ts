import { AppError } from "../errors.ts";
import { loadDotEnv } from "./dot-env.ts";

/** The address of the workers' PostgreSQL. Throws USAGE when none is given, or it is none of PostgreSQL's. */
export function workersAddress(env: NodeJS.ProcessEnv = process.env): string {
  // Where it is written in a command line, it has been moved there.
  loadDotEnv([]);
  const address = env["TANDEM_WORKERS"] ?? "";
  const hint = "Such as postgres://USER@HOST/DATABASE; with a password, put it into the variable TANDEM_WORKERS.";
  if (address === "") throw new AppError("USAGE", "The address of the workers' PostgreSQL is missing.", { hint });
  if (/^postgres(?:ql)?:\/\//i.test(address)) return address;
  throw new AppError("USAGE", "The address of the workers' PostgreSQL must begin with postgres://.", { hint });
}
