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
import type { SentResult } from "./result.ts";

/** A result as a line of a file: its body as base64. */
const line = z.object({
  worker: z.string(),
  batch: z.number(),
  job: z.number(),
  number: z.number(),
  kind: z.string(),
  final: z.boolean(),
  failure: z.boolean(),
  spent: z.boolean(),
  cost: z.number().nullable(),
  costUnknown: z.boolean(),
  entry: z.string(),
  body: z.string().nullable(),
});

/** `PID-NUMBER.results`. */
const fileName = /^(\d+)-(\d+)\.results$/;

/**
 * Results on this machine's disk while the database is away: one file for each that was put there, readable by its
 * owner alone, safe when `put` has returned. Files that a worker has left which is gone are taken over.
 */
export class Spool {
  readonly #folder: string;
  #number: number;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#number = Math.max(0, ...this.#files().map(({ number }) => number));
  }

  /** Names of the files that are this worker's, or nobody's any more, oldest first. */
  left(): string[] {
    const own = this.#files().filter(({ pid }) => pid === process.pid || !isAlive(pid));
    return own.toSorted((one, other) => one.number - other.number).map(({ name }) => name);
  }

  /** Writes results to a file of their own, and gives its name. Throws what the disk says. */
  put(results: readonly SentResult[]): string {
    this.#number += 1;
    const name = `${process.pid}-${this.#number}.results`;
    const path = join(this.#folder, name);
    const file = openSync(`${path}.part`, "wx", 0o600);
    try {
      for (const result of results) writeSync(file, lineOf(result));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(`${path}.part`, path);
    syncFolder(this.#folder);
    return name;
  }

  read(name: string): SentResult[] {
    const lines = readFileSync(join(this.#folder, name), "utf8").split("\n").slice(0, -1);
    return lines.map((text) => {
      const { body, ...rest } = line.parse(JSON.parse(text));
      return { ...rest, body: body === null ? null : Buffer.from(body, "base64") };
    });
  }

  remove(name: string): void {
    rmSync(join(this.#folder, name), { force: true });
  }

  #files(): { name: string; pid: number; number: number }[] {
    return readdirSync(this.#folder).flatMap((name) => {
      const [, pid, number] = fileName.exec(name) ?? [];
      return number === undefined ? [] : [{ name, pid: Number(pid), number: Number(number) }];
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
