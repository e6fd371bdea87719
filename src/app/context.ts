import type { FailOn } from "../errors.ts";
import type { Budget } from "../runner/budget.ts";
import type { QueueEvent } from "../runner/queue-event.ts";
import type { Watched } from "../runner/runner.ts";
import type { CodeTrust } from "../score/contract/code-trust.ts";
import type { Batch } from "../store/batches.ts";
import type { Connection } from "../store/connection.ts";
import type { ResumedRequests } from "../store/journal/in-doubt.ts";
import type { Suite } from "../suite/suite.ts";
import type { Accepted } from "./plan/accept-changes.ts";
import type { PreparedBatch } from "./plan/prepare.ts";
import type { Rerun } from "./report/next-step.ts";
import type { WantedReport } from "./report/report-writer.ts";
import type { Sender } from "./send/sender.ts";

/** The context of all stages of a run: made once of the flags of a command, or by the library, and handed on as it is. */
export interface RunContext {
  db: Connection;
  /** The results folder. */
  out: string;
  /** The suite whose scorers, judges and limits hold. */
  suite: Suite;
  /** Leave to run the modules and commands of the suite, because the user named its file. null: none of them is run. */
  trust: CodeTrust | null;
  sender: Sender;
  /** Limits of the spending, for all that is sent. */
  budget: Budget;
  /** Takes over what judges replied to the same question before, for whatever batch. */
  cache: boolean;
  /** Tries the scorers and one case of each target before the rest is sent. */
  preflight: boolean;
  /** Verdicts that are failures too. */
  failOn: FailOn;
  /** Reports beside those that the suite asks for. */
  reports: readonly WantedReport[];
  /** Looks whether the judges are still the same, as a night does. */
  watchesJudges?: boolean | undefined;
  /** Words of the command that resumes the batch when the suite is corrected. */
  resumeCommand?: string[] | undefined;
  /** Makes the command that runs the same once more. */
  rerun?: Rerun | undefined;
  /** Words of flags that a resume needs beside the batch's name. */
  resumeFlags?: string[];
  onNotice: (message: string) => void;
  onEvent: (event: QueueEvent) => void;
  /** Called with each runner before it starts, to show its progress and to stop it. */
  onRunner: (runner: Watched) => void;
  /** Somebody has asked it to end. */
  isInterrupted: () => boolean;
  /** Called with news of the batch as a whole. */
  tell: (news: RunNews) => void;
}

/** News of a batch on its way, for people and for programs. */
export type RunNews =
  | { type: "planned"; prepared: PreparedBatch }
  /** The batch goes on by a suite that may have changed since it was planned. */
  | { type: "accepted"; accepted: Accepted }
  | { type: "resumed"; batch: Batch; requests: ResumedRequests }
  /** Cases of a regression are asked once more; `sentence`: the same for people. */
  | { type: "asked-again"; batch: string; cases: number; jobs: number; sentence: string };
