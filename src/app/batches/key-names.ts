import { existsSync } from "node:fs";
import { listBatches } from "../../store/batches.ts";
import { secretNames } from "../../suite/key.ts";
import { databasePath, openDatabase } from "../../store/database.ts";

/** Names of the variables that held the keys and other secrets of the batches in a results folder; empty where there is no database to read. */
export function storedKeyNames(out: string): string[] {
  if (!existsSync(databasePath(out))) return [];
  try {
    using db = openDatabase(databasePath(out), { reading: true });
    const deployments = listBatches(db).flatMap(({ suite }) => suite.deployments);
    return [...new Set(deployments.flatMap(secretNames))];
  } catch {
    // The failure that was there before is told, not this one.
    return [];
  }
}
