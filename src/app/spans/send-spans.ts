import { findBatch } from "../../store/batches.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import { attemptPages } from "../../store/results/attempt-pages.ts";
import { type Collector, sendPage, type Sent } from "./collector.ts";
import { exportRequest, spansOf } from "./otlp.ts";

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

/** The end of the spans of a batch. */
export interface SpansSent {
  /** Name of the batch. */
  batch: string;
  /** Spans that the collector took. */
  sent: number;
  /** Spans that it did not take, or for which there was no time. */
  dropped: number;
  /** Why some were dropped, the first reason; null: none was. */
  reason: string | null;
}

/**
 * Sends the stored requests of a batch to a collector of OpenTelemetry, a page after the other. Spans that cannot be sent are
 * counted: nothing is kept for later, because the database has it all.
 */
export async function sendSpans({ out, batch: reference, since, collector, mostMs }: SpansRequest): Promise<SpansSent> {
  const until = performance.now() + mostMs;
  const db = openDatabase(databasePath(out), { reading: true });
  try {
    const batch = findBatch(db, reference);
    const reported: SpansSent = { batch: batch.name, sent: 0, dropped: 0, reason: null };
    let isDown = false;
    for (const rows of attemptPages(db, batch.id, since)) {
      const spans = spansOf(batch, rows);
      // Who took none of a page, after several tries, takes none of the next: they are only counted.
      const page: Sent = isDown
        ? { rejected: spans.length, reason: null }
        : await sendPage(collector, exportRequest(spans, collector.resource), { spans: spans.length, until });
      isDown = page.rejected === spans.length;
      reported.sent += Math.max(0, spans.length - page.rejected);
      reported.dropped += page.rejected;
      reported.reason ??= page.reason;
    }
    return reported;
  } finally {
    db.close();
  }
}
