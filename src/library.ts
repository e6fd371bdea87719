import type { FailOn } from "./errors.ts";
import type { RunContext } from "./app/context.ts";
import { steadyNow } from "./lib/clock.ts";
import { openAccess } from "./cli/access.ts";
import { resumeBatch, storedToResume } from "./app/resume.ts";
import { runSuite } from "./app/run.ts";
import { compareBatch, reportBatch } from "./app/compare.ts";
import { withChatMapping } from "./app/plan/chat-export.ts";
import { Sheets } from "./dataset/sheets.ts";
import { localSender } from "./app/send/local-sender.ts";
import type { ScoreReport } from "./app/grade/score-report.ts";
import { scoreStored, storedSuite } from "./app/grade/score-stored.ts";
import type { WantedReport } from "./app/report/report-writer.ts";
import { removeAllLeftovers } from "./lib/leftovers.ts";
import { defaultResults } from "./lib/paths/results-folder.ts";
import type { ReportSummary } from "./report/shape/model.ts";
import type { RunSummary } from "./report/shape/run-summary.ts";
import { Budget, type BudgetLimits } from "./runner/budget.ts";
import type { QueueEvent } from "./runner/queue-event.ts";
import { databasePath, openDatabase } from "./store/database.ts";
import { checkAddresses } from "./suite/address.ts";
import { loadSuite, type LoadedSuite } from "./suite/load.ts";
import type { Suite } from "./suite/suite.ts";
import { usedDeployments } from "./suite/used.ts";

/** Options that every call of the library takes. */
export interface LibraryOptions {
  /** The results folder; default `results`. */
  out?: string;
  /** The environment with the API keys; default `process.env`. */
  env?: NodeJS.ProcessEnv;
  /** Limits of the run's spending; default: no limit. */
  limits?: Partial<BudgetLimits>;
  /** Takes over what judges replied to the same question before; default true. */
  cache?: boolean;
  /** Tries the scorers, and sends one case to each target, before the rest; default true. */
  preflight?: boolean;
  /** Reports to be written beside those that the suite asks for. */
  reports?: WantedReport[];
  /** When it aborts, nothing more is sent; what is in flight is finished, and the batch can be resumed. */
  signal?: AbortSignal;
  onEvent?: (event: QueueEvent) => void;
  /** Called with the messages that a person would see on standard error. */
  onNotice?: (message: string) => void;
}

export interface RunOptions extends LibraryOptions {
  /** Path of a suite file, or one that was loaded; a suite alone may not run modules and commands. */
  suite: string | LoadedSuite | Suite;
  /** Orders the cases; default `1`. */
  seed?: string;
  /** A pin, an exported pin's file or a batch to compare the targets with; left out: with each other. */
  against?: string;
  /** Leaves out blank cases instead of refusing the dataset; default false. */
  skipInvalid?: boolean;
}

/** The result of a run, and the exit code that the command would end with. */
export interface RunResult {
  summary: RunSummary;
  /** The content of every report: verdict, gates, targets, slices. */
  model: ReportSummary;
  exitCode: number;
}

/** `tandem run`: dataset to reports. Throws AppError where the command would end with a message. */
export async function run(options: RunOptions): Promise<RunResult> {
  const { env = process.env, onNotice = () => {} } = options;
  const { suite: given, trust, errorOf } = await named(options.suite, env);
  using sheets = new Sheets({ folder: process.cwd(), standardInput: () => process.stdin });
  const { suite } = await withChatMapping(given, { sheets, onNotice });
  return await withRun({ suite, trust }, usedDeployments(suite), options, (opened) =>
    runSuite(opened, {
      ...(options.seed !== undefined && { seed: options.seed }),
      against: options.against ?? null,
      skipInvalid: options.skipInvalid ?? false,
      errorOf,
      onNotice,
      onSkipped: (messages) => messages.forEach((message) => onNotice(`left out: ${message}`)),
      sheets,
      env,
    }),
  );
}

/** `tandem resume`: the rest of a batch, from the database alone; without a name the latest that is not finished. */
export async function resume(
  options: LibraryOptions & { batch?: string; onInDoubt?: Suite["onInDoubt"]; waitForServiceMs?: number } = {},
): Promise<RunResult> {
  const { out = defaultResults, env = process.env, onInDoubt = null, waitForServiceMs = null } = options;
  const { name, suite } = storedToResume(out, options.batch ?? null, { isHere: true, waitForServiceMs });
  checkAddresses(suite, env);
  return withRun({ suite, trust: null }, suite.deployments, options, (opened) =>
    resumeBatch(opened, name, { onInDoubt }),
  );
}

