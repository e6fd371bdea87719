import { startEngine } from "../engine/engine.ts";
import type { Postgres } from "../postgres/connection.ts";
import { grantRoles } from "../postgres/roles.ts";
import { migratePostgres } from "../postgres/schema.ts";

/** Makes the tables of tandem and of its engine, or brings them up to date, and the roles of workers and submitters. */
export async function setUp(db: Postgres, url: string): Promise<void> {
  await migratePostgres(db);
  const engine = await startEngine(url, { most: 1, name: "tandem setup", supervises: false, onError: () => undefined });
  await engine.stop();
  await grantRoles(db);
}
