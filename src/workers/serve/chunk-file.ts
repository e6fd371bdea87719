import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { endpointWord } from "../../api/endpoint-name.ts";
import type { Price } from "../../api/price.ts";
import { type Batch, listBatches } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { openDatabase } from "../../store/database.ts";
import { caseTargets } from "../../store/case-load.ts";
import { enterResults, type HandedResult, resultReader } from "../../store/journal/handed-over.ts";
import { jobStates } from "../../store/journal/job-states.ts";
import { enterRows, type PackedRows } from "../../store/packed-rows.ts";
import type { RunTarget } from "../../runner/run-target.ts";

/** Names a chunk's file: the batch by its id, which no other database has, the chunk, and the claim by which it was a worker's. */
export interface ChunkName {
  batch: string;
  chunk: number;
  claim: string;
}

const fileName = ({ batch, chunk, claim }: ChunkName): string => `${batch}_${chunk}_${claim}.db`;

/** The chunks that an earlier process has left in a folder. */
export function leftChunks(folder: string): ChunkName[] {
  return readdirSync(folder).flatMap((name) => {
    const [, batch, chunk, claim] = /^([0-9a-f-]{36})_(\d+)_([0-9a-f-]{36}\.\d+)\.db$/.exec(name) ?? [];
    return batch === undefined || claim === undefined ? [] : [{ batch, chunk: Number(chunk), claim }];
  });
}

/** A part of a batch in a file of its own: what an ordinary runner drives. */
export class ChunkFile {
  readonly db: Connection;
  readonly batch: Batch;
  readonly #path: string;
  readonly #read: ReturnType<typeof resultReader>;
  readonly #targets: ReturnType<typeof caseTargets>;

  private constructor(path: string, { db, batch }: { db: Connection; batch: Batch }) {
    this.#path = path;
    this.db = db;
    this.batch = batch;
    this.#read = resultReader(db);
    this.#targets = caseTargets(db, batch);
  }

  static make(
    folder: string,
    name: ChunkName,
    { head, rows, results }: { head: PackedRows; rows: PackedRows; results: readonly HandedResult[] },
  ): ChunkFile {
    const path = join(folder, fileName(name));
    removeFile(path);
    const db = openDatabase(path);
    // Without its results, what others have sent of it would be sent once more by the next process of this worker.
    enterRows(db, { ...head, ...rows }, () => void enterResults(db, results, "held"));
    const [batch] = listBatches(db);
    if (batch === undefined) throw new Error(`${path} holds no batch`);
    return new ChunkFile(path, { db, batch });
  }

  /** Opens one that an earlier process has left; null: that ended before anything was in it. */
  static open(folder: string, name: ChunkName): ChunkFile | null {
    const path = join(folder, fileName(name));
    const db = openDatabase(path);
    const [batch] = listBatches(db);
    if (batch !== undefined) return new ChunkFile(path, { db, batch });
    db.close();
    removeFile(path);
    return null;
  }

  /** The targets of one endpoint of a deployment. */
  targets(deployment: string, word: string): RunTarget[] {
    return this.#targets.filter((target) => target.deployment === deployment && endpointWord(target.endpoint) === word);
  }

  /** A target of its jobs, all of which are of one deployment's endpoint; null: it has none. */
  get anyTarget(): ReturnType<typeof caseTargets>[number] | null {
    const [first] = this.states();
    return this.#targets.find(({ id }) => id === first?.targetId) ?? null;
  }

  priceOf(targetId: number): Price | null {
    return this.#targets.find(({ id }) => id === targetId)?.price ?? null;
  }

  /** The id of a target by its name. */
  targetId(name: string): number {
    return this.#targets.find((target) => target.name === name)?.id ?? 0;
  }

  /** The result of an attempt. Null: it is not known here. */
  result(job: number, number: number, decision?: string): HandedResult | null {
    return this.#read(job, number, decision);
  }

  /** All jobs of the chunk. */
  states(): ReturnType<typeof jobStates> {
    return jobStates(this.db);
  }

  /** Jobs that have not left, as far as is known here. */
  unsent(): number[] {
    return this.states().flatMap(({ id, outcome, isSending }) => (outcome === null && !isSending ? [id] : []));
  }

  close(): void {
    this.db.close();
  }

  /** Everything in it has been handed in. */
  remove(): void {
    this.db.close();
    removeFile(this.#path);
  }
}

function removeFile(path: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
}
