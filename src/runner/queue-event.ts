import type { OutcomeKind } from "../api/outcomes.ts";
import type { Outcome } from "../client/outcome.ts";
import type { PendingJob } from "./journal.ts";
import type { Decision } from "./decision.ts";

interface Stopped {
  queue: string;
  reason: string;
  /** The proxy on the way to the service. */
  proxy: string | null;
  /** No key was sent, as none is set; left out: one was, or workers have it. */
  isKeyless?: boolean;
}

/** Events of an endpoint queue while it runs. Counters follow commits, not answers. */
export type QueueEvent =
  /** An attempt of a job, which is counted in it already. */
  | { type: "settled"; queue: string; target: string; job: PendingJob; outcome: Outcome; decision: Decision }
  | ({ type: "target-stopped"; target: string; kind: OutcomeKind } & Stopped)
  /** `ofTargets`: all its targets were stopped, and say why. */
  | ({ type: "queue-stopped"; deployment: boolean; ofTargets?: true; kind: OutcomeKind | null } & Stopped)
  | ServiceEvent;

/** Events of a service: how fast it may be asked, and whether it answers. */
export type ServiceEvent =
  | { type: "pace"; queue: string; concurrency: number; reason: string }
  /** Gateways answer in the place of the service: nothing is sent but one request at a time. `patienceMs` null: for a few looks. */
  | { type: "away"; queue: string; status: number; patienceMs: number | null }
  /** The service answers itself again. */
  | { type: "back"; queue: string; forMs: number }
  /** The service asked for a longer wait than it is given before it is asked again. */
  | { type: "long-wait"; queue: string; askedMs: number; waitMs: number };
