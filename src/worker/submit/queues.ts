import { endpointWord } from "../../api/endpoint-name.ts";
import type { OutcomeKind } from "../../api/outcomes.ts";
import { steadyNow } from "../../lib/clock.ts";
import { statusWords } from "../../lib/status-words.ts";
import type { Decision } from "../../runner/decision.ts";
import type { Load } from "../../runner/drive.ts";
import type { Settlement } from "../../runner/journal.ts";
import { type QueueSnapshot, type Stall, Tally } from "../../runner/tally.ts";
import type { Deployment } from "../../suite/suite.ts";
import type { RemoteService } from "../postgres/watch.ts";

type LoadTarget = Load["targets"][number];

/** A deployment's endpoint with what workers have done of it. */
export interface Queue {
  /** `deployment/endpoint`. */
  name: string;
  deployment: Deployment;
  targets: LoadTarget[];
  tally: Tally;
  /** Its limits and requests in flight, as they were told last; null: nothing was told yet. */
  service: RemoteService | null;
  /** Why nothing more is started; null: it goes on. */
  stopped: string | null;
  /** Nobody sends anything of it, for this reason and since then, on the steady clock; null: somebody does. */
  unserved: { why: string; since: number } | null;
}

/** One queue for each endpoint of a deployment to which something is to be sent, now or once what is held is let go. */
export function queuesOf({ suite, targets }: Load, held: ReadonlySet<number>): Queue[] {
  return suite.deployments.flatMap((deployment) => {
    const own = targets.filter(
      (target) => target.deployment === deployment.name && (target.unfinished > 0 || held.has(target.id)),
    );
    const words = [...new Set(own.map(({ endpoint }) => endpointWord(endpoint)))];
    return words.map((word) => {
      const of = own.filter(({ endpoint }) => endpointWord(endpoint) === word);
      const total = of.reduce((sum, { unfinished }) => sum + unfinished, 0);
      const name = `${deployment.name}/${word}`;
      return { name, deployment, targets: of, tally: new Tally(total), service: null, stopped: null, unserved: null };
    });
  });
}

/** The account of a queue, over all workers: its address and endpoint, and the variable that names the key there. */
export function serviceName({ deployment: { baseUrl, keyNames }, name }: Queue): string {
  const word = name.slice(name.lastIndexOf("/") + 1);
  return [baseUrl, word, keyNames.join(" or ")].filter((part) => part !== "").join(" ");
}

/** Counts what is left of each target, and the kind by which its last attempt ended. */
export class TargetCounts {
  readonly #left: Map<number, number>;
  readonly #kinds = new Map<number, OutcomeKind>();
  readonly #stopped = new Set<number>();

  constructor(targets: readonly LoadTarget[]) {
    this.#left = new Map(targets.map(({ id, unfinished }) => [id, unfinished]));
  }

  settled(targetId: number, { outcome }: Settlement, decision: Decision): void {
    this.#kinds.set(targetId, outcome.kind);
    if (decision === "finish") this.ended(targetId, 1);
  }

  reopened(targetId: number): void {
    this.#left.set(targetId, this.left(targetId) + 1);
  }

  ended(targetId: number, jobs: number): void {
    this.#left.set(targetId, Math.max(0, this.left(targetId) - jobs));
  }

  left(targetId: number): number {
    return this.#left.get(targetId) ?? 0;
  }

  lastKind(targetId: number): OutcomeKind | null {
    return this.#kinds.get(targetId) ?? null;
  }

  /** True the first time. */
  stop(targetId: number): boolean {
    const isNew = !this.#stopped.has(targetId);
    this.#stopped.add(targetId);
    return isNew;
  }

  /** True as long as something of these is to be sent, or in flight. */
  hasLeft(targets: readonly LoadTarget[]): boolean {
    return targets.some(({ id }) => this.left(id) > 0);
  }

  /** Unfinished jobs of those that are stopped. */
  leftOut(targets: readonly LoadTarget[]): number {
    return targets.reduce((sum, { id }) => sum + (this.#stopped.has(id) ? this.left(id) : 0), 0);
  }
}

/** A queue as the progress shows it. `waitsForMs`: a worker is waited for so long; null: without a limit. */
export function queueSnapshot(queue: Queue, counts: TargetCounts, waitsForMs: number | null): QueueSnapshot {
  const { service, deployment } = queue;
  const inFlight = (service?.inFlight ?? 0) + (service?.atService ?? 0);
  return queue.tally.snapshot({
    lane: queue.name,
    deployment: deployment.name,
    inFlight,
    finishesWithinMs: inFlight === 0 ? 0 : deployment.timeoutMs,
    waiting: 0,
    leftOut: counts.leftOut(queue.targets),
    limit: service?.concurrency ?? deployment.concurrency,
    rate: service?.rate ?? deployment.rate,
    pausedMs: service?.pausedMs ?? 0,
    stall: stallOf(queue, waitsForMs),
    stopped: queue.stopped,
  });
}

function stallOf({ unserved, service, deployment }: Queue, waitsForMs: number | null): Stall | null {
  const away = service?.away ?? null;
  if (unserved === null && away !== null) {
    const { status, nextMs, leftMs } = away;
    const why = `${deployment.name} answers ${statusWords(status)}`;
    return { why, forMs: Math.max(0, away.forMs), nextMs: nextMs > 0 ? nextMs : null, leftMs };
  }
  if (unserved === null) return null;
  const forMs = steadyNow() - unserved.since;
  return {
    why: unserved.why,
    forMs,
    nextMs: null,
    leftMs: waitsForMs === null ? null : Math.max(0, waitsForMs - forMs),
  };
}
