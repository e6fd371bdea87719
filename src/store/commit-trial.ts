import { randomBytes } from "node:crypto";
import { openDatabase } from "./database.ts";
import { selectValue, sqlite } from "./sqlite.ts";

const commits = 5;

/** The version of SQLite, and how long a durable commit takes where this new database lies. */
export function tryCommits(path: string): { version: string; ms: number } {
  using db = openDatabase(path);
  const version = selectValue<string>(db, "SELECT sqlite_version()") ?? "";
  sqlite(db).exec("CREATE TABLE trial (value TEXT)");
  const insert = sqlite(db).prepare("INSERT INTO trial (value) VALUES (?)");
  const from = performance.now();
  for (let i = 0; i < commits; i++) insert.run(randomBytes(64).toString("hex"));
  return { version, ms: (performance.now() - from) / commits };
}
