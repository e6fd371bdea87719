/** Purpose of a job: a case of the dataset, a question to a judge about an answer, or one that tries the judge itself. */
export type JobKind = "case" | "judge" | "probe";

/** One planned run. Its place in the plan is its id: jobs are stored in the order in which they are to be sent. */
export interface Job {
  kind: JobKind;
  caseId: number;
  targetId: number;
  /** 1, 2, ... up to the repeats of its target. */
  repeat: number;
  cluster: string;
  turn: number;
  /** True when the job may start only after the same target, repeat and cluster has finished its previous turn. */
  waits: boolean;
}
