import { basename } from "node:path";
import { AppError } from "../errors.ts";
import { CaseMaker } from "./cases/case-maker.ts";
import type { Case } from "./case.ts";
import { fileColumn } from "../lib/file-column.ts";
import { noticingData } from "./lint/data-in-header.ts";
import { FindingList } from "./finding.ts";
import { turnsByTime } from "./cases/turn-order.ts";
import type { ReadDatasetOptions } from "./read-options.ts";

/** Cases in one array of what is yielded, at most. */
const pageSize = 100;

/**
 * The cases of a dataset, streamed: memory does not grow with the file. Faults are collected and raised at the end as one
 * DATASET_INVALID that lists the first 50; after the first no further case is yielded, and what was yielded must be dropped.
 * A missing file raises DATASET_NOT_FOUND, a mapped column that is not there COLUMN_UNKNOWN, both at once.
 */
export async function* readDataset(options: ReadDatasetOptions): AsyncGenerator<Case[], void, undefined> {
  const { onSkipped } = options;
  const faults = new FindingList();
  const onNotice = options.onNotice ?? (() => undefined);
  const maker = new CaseMaker({
    ...options,
    files: options.fileSettings,
    order: await turnsByTime(options),
    faults,
    onNotice,
    onProblems: raise,
    withFile: needsFile(options),
  });
  const nameOf = fileNames(options.files);
  const onEmpty = (place: Case["source"]): void => onSkipped?.({ ...place, why: "has no content" });
  for (const path of options.files) {
    const table = options.sheets.table(path);
    maker.startFile(table.file, nameOf(path, table.file));
    let page: Case[] = [];
    const { facts, rows: read } = table.rows({ ...options, faults, onNotice, onEmpty });
    const batches = noticingData(read, facts, { ...options, onNotice });
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
    options.onFile?.(facts);
    if (page.length > 0 && faults.count === 0) yield page;
  }
  if (faults.count > 0) throw faults.error();
}

/** Rows get the name of their file when there are several, or when the mapping asks for it. */
export function needsFile({ files, mapping }: Pick<ReadDatasetOptions, "files" | "mapping">): boolean {
  return files.length > 1 || JSON.stringify(mapping).includes(fileColumn);
}

/** Makes the values of the column of file names: the name without its folder if that tells the files apart. */
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
