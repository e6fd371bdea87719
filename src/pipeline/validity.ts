import { findingText } from "../dataset/finding.ts";
import { inspectDataset, type Inspection } from "../dataset/inspect.ts";
import { AppError, type FileFault } from "../errors.ts";
import { type DatasetPart, datasetPart } from "../suite/dataset-part.ts";
import { loadSuite } from "../suite/load.ts";
import type { Suite } from "../suite/suite.ts";

/** Everything that is wrong with a suite and its dataset. */
export interface Validity {
  /** null when the suite itself has faults. */
  suite: Suite | null;
  /** null when the dataset has faults. */
  cases: number | null;
  /** What was found in the dataset; null when the suite does not even say which. */
  dataset: Inspection | null;
  faults: FileFault[];
  /** The message of each error that was met, as a person should see it. */
  messages: string[];
  /** About the suite, and what was decided for its dataset; suspicious rows are in `dataset`. */
  warnings: { where: string; message: string }[];
}

/** What is done about a dataset that cannot be sent. */
const correct = "Correct the rows and check again.";

interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  folder: string;
  standardInput: AsyncIterable<Uint8Array>;
  skipInvalid: boolean;
  onSkipped: (message: string) => void;
}

/** Checks a suite and reads its whole dataset; faults of both are listed together where the suite says which dataset. */
export async function checkSuite(path: string, surroundings: Surroundings): Promise<Validity> {
  const validity: Validity = { suite: null, cases: null, dataset: null, faults: [], messages: [], warnings: [] };
  let part: DatasetPart | null = null;
  try {
    const { suite, warnings } = await loadSuite(path, surroundings.env);
    const endpoints = [...new Set(suite.targets.map(({ endpoint }) => endpoint))];
    part = { datasets: suite.datasets, mapping: suite.mapping, format: suite.format, endpoints };
    validity.suite = suite;
    validity.warnings = warnings;
  } catch (error) {
    note(validity, error, path);
    part = await datasetPart(path);
  }
  if (part !== null) await inspectPart(part, validity, surroundings);
  return validity;
}

async function inspectPart(part: DatasetPart, validity: Validity, surroundings: Surroundings): Promise<void> {
  const { mapping, format, endpoints, datasets: files } = part;
  const { skipInvalid, onSkipped, standardInput, folder } = surroundings;
  const dataset = await inspectDataset({
    files,
    mapping,
    format,
    endpoints,
    skipInvalid,
    onSkipped,
    standardInput,
    folder,
  });
  const { faults, notices, profile } = dataset;
  validity.dataset = dataset;
  for (const { file, line, character, message, hint } of faults.listed) {
    const advised = hint === null ? message : `${message}. ${hint}`;
    validity.faults.push({ file, line, column: character, message: advised });
  }
  for (const notice of notices) validity.warnings.push({ where: "dataset", message: notice });
  if (faults.count === 0) validity.cases = profile.cases;
  else validity.messages.push(faultsText(faults));
}

function faultsText({ count, listed }: Inspection["faults"]): string {
  const more = count - listed.length;
  const rest = more > 0 ? [`  ... and ${more.toLocaleString("en")} more`] : [];
  const headline = `The dataset cannot be sent: ${count === 1 ? "1 fault" : `${count.toLocaleString("en")} faults`}:`;
  return [headline, ...listed.map((each) => `  ${findingText(each)}`), ...rest, correct].join("\n");
}

function note(validity: Validity, error: unknown, file: string): void {
  if (!(error instanceof AppError)) throw error;
  const message = [error.message, error.hint ?? ""].join(" ").trim();
  validity.messages.push(error.hint === null ? error.message : `${error.message}\n${error.hint}`);
  const whole = { file, line: null, column: null, message };
  validity.faults.push(...(error.faults.length > 0 ? error.faults : [whole]));
}
