import { basename } from "node:path";
import type { Endpoint } from "../api/api.ts";
import { AppError } from "../errors.ts";
import type { CaseMapping, DatasetFormat } from "../suite/suite.ts";
import { CaseMaker } from "./cases/case-maker.ts";
import type { Case } from "./case.ts";
import type { CheckReader } from "./cases/checks.ts";
import { fileColumn } from "./table/column.ts";
import { FindingList } from "./finding.ts";
import { withReplay } from "./replay.ts";
import { openRows, shownPath } from "./table/rows.ts";
import type { StoredSource } from "./cases/stored.ts";
import { type TurnOrder, turnsByTime } from "./cases/turn-order.ts";

/** What to read, and how its columns become cases. */
export interface ReadOptions {
  /**
   * Paths; `-` is standard input. The ending decides: `.jsonl` and `.ndjson` are JSON Lines, anything else is a table;
   * each may be packed with gzip.
   */
  files: readonly string[];
  mapping: CaseMapping;
  /** How the files are written; what it does not say is found. */
  format?: DatasetFormat | undefined;
  /** Endpoints of the targets: they decide what a blank case is and what maps itself. */
  endpoints: readonly Endpoint[];
  /** Targets whose answers are columns of the dataset. */
  stored?: readonly StoredSource[];
  /** Reads the checks of a row (promptfoo's, or those of `mapping.scorers`); without it they are not looked at. */
  checks?: CheckReader;
  /** Leaves out blank cases instead of refusing the dataset. Default: false. */
  skipInvalid?: boolean;
  /** Told of every row that is left out: a blank case, or a row without any content. */
  onSkipped?: (message: string) => void;
  /** Told of what was decided for a file and may not be what was meant: its encoding, a column, what is not looked at. */
  onNotice?: (message: string) => void;
  /** What `-` reads. */
  standardInput?: AsyncIterable<Uint8Array>;
  /** Paths inside of this folder are shown relative to it. */
  folder?: string | null;
}

/** Cases in one array of what is yielded, at most. */
const pageSize = 100;

/**
 * The cases of a dataset, streamed: memory does not grow with the file. Faults are collected and raised at the end as one
 * DATASET_INVALID that lists the first 50; after the first no further case is yielded, and what was yielded must be dropped.
 * A missing file raises DATASET_NOT_FOUND, a mapped column that is not there COLUMN_UNKNOWN, both at once.
 */
export async function* readDataset(given: ReadOptions): AsyncGenerator<Case[], void, undefined> {
  const { options, close } = await withReplay(given);
  try {
    yield* readCases(options, await turnsByTime(options));
  } finally {
    await close();
  }
}

async function* readCases(options: ReadOptions, order: TurnOrder | null): AsyncGenerator<Case[], void, undefined> {
  const { onSkipped } = options;
  const faults = new FindingList();
  const onNotice = options.onNotice ?? (() => undefined);
  const maker = new CaseMaker({ ...options, order, faults, onNotice, onProblems: raise, withFile: needsFile(options) });
  const nameOf = fileNames(options.files);
  const onEmpty = ({ file, row, line }: Case["source"]): void =>
    onSkipped?.(`${file}:${line} (row ${row}) has no content`);
  for (const path of options.files) {
    const file = shownPath(path, options.folder ?? null);
    maker.startFile(file, nameOf(path, file));
    let page: Case[] = [];
    const { rows: batches } = openRows(path, file, { ...options, faults, onNotice, onEmpty, keepText: false });
    for await (const { header, rows } of batches) {
      await maker.useHeader(header);
      for (const row of rows) {
        const made = maker.make(row);
        if (made === null || faults.count > 0) continue;
        page.push(made);
        if (page.length === pageSize) {
          yield page;
          page = [];
        }
      }
    }
    maker.endFile();
    if (page.length > 0 && faults.count === 0) yield page;
  }
  if (faults.count > 0) throw faults.error();
}

/** Rows get the name of their file when there are several, or when the mapping asks for it. */
export function needsFile({ files, mapping }: Pick<ReadOptions, "files" | "mapping">): boolean {
  return files.length > 1 || JSON.stringify(mapping).includes(fileColumn);
}

/** What the column of file names holds: the name without its folder where that tells the files apart. */
export function fileNames(files: readonly string[]): (path: string, shown: string) => string {
  const names = files.map((path) => basename(path));
  const differ = new Set(names).size === files.length;
  return (path, shown) => (differ && path !== "-" ? basename(path) : shown);
}

function raise(problems: readonly AppError[]): void {
  const [first, ...others] = problems;
  if (first === undefined) return;
  if (others.length === 0) throw first;
  const lines = problems.map(({ message, hint }) => (hint === null ? message : `${message} ${hint}`));
  throw new AppError(first.code, lines.join("\n"));
}
