import type { OutcomeKind } from "../../api/outcomes.ts";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isLiving, lifeMark } from "../../store/life-file.ts";
import type { SentResult } from "./result.ts";

/** A result as a line of a file: its body as base64. */
const line = z.object({
  worker: z.string(),
  batch: z.number(),
  job: z.number(),
  number: z.number(),
  // A newer tandem may have left the file: its kinds go to the database as they are.
  kind: z.custom<OutcomeKind>((kind) => typeof kind === "string"),
  final: z.boolean(),
  failure: z.boolean(),
  spent: z.boolean(),
  countsAsTry: z.boolean().optional(),
  cost: z.number().nullable(),
  costUnknown: z.boolean(),
  entry: z.string(),
  body: z.string().nullable(),
});

/** `OWNER-NUMBER.results`; the owner has the file of life `.tandem-life-OWNER`. */
const fileName = /^(.+)-(\d+)\.results(\.part)?$/;
const lifePrefix = ".tandem-life-";

interface SpoolFile {
  name: string;
  owner: string;
  number: number;
  /** It was being written. */
  isPart: boolean;
}

/**
 * Results on this machine's disk while the database is away: one file for each that was put there, readable by its
 * owner alone, safe when `put` has returned. Files that a worker has left which is gone are taken over: the system
 * says so by a lock, as its process number may be another's after a restart or in a container.
 */
export class Spool {
  readonly #folder: string;
  #number: number;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#number = Math.max(0, ...this.#files().map(({ number }) => number));
    this.#clean();
  }

  /** Names of the files that are this worker's, oldest first; those that are nobody's any more become its own. */
  left(): string[] {
    const all = this.#files().filter(({ isPart }) => !isPart);
    const names = all.toSorted((one, other) => one.number - other.number).map((file) => this.#taken(file));
    return names.filter((name) => name !== null);
  }

  /** Writes results to a file of their own, and gives its name. Throws what the disk says. */
  put(results: readonly SentResult[]): string {
    const name = this.#nextName();
    this.#write(name, results);
    return name;
  }

  read(name: string): SentResult[] {
    const lines = readFileSync(join(this.#folder, name), "utf8").split("\n").slice(0, -1);
    return lines.map((text) => {
      const { body, countsAsTry, ...rest } = line.parse(JSON.parse(text));
      return {
        ...rest,
        ...(countsAsTry !== undefined && { countsAsTry }),
        body: body === null ? null : Buffer.from(body, "base64"),
      };
    });
  }

  remove(name: string): void {
    rmSync(join(this.#folder, name), { force: true });
  }

  /** Keeps a result that the database does not take, for people; returns its path. Nothing here reads it again. */
  keepAside(result: SentResult): string {
    const name = `batch-${result.batch}-job-${result.job}-attempt-${result.number}.set-aside`;
    this.#write(name, [result]);
    return join(this.#folder, name);
  }

  /** The same for a file that cannot be read. */
  setAside(name: string): string {
    const path = join(this.#folder, `${name}.set-aside`);
    renameSync(join(this.#folder, name), path);
    return path;
  }

  #write(name: string, results: readonly SentResult[]): void {
    const path = join(this.#folder, name);
    const part = `${path}.part`;
    try {
      const file = openSync(part, "w", 0o600);
      try {
        for (const result of results) writeSync(file, lineOf(result));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(part, path);
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
    syncFolder(this.#folder);
  }

  #nextName(): string {
    this.#number += 1;
    return `${lifeMark(this.#folder).slice(lifePrefix.length)}-${this.#number}.results`;
  }

  /** Its name as one of this process; null: another has it. */
  #taken({ name, owner }: SpoolFile): string | null {
    if (owner === lifeMark(this.#folder).slice(lifePrefix.length)) return name;
    if (this.#isLiving(owner)) return null;
    const own = this.#nextName();
    try {
      renameSync(join(this.#folder, name), join(this.#folder, own));
      return own;
    } catch (error) {
      // Another worker that starts has been faster.
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    }
  }

  /** Removes what processes that are gone have not finished. */
  #clean(): void {
    for (const { name, owner, isPart } of this.#files()) if (isPart && !this.#isLiving(owner)) this.remove(name);
  }

  #isLiving = (owner: string): boolean => isLiving(this.#folder, `${lifePrefix}${owner}`);

  #files(): SpoolFile[] {
    return readdirSync(this.#folder).flatMap((name) => {
      const [, owner, number, part] = fileName.exec(name) ?? [];
      return owner === undefined ? [] : [{ name, owner, number: Number(number), isPart: part !== undefined }];
    });
  }
}

function lineOf(result: SentResult): string {
  return `${JSON.stringify({ ...result, body: result.body === null ? null : result.body.toString("base64") })}\n`;
}

/** A file is found after a power cut only when its folder was written, too. Windows knows no such thing. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const opened = openSync(folder, "r");
  fsyncSync(opened);
  closeSync(opened);
}
