/** The library: the same things as the command. */
export { AppError, type ErrorCode, exitCodes } from "./errors.ts";
export {
  compare,
  type LibraryOptions,
  report,
  resume,
  run,
  type RunOptions,
  type RunResult,
  score,
  type ScoreOptions,
} from "./library.ts";
export type { ScoreReport } from "./app/grade/score-report.ts";
export type { WantedReport } from "./app/report/report-writer.ts";
export type { ReportSummary } from "./report/shape/model.ts";
export type { RunSummary } from "./report/shape/run-summary.ts";
export type { QueueEvent } from "./runner/queue-event.ts";
export type { OwnAnswer, OwnScore } from "./score/own/own-answer.ts";
export { loadSuite, type LoadedSuite } from "./suite/load.ts";
export type { Suite } from "./suite/suite.ts";
export { type DeploymentOptions, type RunningDeployment, startDeployment } from "./deployment/deployment.ts";
