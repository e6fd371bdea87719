import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { version } from "../lib/version.ts";
import { type Batch, findBatch, listBatches, setBatchState } from "../store/batches.ts";
import { setAgainst } from "../store/compared/comparisons.ts";
import type { Connection } from "../store/connection.ts";
import { openDatabase } from "../store/database.ts";
import { copyAlone } from "../store/merge/batch-alone.ts";
import { copyParts } from "../store/merge/merged-parts.ts";
import { mergeBatches } from "../store/merge/merge.ts";
import { importedReference } from "./compare/imported-reference.ts";

/** Bytes of a part of the file. */
const partBytes = 4 * 1024 * 1024;

/** A batch with what it is compared with as one compressed database, in parts: a machine that has nothing of it begins with that. */
export async function* batchFileOf(db: Connection, batch: Batch): AsyncGenerator<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "tandem-batch-"));
  try {
    const path = join(folder, "tandem.db");
    const copy = openDatabase(path);
    try {
      copyAlone(copy, db, batch.id);
      const against = await importedReference(copy, { db, batch, name: batch.name }, () => undefined);
      if (against !== null) setAgainst(copy, batch.id, against);
      // One file: nothing stays in the log beside it.
      copy.close();
    } finally {
      if (copy.open) copy.close();
    }
    yield* inParts(createReadStream(path).pipe(createGzip({ level: 1 })));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Enters a batch from its file; it goes on where the file was made. */
export async function batchFromFile(db: Connection, parts: AsyncIterable<Buffer>): Promise<Batch> {
  const folder = mkdtempSync(join(tmpdir(), "tandem-batch-"));
  try {
    const path = join(folder, "tandem.db");
    await pipeline(Readable.from(parts), createGunzip(), createWriteStream(path));
    using from = openDatabase(path, { reading: true });
    const [batch] = listBatches(from);
    if (batch === undefined) throw new Error("the file of the batch holds none");
    return await copyBatch(db, { db: from, batch });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function copyBatch(db: Connection, from: { db: Connection; batch: Batch }): Promise<Batch> {
  const part = { ...from, name: from.batch.name };
  const against = await importedReference(db, part, () => undefined);
  const { suite, selection } = from.batch;
  const batch = mergeBatches(db, [part], { suite, selection, version });
  copyParts(db, batch.id, part);
  if (against !== null) setAgainst(db, batch.id, against);
  if (batch.state !== "finished") setBatchState(db, batch.id, "stopped", { reason: "it was begun on another machine" });
  return findBatch(db, batch.name);
}

async function* inParts(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < partBytes) continue;
    yield Buffer.concat(held);
    [held, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(held);
}
