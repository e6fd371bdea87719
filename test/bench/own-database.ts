import { startServer, type OwnPostgres, type ServerKind } from "../own-postgres.ts";
import { openPostgres } from "../../src/workers/postgres/connection.ts";
import { setUp } from "../../src/workers/postgres/schema.ts";

/** Starts a PostgreSQL with these settings in this folder, and in it the workers' database `tandem`; ends it after the work. */
export async function withOwnDatabase<Result>(
  { folder, settings, kind }: { folder: string; settings: string[]; kind?: ServerKind },
  work: (server: OwnPostgres) => Promise<Result>,
): Promise<Result> {
  const server = await startServer(folder, { more: settings, kind });
  try {
    const admin = await openPostgres(server.url("postgres"), { most: 1, applicationName: "bench" });
    await admin.query("CREATE DATABASE tandem");
    await admin.close();
    const db = await openPostgres(server.url("tandem"), { most: 2, applicationName: "bench" });
    await setUp(db);
    await db.close();
    return await work(server);
  } finally {
    await server.stop();
  }
}
