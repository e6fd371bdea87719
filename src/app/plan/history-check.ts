import { endpointOf } from "../../api/endpoints.ts";
import { longestCluster } from "../../store/plan/expectation.ts";
import type { Connection } from "../../store/connection.ts";
import { historyFault, sendsHistory, sessionFault } from "../../suite/history.ts";
import type { Suite } from "../../suite/suite.ts";
import { type ErrorOf, refuseFaults } from "./refuse-faults.ts";

/** True where a turn follows another in a batch, and a target is not sent what was said before it. */
export function sendsTurnsAlone(db: Connection, batchId: number, { mapping, targets }: Suite): boolean {
  const isSentAlone = targets.some((target) => target.stored === undefined && !sendsHistory(target));
  return mapping.turn !== null && isSentAlone && longestCluster(db, batchId) > 1;
}

/**
 * Refuses a suite whose dataset has conversations, where a target would be sent their turns without what was said before
 * and nothing says that its service knows it. Throws SUITE_INVALID.
 */
export function checkHistory({ targets, mapping }: Pick<Suite, "targets" | "mapping">, errorOf: ErrorOf): void {
  refuseFaults(
    targets.flatMap((target) => historyFault(target) ?? sessionFault(target, mapping) ?? []),
    errorOf,
  );
}

/** Warnings about targets that keep conversations themselves, and are sent each of them more than once. */
export function savedNotes({ targets }: Pick<Suite, "targets">, repeatsOf: (target: string) => number): string[] {
  return targets.flatMap(({ name, endpoint, keepsHistory }) => {
    // Each run has a conversation of its own, which the service names.
    if ((endpointOf(endpoint).session?.of ?? null) !== null) return [];
    const repeats = repeatsOf(name);
    if (keepsHistory !== true || repeats < 2) return [];
    return [
      `warning: ${name} keeps conversations itself (history: service), and is sent each of them ${repeats} times. Unless it can tell the runs apart, they are one conversation there.`,
    ];
  });
}
