import { type MappedFile, watchFiles } from "./mapping-summary.ts";
import { type LeftOutRow, leftOutText } from "../../dataset/left-out.ts";
import { defaultEndpoint, endpointList, endpointNamed } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { findingText } from "../../dataset/finding.ts";
import type { Sheets } from "../../dataset/sheets.ts";
import { inspectDataset, type Inspection } from "../../dataset/inspect.ts";
import { AppError, type FileFault } from "../../errors.ts";
import { type DatasetPart, datasetPart } from "../../suite/dataset-part.ts";
import { type FormatFlags, formatFromFlags } from "../../suite/flags/format-flags.ts";
import { columnsRead } from "../../score/make.ts";
import { datasetOf, readOptionsOf } from "./suite-dataset.ts";
import { namesAsked } from "../../suite/prompts/body-templates.ts";
import { type FileOverrides, type LoadedSuite, loadSuite } from "../../suite/load.ts";
import type { Suite } from "../../suite/suite.ts";
import { chatText, learnFrom, openMapping, type TypedPrompt, withKey } from "./chat-export.ts";
import { checkHistory } from "./history-check.ts";
import { checkGates, type GateCases, isClustered } from "./gate-fit.ts";
import { typedSuite } from "../../suite/suite-path.ts";
import { whatRowsShow } from "./what-rows-show.ts";
import { checkSameBot } from "./prepare.ts";
import { type SheetWatch, watchSheet } from "./watch-sheet.ts";
import { mismatchLines, missingScorerLines, unreadLines } from "./scorer-fit.ts";
import { storedSources } from "./stored-answers.ts";

/** Everything that is wrong with a suite and its dataset. */
export interface SuiteCheck {
  /** null when the suite itself has faults. */
  suite: Suite | null;
  /** null when the dataset has faults. */
  cases: number | null;
  /** Findings in the dataset; null when the suite does not even name one. */
  dataset: Inspection | null;
  /** Files of the dataset, as they were understood. */
  files: MappedFile[];
  faults: FileFault[];
  /** The message of each error that was met, as a person should see it. */
  messages: string[];
  /** Warnings about the suite, and decisions for its dataset; suspicious rows are in `dataset`. */
  warnings: { where: string; message: string }[];
}

/** Advice for a dataset that cannot be sent. */
const correct = "Correct the rows and check again.";

interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  sheets: Sheets;
  skipInvalid: boolean;
  /** Laid over the suite file by flags. */
  over?: FileOverrides;
  /** Format of the dataset, by the flags. */
  format?: FormatFlags;
  /** Endpoint that a dataset would be sent to, when there is no suite. */
  endpoint?: string;
  /** Null or left out: a dataset alone has what it would send. */
  prompt?: TypedPrompt | null;
  /** The targets will be compared with a reference and not with each other. */
  hasReference?: boolean;
  onSkipped: (message: string) => void;
}

/**
 * Checks a suite and reads its whole dataset; faults of both are listed together where the suite says which dataset. A path
 * that is no .yaml is a dataset by itself.
 */
export async function checkSuite(path: string, surroundings: Surroundings): Promise<SuiteCheck> {
  const validity: SuiteCheck = {
    suite: null,
    cases: null,
    dataset: null,
    files: [],
    faults: [],
    messages: [],
    warnings: [],
  };
  let part: DatasetPart | null = null;
  let loaded: LoadedSuite | null = null;
  if (!/\.ya?ml$/i.test(path)) {
    await inspectPart(datasetAlone(path, surroundings.endpoint ?? defaultEndpoint), validity, surroundings);
    return validity;
  }
  try {
    loaded = await loadSuite(path, surroundings.env, surroundings.over);
    const { suite, warnings } = loaded;
    part = datasetOf(suite);
    validity.suite = suite;
    validity.warnings = warnings;
  } catch (error) {
    note(validity, error, path);
    part = await datasetPart(path);
  }
  const watch =
    loaded === null ? null : await watchSheet(loaded.suite, { errorOf: loaded.errorOf, proposesGroups: true });
  if (part !== null) await inspectPart(part, validity, { ...surroundings, watch });
  const attempt = (check: () => void): void => {
    try {
      check();
    } catch (error) {
      note(validity, error, path);
    }
  };
  const warnOf =
    (where: string) =>
    (message: string): void =>
      void validity.warnings.push({ where, message });
  watch?.checks.forEach(attempt);
  [...(watch?.groupFaults() ?? []), ...(watch?.groupsShow() ?? [])].forEach(warnOf("case"));
  watch?.scorerNotes().forEach(warnOf("scorers"));
  if (loaded === null) return validity;
  const { suite, errorOf } = loaded;
  if (surroundings.hasReference !== true)
    attempt(() => checkSameBot(suite, { env: surroundings.env, errorOf, onNotice: warnOf("targets") }));
  const { dataset } = validity;
  if (dataset === null) return validity;
  const { profile } = dataset;
  validity.dataset = { ...dataset, profile: { ...profile, columns: withReaders(profile.columns, suite) } };
  attempt(() => checkDecision(suite, profile, warnOf("gates")));
  scorerNotes(suite, profile).forEach(warnOf("scorers"));
  if (profile.turns > 1) attempt(() => checkHistory(suite, errorOf));
  return validity;
}

