import type { OutcomeKind } from "../../api/outcomes.ts";
import type { QueueEvent } from "../../runner/queue-event.ts";

/** Requests of a deployment since the worker began. */
export interface DeploymentCounts {
  outcomes: Partial<Record<OutcomeKind, number>>;
  /** Jobs that ended here. */
  finished: number;
}

/** Counts of a worker since it began. */
export class Counters {
  readonly deployments = new Map<string, DeploymentCounts>();
  /** Chunks that were fetched, ended, and given back. */
  readonly chunks = { fetched: 0, ended: 0, givenBack: 0 };
  /** Milliseconds that attempts have waited for leave to be sent. */
  waitedMs = 0;
  granted = 0;
  /** Results that came too late to decide anything. */
  strays = 0;
  /** Requests of dead workers that this one has put in doubt. */
  reaped = 0;

  of(deployment: string): DeploymentCounts {
    const known = this.deployments.get(deployment) ?? { outcomes: {}, finished: 0 };
    this.deployments.set(deployment, known);
    return known;
  }

  noted(deployment: string, event: QueueEvent): void {
    if (event.type !== "settled") return;
    const counts = this.of(deployment);
    const { kind } = event.outcome;
    counts.outcomes[kind] = (counts.outcomes[kind] ?? 0) + 1;
    if (event.decision === "finish") counts.finished += 1;
  }
}
