import { loadEngine } from "../engine/engine.ts";
import type { Postgres } from "../postgres/connection.ts";
import { grantRoles, makeRoles, takeEngineRights, type Users, usersOf } from "../postgres/roles.ts";
import { migratePostgres, oneAtATime } from "../postgres/schema.ts";
import { checkOwner, refuseStrangers } from "../postgres/strangers.ts";

/**
 * Makes the tables of tandem and of its engine, or brings them up to date, and the roles of workers and submitters: the one
 * place where anything is run with the owner's rights. `db` has two connections at least. Returns who may use it.
 */
export async function setUp(db: Postgres): Promise<Users> {
  const engine = await loadEngine();
  await oneAtATime(db, async () => {
    await makeRoles(db);
    await checkOwner(db);
    // From here on nobody else can write what is looked at and then run.
    await takeEngineRights(db);
    await refuseStrangers(db, engine.texts);
    await engine.makeTables(db);
    await migratePostgres(db);
    await grantRoles(db);
  });
  return usersOf(db);
}
