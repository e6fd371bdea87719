import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bodyHash, knownBodies } from "../../src/worker/postgres/schema.ts";
import { setUp } from "../../src/worker/watch/setup.ts";
import { openTest, testDatabase } from "../postgres.ts";

const postgres = new URL("../../src/worker/postgres/", import.meta.url);

interface SqlFunction {
  name: string;
  body: string;
}

const functionsIn = (folder: string): SqlFunction[] =>
  readdirSync(new URL(folder, postgres))
    .filter((file) => file.endsWith(".sql"))
    .flatMap((file) => [
      ...readFileSync(new URL(`${folder}/${file}`, postgres), "utf8").matchAll(
        /^CREATE (?:OR REPLACE )?FUNCTION tandem\.(\w+)\(.*?\$\$(.*?)\$\$/gms,
      ),
    ])
    .map(([, name = "", body = ""]) => ({ name, body }));

const functions = functionsIn("postgres-functions");

test("the body of every function stands in bodies.txt, so that the next tandem knows what this one has set up", () => {
  const latest = readdirSync(new URL("postgres-migrations", postgres)).length;
  const known = knownBodies();
  const missing = functions
    .filter(({ body }) => !known.has(bodyHash(body)))
    .map(({ name, body }) => `${String(latest).padStart(3, "0")} ${name} ${bodyHash(body)}`);
  // A changed function needs a migration with the next number: only those that are behind are brought up to date.
  expect(missing).toEqual([]);
  expect(functions.length).toBeGreaterThan(10);
});

test("no migration makes a function that is made anew after each", () => {
  const names = new Set(functions.map(({ name }) => name));
  expect(functionsIn("postgres-migrations").filter(({ name }) => names.has(name))).toEqual([]);
});

/** The body of `tandem.mark_taken` of the first version. */
const earlierBody = `
BEGIN
  UPDATE tandem.sending SET sent_at = p_sent_at, run_id = p_run_id, run_url = p_run_url, run_created_at = p_run_created_at, doubt_since = NULL
    WHERE batch = p_batch AND job = p_job AND number = p_number AND worker = p_worker;
  RETURN FOUND;
END `;

test("setup knows a function of an earlier tandem, and none that differs from it by a word", async () => {
  const db = await openTest(await testDatabase());
  const make = (body: string): Promise<unknown> =>
    db.query(`CREATE OR REPLACE FUNCTION tandem.mark_taken(p_worker uuid, p_batch integer, p_job bigint, p_number integer,
      p_sent_at bigint, p_run_id text, p_run_url text, p_run_created_at text) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $f$${body}$f$`);
  await make(earlierBody);
  await setUp(db);
  await make(earlierBody.replace("AND worker = p_worker", ""));
  await expect(setUp(db)).rejects.toMatchObject({ code: "WORKERS_TAMPERED" });
});
