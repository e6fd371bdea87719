import type { Check } from "../app/doctor/doctor.ts";
import type { FirstCall } from "../app/doctor/first-call.ts";
import type { Explanation } from "../app/grade/explain.ts";
import type { ScoreReport } from "../app/grade/score-report.ts";
import type { Agreement } from "../app/labels/agreement.ts";
import type { CheckPlan, JudgeCheckReport } from "../app/judge/check-judge.ts";
import type { MadeDraw } from "../app/compare/label-draw.ts";
import type { Imported } from "../app/labels/labels.ts";
import type { storedVersion } from "../lib/stored-version.ts";
import type { SuiteCheck } from "../app/plan/check-suite.ts";
import type { SuitePlan } from "../app/plan/estimate.ts";
import type { PowerPlan } from "../app/plan/power.ts";
import type { ScoresSent } from "../app/scores/send-scores.ts";
import type { SpansSent } from "../app/spans/send-spans.ts";
import type { Finding } from "../dataset/finding.ts";
import type { FileFault } from "../errors.ts";
import type { Roles } from "../init/roles.ts";
import type { TimedHistory } from "../report/model/timed-alarm.ts";
import type { JudgeWatch } from "../report/shape/judge-watch.ts";
import type { Verdict } from "../report/shape/model.ts";
import type { RunSummary } from "../report/shape/run-summary.ts";
import type { Batch } from "../store/batches.ts";
import type { ShownRubric } from "../score/rubrics/shown.ts";
import type { FoundRecord } from "../store/results/run-records.ts";
import type { Scoring } from "../store/scores/scores.ts";
import type { BatchSummary, ShownTarget, SuiteNight } from "./commands/batches/batches.text.ts";
import type { WorkersOverview } from "../workers/watch.ts";

/** The version of all that tandem writes: it is raised when a member changes its meaning or goes away. */
interface Versioned {
  version: typeof storedVersion;
}

type Unversioned<Output> = Output extends Versioned ? Omit<Output, "version"> : never;

/** The same as the commands give it: the version is printed with it. */
export type JsonData = { [Name in keyof JsonOutputs]: Unversioned<JsonOutputs[Name]> };

/**
 * The JSON that each command prints with --json. `npm run build:types` makes a JSON Schema of each member, with these
 * comments: dist/schemas/json.
 */
interface JsonOutputs {
  run: RunOutput | RunningNightOutput;
  check: CheckOutput | FirstCallOutput;
  init: InitOutput | ConvertedOutput;
  score: ScoreOutput | ExplanationOutput | ScoringsOutput;
  label: DrawnLabelsOutput | ExportedLabelsOutput | ImportedLabelsOutput | AgreementOutput;
  judge: JudgeCheckOutput | JudgeCheckPlanOutput | RubricsOutput;
  pin: PinsOutput;
  report: ReportOutput;
  export: ExportOutput;
  send: SpansOutput | SendScoresOutput;
  batches: BatchesOutput | SuiteNightsOutput | BatchOutput | RecordsOutput | RemovalOutput;
  history: HistoryOutput;
  view: ViewOutput;
  serve: ServeOutput;
  completion: CompletionOutput;
  workers: WorkersOutput;
  /** Printed by any command that could not do what was asked, which ends with another exit code than 0, 1 and 4. */
  error: ErrorOutput;
}

/** Ready rubrics for judges: the one that was named, or all. */
interface RubricsOutput extends Versioned {
  rubrics: readonly ShownRubric[];
}

/** Workers, their batches and accounts, after what was asked is done. */
interface WorkersOutput extends Versioned, WorkersOverview {}

/** The summary of a batch that was run or is compared again; see json.md for what its figures mean. */
interface RunOutput extends Versioned, RunSummary {}

/** The process that spends the night of a suite already, so that this one has nothing to do. */
interface RunningNightOutput extends Versioned {
  suite: string;
  running: { pid: number; host: string; since: string };
}

/** Checks of suite, sheet, machine and services; where these are in order, also what a run would send and take. */
interface CheckOutput
  extends Versioned, Pick<SuiteCheck, "cases" | "faults" | "dataset">, Partial<Omit<SuitePlan, "cases" | "warnings">> {
  /** Suite and sheet have no faults. */
  valid: boolean;
  /** Nothing at all would keep a run from working. */
  ok: boolean;
  /** The machine and the services. */
  checks: Check[];
  /** Sentences on what may be meant otherwise. Suspicious rows are in `dataset`. */
  warnings: string[];
  /** With --power: the drop that the gates would find. */
  power?: PowerPlan;
}

/** One call to an endpoint (--url). */
interface FirstCallOutput extends Versioned, Omit<FirstCall, "parts"> {
  /** Lines of a suite that ask it so, as YAML. */
  suite: string;
}

