import { findBatch } from "../../store/batches.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import { attemptPages } from "../../store/results/attempt-pages.ts";
import { type Collector, sendPage } from "./collector.ts";
import { gradesIn } from "./grades.ts";
import { eventsOf, eventsRequest, exportRequest, spansOf } from "./otlp.ts";
import type { PostAddress } from "./posting.ts";

export interface SpansRequest {
  out: string;
  /** Name of a batch, SUITE~N or latest. */
  batch: string;
  /** Only requests that were queued at or after this moment; 0: all. */
  since: number;
  collector: Collector;
  /** The most time that it may take. */
  mostMs: number;
}

/** The end of the spans of a batch, and of its grades. */
export interface SpansSent extends EntriesSent {
  /** Name of the batch. */
  batch: string;
  /** The grades of their answers, as events; null: the batch is not graded, or no address for events is known. A collector that takes no events has dropped none. */
  grades: EntriesSent | null;
}

/** Spans or events that were sent. */
interface EntriesSent {
  /** Those that the collector took. */
  sent: number;
  /** Those that it did not take, or for which there was no time. */
  dropped: number;
  /** Why some were dropped or not sent, the first reason; null: all were. */
  reason: string | null;
}

/**
 * Sends the stored requests of a batch to a collector of OpenTelemetry, a page after the other, and the grades of their answers.
 * Those that cannot be sent are counted: nothing is kept for later, because the database has it all.
 */
export async function sendSpans({ out, batch: reference, since, collector, mostMs }: SpansRequest): Promise<SpansSent> {
  const until = performance.now() + mostMs;
  using db = openDatabase(databasePath(out), { reading: true });
  const batch = findBatch(db, reference);
  const spans = sending(collector.spans, { until, isOptional: false });
  const gradesOf = gradesIn(db, batch);
  const events =
    gradesOf === null || collector.events === null ? null : sending(collector.events, { until, isOptional: true });
  for (const rows of attemptPages(db, batch.id, since)) {
    const page = spansOf(batch, rows);
    await spans.send(exportRequest(page, collector.resource), page.length);
    if (events === null || gradesOf === null || events.isUnknown()) continue;
    const grades = eventsOf(batch, gradesOf(rows), collector);
    if (grades.length > 0) await events.send(eventsRequest(grades, collector.resource), grades.length);
  }
  return { batch: batch.name, ...spans.reported(), grades: events?.reported() ?? null };
}

interface Sending {
  reported: () => EntriesSent;
  send: (body: string, entries: number) => Promise<void>;
  /** True when the collector turned out to have no such address, which it needs not. */
  isUnknown: () => boolean;
}

/** `isOptional`: a collector without such an address dropped nothing. */
function sending(address: PostAddress, { until, isOptional }: { until: number; isOptional: boolean }): Sending {
  const reported: EntriesSent = { sent: 0, dropped: 0, reason: null };
  let isDown = false;
  let isUnknown = false;
  return {
    reported: () =>
      isUnknown ? { sent: 0, dropped: 0, reason: `it has no such address: ${reported.reason}` } : reported,
    isUnknown: () => isUnknown,
    async send(body, entries) {
      // Who took none of a page, after several tries, takes none of the next: they are only counted.
      const page = isDown ? { rejected: entries, reason: null } : await sendPage(address, body, { entries, until });
      isDown = page.rejected === entries;
      isUnknown ||= isOptional && page.unknown === true;
      reported.sent += Math.max(0, entries - page.rejected);
      reported.dropped += page.rejected;
      reported.reason ??= page.reason;
    },
  };
}
