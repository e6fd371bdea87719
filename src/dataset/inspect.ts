import type { Case } from "./case.ts";
import { AppError } from "../errors.ts";
import { CaseMaker } from "./cases/case-maker.ts";
import { FindingList, type Finding, type NewFinding } from "./finding.ts";
import { noticingData } from "./lint/data-in-header.ts";
import { Linter } from "./lint/lint.ts";
import { ProfileMaker, type DatasetProfile } from "./lint/profile.ts";
import { fileNames, needsFile } from "./read.ts";
import type { ReadDatasetOptions } from "./read-options.ts";
import { turnsByTime } from "./cases/turn-order.ts";

/** Findings in the order of the files: all are counted, the first of each kind are listed. */
interface Findings {
  count: number;
  /** Numbers by kind. */
  counts: Record<string, number>;
  listed: readonly Finding[];
}

/** Everything there is to say about a dataset before it is sent. */
export interface Inspection {
  /** Faults that keep it from being sent; none when `count` is 0. */
  faults: Findings;
  /** Findings in rows that can be sent but are probably not meant so. */
  warnings: Findings;
  /** Decisions about a file that may not be the ones that were meant. */
  notices: string[];
  profile: DatasetProfile;
}

/**
 * Number of findings listed of each kind, and in all: more of the faults, because every one of them has to be
 * corrected.
 */
const listed = { faults: { ofKind: 200, all: 1_000 }, warnings: { ofKind: 20, all: 500 } };

/**
 * Reads a whole dataset once and tells what is wrong with it, what is suspicious, and what it is made of. Memory does not grow
 * with the file. Faults of the data, of the mapping and files that cannot be read are faults here; none is raised. `onCase` takes each
 * case.
 */
export async function inspectDataset(
  options: ReadDatasetOptions,
  onCase: (found: Case) => void = () => {},
): Promise<Inspection> {
  const faults = new FindingList(listed.faults);
  const warnings = new FindingList(listed.warnings);
  const notices: string[] = [];
  const onNotice = (message: string): void => {
    notices.push(message);
    options.onNotice?.(message);
  };
  const note = (error: AppError, file: string): void => faults.add(faultOf(error, file));
  const onProblems = (problems: readonly AppError[], file: string): void => {
    for (const problem of problems) note(problem, file);
  };
  const order = await turnsByTime({ ...options, onNotice });
  const maker = new CaseMaker({
    ...options,
    files: options.fileSettings,
    order,
    faults,
    onNotice,
    onProblems,
    withFile: needsFile(options),
  });
  const linter = new Linter(warnings, maker, options.mapping);
  const profile = new ProfileMaker(options.mapping);
  const nameOf = fileNames(options.files);
  for (const path of options.files) {
    const table = options.sheets.table(path);
    const { file } = table;
    maker.startFile(file, nameOf(path, file));
    const reading = { ...options, faults, onNotice, onEmpty: () => undefined };
    const { facts, rows: read } = table.rows(reading);
    const batches = noticingData(read, facts, reading);
    profile.startFile(facts);
    try {
      for await (const { header, rows } of batches) {
        await maker.useHeader(header);
        const { shape } = maker;
        if (shape === null) continue;
        for (const row of rows) {
          const made = maker.make(row);
          profile.addRow(shape, row);
          linter.look({ shape, file, row }, made);
          if (made === null) continue;
          profile.addCase(made);
          onCase(made);
        }
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // The findings that DATASET_INVALID lists were noted before it was raised.
      if (error.code !== "DATASET_INVALID") note(error, file);
    }
    linter.endFile(maker.shape, file);
    maker.endFile();
  }
  const files = options.files.map((path) => options.sheets.table(path).file);
  const { profile: made } = profile;
  return { faults: findings(faults, files), warnings: findings(warnings, files), notices, profile: made };
}

/** A fault of a whole file, without its name, which the list says. */
function faultOf({ code, message: whole, hint }: AppError, file: string): NewFinding {
  const kind = code === "DATASET_NOT_FOUND" ? "unreadable" : "mapping";
  const said = whole.startsWith(`${file} `) ? whole.slice(file.length + 1) : whole;
  return { kind, file, row: null, line: kind === "mapping" ? 1 : null, message: said.replace(/\.$/, ""), hint };
}

function findings({ count, counts, listed: kept }: FindingList, files: readonly string[]): Findings {
  const inOrder = kept.toSorted(
    (a, b) =>
      files.indexOf(a.file) - files.indexOf(b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.character ?? 0) - (b.character ?? 0),
  );
  return { count, counts, listed: inOrder };
}
