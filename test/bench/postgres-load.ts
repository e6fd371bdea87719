import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OwnPostgres } from "../own-postgres.ts";
import { cpuSeconds } from "./process-cpu.ts";

/** CPU that a server has used with all of its processes. */
export function serverCpuSeconds({ folder }: OwnPostgres): number {
  return cpuSeconds(Number(readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n")[0]));
}