export interface ScoreOptions extends LibraryOptions {
  /** Its name, `SUITE~N` or `latest`, which is the default. */
  batch?: string;
  /**
   * Path of a suite file whose scorers are used, or one that was loaded; a suite alone may not run modules and commands.
   * Default: the batch's own.
   */
  suite?: string | LoadedSuite | Suite;
  /** Grades although neither scorers nor answers are new; default false. */
  again?: boolean;
}

/** `tandem score`: grades the stored answers of a batch again; the exit code is 3 when judges could not all be asked. */
export async function score(options: ScoreOptions = {}): Promise<{ report: ScoreReport; exitCode: number }> {
  const { out = defaultResults, env = process.env, again = false } = options;
  const given = options.suite === undefined ? { suite: null, trust: null } : await named(options.suite, env);
  const { batch, suite } = storedSuite(out, options.batch ?? "latest", given.suite);
  const deployments = usedDeployments({ ...suite, targets: [] });
  return withRun({ suite, trust: given.trust }, deployments, options, async (opened) => {
    const scored = await scoreStored(opened, batch, { readsExpected: given.suite !== null, again });
    return { report: scored.report, exitCode: scored.exitCode };
  });
}

async function named(
  given: string | LoadedSuite | Suite,
  env: NodeJS.ProcessEnv,
): Promise<Pick<LoadedSuite, "suite" | "trust"> & Partial<Pick<LoadedSuite, "errorOf">>> {
  if (typeof given === "string") return loadSuite(given, env);
  return "trust" in given ? given : { suite: given, trust: null };
}

export interface CompareOptions {
  out?: string;
  /** Reports to be written beside those that the suite asks for. */
  reports?: WantedReport[];
  /** Its name, `SUITE~N` or `latest`. */
  batch?: string;
  /** Sides to compare instead of a batch, such as `nightly~1:prod`, the baseline first. */
  sides?: string[];
  /** A pin, an exported pin's file or a batch that the batch is compared with. */
  against?: string;
  /** Verdicts that are failures too: `worse` (exit code 1), `inconclusive` (exit code 4); default neither. */
  failOn?: FailOn;
}

/** `tandem compare`: what stored batches came to; no network. */
export async function compare(options: CompareOptions = {}): Promise<RunResult> {
  return compareBatch({
    out: options.out ?? defaultResults,
    sides: options.sides ?? [options.batch ?? "latest"],
    against: options.against ?? null,
    failOn: options.failOn ?? [],
    reports: options.reports ?? [],
  });
}

/** `tandem report`: writes reports of a stored batch again, those of its suite when none are named; no network. */
export async function report(
  options: { out?: string; batch?: string; against?: string; reports?: WantedReport[] } = {},
): Promise<{ model: ReportSummary; written: readonly WantedReport[] }> {
  const { out = defaultResults, batch = "latest", against = null, reports = [] } = options;
  return reportBatch({ out, batch, against, reports });
}

/** Looks up keys, starts embedded deployments and opens the database around the work, and closes them whatever comes of it. */
async function withRun<Result>(
  given: Pick<RunContext, "suite" | "trust">,
  deployments: Suite["deployments"],
  options: LibraryOptions,
  work: (run: RunContext) => Promise<Result>,
): Promise<Result> {
  const { out = defaultResults, env = process.env, signal } = options;
  const { access, close } = await openAccess(deployments, env);
  try {
    removeAllLeftovers(out);
    using db = openDatabase(databasePath(out));
    const limits = { requests: null, cost: null, durationMs: null, failures: null, ...options.limits };
    return await work({
      ...given,
      db,
      out,
      sender: localSender(access),
      budget: new Budget(limits, steadyNow()),
      cache: options.cache ?? true,
      preflight: options.preflight ?? true,
      failOn: [],
      reports: options.reports ?? [],
      onNotice: (message) => options.onNotice?.(message),
      onEvent: (event) => options.onEvent?.(event),
      onRunner(runner) {
        const stop = (): void => runner.stop("interrupted");
        if (signal?.aborted === true) stop();
        signal?.addEventListener("abort", stop, { once: true });
      },
      isInterrupted: () => signal?.aborted === true,
      tell: () => {},
    });
  } finally {
    await close();
  }
}
