import { fetchBatch } from "../../app/fetch-batch.ts";
import { openPostgres } from "../../worker/postgres/connection.ts";
import { checkSchema } from "../../worker/postgres/schema.ts";
import { namespaceOf, type WorkersFlags } from "../flags/workers-flags.ts";
import type { Terminal } from "../terminal.ts";
import { workersAddress } from "../workers-address.ts";

/** Brings the batch of a resume from the workers where it was begun on another machine. */
export async function fetchIfMissing(
  flags: WorkersFlags & { results: string; batch?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  await using db = await openPostgres(workersAddress(), { most: 1, applicationName: "tandem submitter" });
  await checkSchema(db);
  const request = { out: flags.results, namespace: namespaceOf(flags), batch: flags.batch ?? null };
  const batch = await fetchBatch(db, request);
  if (batch !== null) terminal.note(`${batch.name}: begun on another machine, fetched from the workers.`);
}
