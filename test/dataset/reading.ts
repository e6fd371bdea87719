import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Case } from "../../src/dataset/case.ts";
import { inspectDataset as inspect, type Inspection } from "../../src/dataset/inspect.ts";
import { readDataset as readCases } from "../../src/dataset/read.ts";
import type { ReadDatasetOptions } from "../../src/dataset/read-options.ts";
import { Sheets } from "../../src/dataset/sheets.ts";
import { AppError } from "../../src/errors.ts";
import type { CaseMapping } from "../../src/suite/suite.ts";

/** A mapping that leaves everything open but what is given. */
export function mapping(given: Partial<CaseMapping> = {}): CaseMapping {
  return { key: null, input: null, expected: null, cluster: null, turn: null, opening: null, tags: [], ...given };
}

/** How a dataset is read by sheets that are opened for it alone. */
export type Reading = Omit<ReadDatasetOptions, "sheets"> & {
  folder?: string;
  standardInput?: AsyncIterable<Uint8Array>;
  chunkSize?: number;
};

function openSheets({ folder, standardInput, chunkSize }: Reading): Sheets {
  return new Sheets({
    folder: folder ?? null,
    ...(standardInput !== undefined && { standardInput: () => standardInput }),
    ...(chunkSize !== undefined && { chunkSize }),
  });
}

export async function* readDataset(reading: Reading): AsyncGenerator<Case[]> {
  using sheets = openSheets(reading);
  yield* readCases({ ...reading, sheets });
}

export async function inspectDataset(reading: Reading): Promise<Inspection> {
  using sheets = openSheets(reading);
  return await inspect({ ...reading, sheets });
}

type Given = Partial<CaseMapping> & { options?: Partial<Reading>; name?: string };

/** Writes a real file and reads it as cases. */
export async function read(content: string | Buffer, given: Given = {}): Promise<Case[]> {
  const { options, name = "prompts.csv", ...columns } = given;
  const folder = await mkdtemp(join(tmpdir(), "tandem-dataset-"));
  const file = join(folder, name);
  await writeFile(file, content);
  try {
    return await collect({ files: [file], mapping: mapping(columns), endpoints: ["video-bots"], folder, ...options });
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function collect(options: Reading): Promise<Case[]> {
  const cases: Case[] = [];
  for await (const page of readDataset(options)) cases.push(...page);
  return cases;
}

/** Code, message and hint of the AppError that reading ends with. */
export async function faultOf(content: string | Buffer, given: Given = {}): Promise<string> {
  const error: unknown = await read(content, given).then(
    () => null,
    (cause: unknown) => cause,
  );
  if (error instanceof AppError) return `${error.code} ${error.message} ${error.hint ?? ""}`;
  throw new Error("no AppError was raised", { cause: error });
}
