import { type EndpointName, endpointWord } from "../../api/endpoint-name.ts";
import type { Connection } from "../connection.ts";
import { brokenStatus } from "../../lib/status-words.ts";
import { ofBatch } from "../batch-jobs.ts";
import { selectRows } from "../sqlite.ts";
import type { OutageEntry } from "../../runner/journal.ts";

/** A time in which a service was away while a batch ran; `until` is null: it was not back when the process that waited for it ended. */
export interface StoredOutage extends Omit<OutageEntry, "givenBack"> {
  /** Requests that a gateway, or nobody in full, answered in this time. */
  requests: number;
}

/** The times in which services were away while a batch ran, the earliest first. */
export function outagesOf(db: Connection, batchId: number): StoredOutage[] {
  const outages = selectRows<Omit<StoredOutage, "requests">>(
    db,
    "SELECT deployment, endpoint, status, since, until FROM outage WHERE batch_id = ? ORDER BY since, deployment",
    [batchId],
  );
  if (outages.length === 0) return [];
  const answered = selectRows<{ deployment: string; endpoint: EndpointName; doneAt: number; gateway: 0 | 1 }>(
    db,
    `SELECT target.deployment, target.endpoint, attempt.done_at AS doneAt, attempt.gateway
     FROM job CROSS JOIN attempt ON attempt.job_id = job.id AND attempt.outcome = 'ambiguous'
     CROSS JOIN target ON target.id = job.target_id WHERE ${ofBatch()}`,
    { batch: batchId },
  );
  return outages.map((outage) => {
    const { since, until } = outage;
    const own = answered.filter(
      ({ deployment, endpoint, gateway }) =>
        deployment === outage.deployment &&
        endpointWord(endpoint) === outage.endpoint &&
        (gateway === 1 || outage.status === brokenStatus),
    );
    // Dates are rounded where they are stored.
    const isIn = ({ doneAt }: { doneAt: number }): boolean =>
      doneAt >= since - 1 && (until === null || doneAt <= until + 1);
    return { ...outage, requests: own.filter(isIn).length };
  });
}
