import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OwnPostgres } from "../own-postgres.ts";
import { openPostgres } from "../../src/worker/postgres/connection.ts";
import { cpuSeconds } from "./process-cpu.ts";

/** CPU that a server has used with all of its processes. */
export function serverCpuSeconds({ folder }: OwnPostgres): number {
  return cpuSeconds(Number(readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n")[0]));
}

/** Calls of a function of the database, and the milliseconds that they took. */
export interface Calls {
  calls: number;
  ms: number;
}

/** PostgreSQL counts the calls of a session when that rests, and in any case when it ends. */
export async function callsOf(url: string, name: string): Promise<Calls> {
  const db = await openPostgres(url, { most: 1, applicationName: "bench" });
  try {
    const [row] = await db.query<Calls>(
      "SELECT calls, total_time AS ms FROM pg_stat_user_functions WHERE schemaname = 'tandem' AND funcname = $1",
      [name],
    );
    return row ?? { calls: 0, ms: 0 };
  } finally {
    await db.close();
  }
}