interface WrittenSuite extends Versioned {
  /** Path of the suite. */
  suite: string;
  /** Rows that can be sent and are suspicious, the first of each kind: `tandem check` lists them all. */
  warnings: readonly Finding[];
  /** Paths of the files that were written. */
  files: string[];
  /** The command that comes next. */
  next: string;
}

/** A suite that was written for a sheet. */
interface InitOutput extends WrittenSuite {
  /** The columns, by their purpose. */
  roles: Roles;
}

/** A suite that was made of promptfoo's files. */
interface ConvertedOutput extends WrittenSuite {
  /** Number of tests. */
  tests: number;
  /** Parts that are not in the suite, in words. */
  left: string[];
}

/** One case as each scorer sees it (--explain). */
interface ExplanationOutput extends Versioned, Explanation {}

/** The results of a scoring. */
interface ScoreOutput extends Versioned, ScoreReport {}

/** Every scoring of a batch (--list). */
interface ScoringsOutput extends Versioned {
  /** Name of the batch. */
  batch: string;
  /** The one that counts last. */
  scorings: Scoring[];
}

/** Cases were drawn for people to label. */
interface DrawnLabelsOutput extends Versioned, MadeDraw {
  /** Name of the batch. */
  batch: string;
  /** Path of the sheet; null: none was written. */
  file: string | null;
}

/** A sheet of answers to label was written. */
interface ExportedLabelsOutput extends Versioned {
  /** Name of the batch. */
  batch: string;
  /** Path of the sheet. */
  file: string;
}

/** Labels were stored. */
interface ImportedLabelsOutput extends Versioned, Imported {
  /** Name of the batch. */
  batch: string;
}

/** Agreement of scorers and people. */
interface AgreementOutput extends Versioned, Agreement {}

/** The results of a check of a judge. */
interface JudgeCheckOutput extends Versioned, JudgeCheckReport {}

/** The questions that a check of a judge would ask (--dry-run). */
interface JudgeCheckPlanOutput extends Versioned, CheckPlan {}

/** All pins. */
interface PinsOutput extends Versioned {
  pins: {
    name: string;
    /** ISO 8601. */
    createdAt: string;
    /** Names of its batches. */
    batches: string[];
  }[];
}

/** Reports that were written. */
interface ReportOutput extends Versioned {
  /** Name of the batch. */
  batch: string;
  verdict: Verdict;
  files: { path: string; format: string }[];
}

/** A table that was written. */
interface ExportOutput extends Versioned {
  /** Name of the batch. */
  batch: string;
  /** A line for each job, or for each case. */
  form: "runs" | "comparison";
  /** Path of the table. */
  file: string;
}

/** Spans that were sent. */
interface SpansOutput extends Versioned, SpansSent {}

/** Scores that were sent to Langfuse, or would be. */
interface SendScoresOutput extends Versioned, ScoresSent {
  /** False: nothing was sent (--dry-run). */
  isSent: boolean;
}

/** The batches of a results folder. */
interface BatchesOutput extends Versioned {
  /** The latest last. */
  batches: BatchSummary[];
}

/** The batches of one suite (--suite). */
interface SuiteNightsOutput extends Versioned {
  /** The latest last. */
  batches: SuiteNight[];
}

/** One batch. */
interface BatchOutput extends Versioned, BatchSummary, Pick<Batch, "seed" | "suiteHash" | "datasetHash"> {
  /** Version of tandem. */
  tandem: string;
  targets: ShownTarget[];
}

/** The records with the id of a run, over all batches. */
interface RecordsOutput extends Versioned {
  records: FoundRecord[];
}

/** Batches that were removed. */
interface RemovalOutput extends Versioned {
  removed: { name: string; jobs: number }[];
  /** Batches that were left although they were chosen, and why. */
  staying: { name: string; reason: string }[];
  /** Bytes given back to the disk; null: later. */
  freedBytes: number | null;
}

/** The nights of a suite. */
interface HistoryOutput extends Versioned, TimedHistory {
  /** Its judges that are watched by the questions of their check; empty: none is. */
  judges: JudgeWatch[];
}

/** A viewer that answers. */
interface ViewOutput extends Versioned {
  /** Its address, with the token that lets one in. */
  url: string;
}

/** A local deployment that answers. */
interface ServeOutput extends Versioned {
  baseUrl: string;
}

interface CompletionOutput extends Versioned {
  shell: "bash" | "zsh" | "fish";
  script: string;
}

/** An expected error. */
interface ErrorOutput extends Versioned {
  error: {
    /** As in errors.md. */
    code: string;
    message: string;
    /** Advice. */
    hint: string | null;
    /** Every fault that was found, with its place. */
    faults: readonly FileFault[];
  };
}
