import type { Suite } from "../suite/suite.ts";
import type { Budget } from "./budget.ts";
import type { FirstLook } from "./first-jobs.ts";
import type { Journal } from "./journal.ts";
import type { QueueEvent } from "./queue-event.ts";
import type { RunTarget } from "./run-target.ts";
import type { RunEnd, Watched } from "./runner.ts";

/** The jobs that are driven, and where they go. */
export interface Load {
  /** Cases of a batch, or questions to its judges. */
  role: "case" | "judge";
  suite: Pick<Suite, "deployments" | "targets" | "onAmbiguous" | "interleave" | "folder" | "name">;
  targets: (RunTarget & { deployment: string })[];
  journal: Journal;
  /** Jobs may wait for others. */
  conversations: boolean;
  /** It is no part of the batch's own work, whose state and time stay as they are. Left out: it is. */
  isAside?: true;
  /** Jobs of the whole batch that are not finished. */
  left: () => number;
}

/** A load, and the rules by which it is driven. */
export interface DriveOptions {
  load: Load;
  budget: Budget;
  onEvent: (event: QueueEvent) => void;
  onNotice: (message: string) => void;
  /** Left out: nothing is held back. */
  firstLook?: FirstLook;
  /** It may be decided before its end, and what was sent beyond is in vain. */
  mayEndEarly: boolean;
}

/** Drives a load to its end. */
export interface Drive extends Watched {
  /** Resolves when nothing more is to be done. Rejects when the journal cannot be kept. */
  run(): Promise<RunEnd>;
  /** Starts nothing more, because nothing more is needed; what is in flight is finished. */
  enough(): void;
  /** Sends nothing more to a target, because no more of it is needed; what is in flight is finished. Left out: it cannot do so alone. */
  drop?(targetId: number): void;
  /** Lets go of connections, when it has ended. */
  close(): Promise<void>;
}