/** The columns with the scorers, and the templates of requests, that read them among their uses. */
function withReaders(columns: Inspection["profile"]["columns"], { scorers, targets }: Suite): typeof columns {
  const reads = [
    ...targets.map((target) => ({ use: `targets.${target.name}`, columns: namesAsked(target) })),
    ...scorers.map((spec) => ({ use: `scorers.${spec.name}`, columns: columnsRead(spec) })),
  ];
  return columns.map((column) => {
    const readers = reads.filter((each) => each.columns === "all" || each.columns.includes(column.name));
    return readers.length === 0 ? column : { ...column, uses: [...column.uses, ...readers.map(({ use }) => use)] };
  });
}

/** Says what gates cannot decide by so few rows. Throws SUITE_INVALID for gates that are mistakes whatever the answers are. */
function checkDecision(suite: Suite, profile: Inspection["profile"], onNotice: (message: string) => void): void {
  if (isClustered(suite) || (suite.compare?.candidates.length ?? 0) === 0) return;
  const counts = profiledCases(profile);
  checkGates(suite, counts, { isSelection: false, onNotice });
  whatRowsShow(suite, counts, typedSuite(suite)).forEach(onNotice);
}

/** Scorers that do not fit what is expected, and the lack of any. */
function scorerNotes(suite: Suite, { expected, columns }: Inspection["profile"]): string[] {
  const hasChecks = columns.some(({ uses }) => uses.includes("case.scorers") || uses.includes("promptfoo"));
  const about = { expected, hasChecks };
  return [...mismatchLines(suite, expected, null), ...missingScorerLines(suite, about), ...unreadLines(suite, about)];
}

function profiledCases({ cases, tags, columns }: Inspection["profile"]): GateCases {
  return {
    cases,
    clusters: null,
    questions: () => null,
    sizes: [],
    values: (tag) => {
      const found = tags.find((each) => each.tag === tag);
      const filled = columns.find(({ name }) => name === tag)?.filled ?? 0;
      if (found === undefined) return tag === "language" && filled > 0 ? [filled] : [];
      const reported = found.values.filter(({ value }) => value.trim() !== "").map((each) => each.cases);
      return found.others > 0 ? [...reported, found.others] : reported;
    },
  };
}

function datasetAlone(path: string, endpoint: string): DatasetPart {
  const named = endpointNamed(endpoint);
  if (named === null) {
    throw new AppError("USAGE", `--endpoint must be ${endpointList}, got "${endpoint}".`);
  }
  return {
    datasets: [path],
    mapping: openMapping,
    format: undefined,
    files: undefined,
    endpoints: [named],
    constants: [],
    asksItself: false,
    stored: [],
    named: [],
  };
}

async function inspectPart(
  part: DatasetPart,
  validity: SuiteCheck,
  surroundings: Surroundings & { watch?: SheetWatch | null },
): Promise<void> {
  const { skipInvalid, onSkipped, sheets } = surroundings;
  const format = formatFromFlags(surroundings.format ?? {}, part.format);
  const { mapping, stored, reported, isChat } = await learned({ ...part, format }, surroundings);
  if (reported !== null) validity.warnings.push({ where: "dataset", message: reported });
  const mappingSummary = watchFiles();
  const options = {
    ...readOptionsOf(part),
    mapping,
    format,
    stored,
    skipInvalid: skipInvalid || isChat,
    onSkipped: (left: LeftOutRow) => onSkipped(leftOutText(left)),
    onColumns: mappingSummary.onColumns,
    sheets,
  };
  const dataset = await inspectDataset(options, (found) => {
    mappingSummary.onCase(found);
    surroundings.watch?.onCase(found);
  });
  validity.files = mappingSummary.files;
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

/** The part with what the header of an export of chats says. */
async function learned(
  { datasets, mapping, format, endpoints: asked, stored }: DatasetPart,
  { sheets, prompt = null }: Pick<Surroundings, "sheets" | "prompt">,
) {
  const sources = storedSources({ targets: stored });
  const unchanged = { mapping, stored: sources, reported: null, isChat: false };
  if (mapping.input !== null || asked.every((endpoint) => endpointOf(endpoint).prompt === null)) return unchanged;
  const known = await learnFrom(datasets, { format, sheets, prompt }, mapping);
  const { chat } = known;
  if (chat === null) {
    const keyed = await withKey(known.mapping ?? mapping, { sheets, datasets, format, asked, header: known.header });
    return { ...unchanged, mapping: keyed };
  }
  const own = chat.stored === null || sources.length > 0 ? [] : [{ target: "stored", columns: chat.stored }];
  return {
    mapping: chat.mapping,
    stored: [...sources, ...own],
    reported: chatText(chat),
    isChat: true,
  };
}

function faultsText({ count, listed }: Inspection["faults"]): string {
  const more = count - listed.length;
  const rest = more > 0 ? [`  ... and ${more.toLocaleString("en")} more`] : [];
  const headline = `The dataset cannot be sent: ${count === 1 ? "1 fault" : `${count.toLocaleString("en")} faults`}:`;
  return [headline, ...listed.map((each) => `  ${findingText(each)}`), ...rest, correct].join("\n");
}

function note(validity: SuiteCheck, error: unknown, file: string): void {
  if (!(error instanceof AppError)) throw error;
  const message = [error.message, error.hint ?? ""].join(" ").trim();
  validity.messages.push(error.hint === null ? error.message : `${error.message}\n${error.hint}`);
  const whole = { file, line: null, column: null, message };
  validity.faults.push(...(error.faults.length > 0 ? error.faults : [whole]));
}
