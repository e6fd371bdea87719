import { type Context, Hono } from "hono";
import { stream, streamSSE } from "hono/streaming";
import { z } from "zod";
import { comparisonStream } from "../../compare/comparison.ts";
import { AppError } from "../../errors.ts";
import { comparisonRows } from "../../report/comparison-csv.ts";
import { CsvPages } from "../../report/csv.ts";
import { reportRow } from "../../report/model-row.ts";
import { findBatch } from "../../store/batches.ts";
import type { Connection } from "../../store/database.ts";
import { labelsOfJob, labelWriter } from "../../store/labels.ts";
import { oneCase, placeOfJob } from "../../store/one-case.ts";
import { pairedResults } from "../../store/paired-results.ts";
import { addPin } from "../../store/pins.ts";
import { batchColumns } from "../../store/results.ts";
import type { Opened, RowAnswer } from "../api.ts";
import { batchEntries, liveOf } from "./batch-entries.ts";
import type { Comparisons } from "./comparisons.ts";
import { curlOf } from "./curl.ts";
import type { OpenedComparison, RowQuery } from "./opened.ts";

/** What the routes work with: one connection reads long, the other writes what people say. */
export interface ViewerParts {
  reading: Connection;
  writing: Connection;
  comparisons: Comparisons;
  page: string;
}

const mostRows = 200;

export function viewerRoutes(parts: ViewerParts): Hono {
  const { reading, comparisons } = parts;
  const app = new Hono();
  app.get("/", (context) => context.html(parts.page));
  app.get("/api/batches", (context) => context.json(batchEntries(reading)));
  app.get("/api/open", (context) => context.json(open(comparisons, context)));
  app.get("/api/rows", async (context) => {
    const { query, opened } = asked(comparisons, context);
    const [offset, limit] = [numberOf(context, "offset"), Math.min(mostRows, numberOf(context, "limit"))];
    return context.json(await opened.page(query, offset, limit));
  });
  app.get("/api/at", async (context) => {
    const { query, opened } = asked(comparisons, context);
    return context.json({ index: await opened.indexOf(query, context.req.query("key") ?? "") });
  });
  app.get("/api/row", (context) => context.json(rowOf(parts, context)));
  app.get("/api/export.csv", (context) => exportRows(parts, context));
  app.get("/api/curl", (context) => context.text(curlOf(reading, numberOf(context, "job"))));
  app.get("/api/progress", (context) => context.json(liveOf(reading, context.req.query("batch") ?? "latest")));
  app.get("/api/live", (context) => live(reading, context));
  app.post("/api/labels", async (context) => context.json(keepLabel(parts.writing, await context.req.json())));
  app.post("/api/pins", async (context) => context.json(keepPin(parts.writing, await context.req.json())));
  app.onError((error, context) => {
    if (!(error instanceof AppError) && !(error instanceof z.ZodError) && !(error instanceof SyntaxError)) {
      return context.json({ error: "tandem itself failed at this", detail: String(error) }, 500);
    }
    const hint = error instanceof AppError ? error.hint : null;
    return context.json({ error: error.message, hint }, 400);
  });
  return app;
}

/** Makes a comparison ready in the background; the page asks again until it is. */
function open(comparisons: Comparisons, context: Context): Opened {
  const sides = context.req.queries("side") ?? [];
  const opened = comparisons.open(sides.length > 0 ? { sides } : { batch: context.req.query("batch") ?? "latest" });
  opened.start();
  const { id, done, of, summary, counts, failure } = opened;
  if (failure !== null) throw failure;
  return summary === null ? { id, ready: false, done, of } : { id, ready: true, summary, counts };
}

function asked(comparisons: Comparisons, context: Context): { opened: OpenedComparison; query: RowQuery } {
  const { req } = context;
  const opened = comparisons.get(req.query("id") ?? "");
  if (opened.summary === null) throw new AppError("USAGE", "This comparison is not ready yet.");
  const [name, value] = req.queries("tag") ?? [];
  const tag = name === undefined || value === undefined ? null : { name, value };
  const query: RowQuery = {
    pair: numberOf(context, "pair"),
    show: req.query("show") ?? "all",
    sort: req.query("sort") ?? "rank",
    tag,
    text: req.query("q") ?? "",
  };
  return { opened, query };
}

/** A whole number from 0; 0 where none is given. */
function numberOf(context: Context, name: string): number {
  const number = Number(context.req.query(name) ?? 0);
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}

function rowOf({ reading, writing, comparisons }: ViewerParts, context: Context): RowAnswer | null {
  const { opened } = asked(comparisons, context);
  const { settings, batches } = opened.contest;
  const found = oneCase(reading, batches, context.req.query("key") ?? "");
  if (found === null) return null;
  const row = reportRow(found, comparisonStream(settings).add(found), settings, opened.numberOf(found.key));
  const labels = labelsOfJob(writing);
  const known = found.jobs.map(({ jobId }) => [String(jobId), labels(jobId)] as const);
  return { row, labels: Object.fromEntries(known.filter(([, list]) => list.length > 0)) };
}

/** The rows that a query finds, in the order of the dataset, as `comparison.csv` has them. */
function exportRows({ reading, comparisons }: ViewerParts, context: Context): Response | Promise<Response> {
  const { opened, query } = asked(comparisons, context);
  const { settings, batches, batch } = opened.contest;
  context.header("content-type", "text/csv; charset=utf-8");
  context.header("content-disposition", `attachment; filename="rows.csv"`);
  return stream(context, async (out) => {
    const wanted = new Uint8Array(opened.done);
    for (const place of await opened.places(query)) wanted[place] = 1;
    const table = comparisonRows({ lineup: settings, columns: batchColumns(reading, batch.id) });
    const pages = new CsvPages({ excel: true, raw: false });
    pages.add(table.header);
    const compared = comparisonStream(settings);
    let place = 0;
    for (const result of pairedResults(reading, batches)) {
      if (wanted[place++] === 1) pages.add(table.rowOf(compared.add(result)));
      if (pages.isFull) await out.write(pages.take());
      if (out.aborted) return;
    }
    await out.write(pages.take());
  });
}

/** How far a batch is, every second until it ends. */
function live(reading: Connection, context: Context): Response {
  const name = findBatch(reading, context.req.query("batch") ?? "latest").name;
  return streamSSE(context, async (out) => {
    for (;;) {
      const now = liveOf(reading, name);
      await out.writeSSE({ data: JSON.stringify(now) });
      if (now.state !== "running" && now.state !== "reading" && now.state !== "planned") return;
      await out.sleep(1000);
      if (out.aborted) return;
    }
  });
}

const newLabel = z.object({
  jobId: z.number().int(),
  scorer: z.string().max(200),
  label: z.string().min(1).max(200),
  note: z.string().max(10_000).nullable(),
  author: z.string().max(200),
});

function keepLabel(writing: Connection, given: unknown): { kept: string } {
  const { jobId, scorer, label, note, author } = newLabel.parse(given);
  const value = valueOf(label);
  if (value === null) {
    throw new AppError("USAGE", `"${label}" is no label.`, { hint: "good, bad, or a number." });
  }
  if (placeOfJob(writing, jobId) === null) throw new AppError("USAGE", "There is no such answer.");
  return { kept: labelWriter(writing)({ jobId, scorer, label, value, note, author, at: Date.now() }) };
}

/** Null: it says nothing. */
function valueOf(label: string): number | null {
  if (label === "good") return 1;
  if (label === "bad") return 0;
  const number = label.trim() === "" ? Number.NaN : Number(label);
  return Number.isFinite(number) ? number : null;
}

const newPin = z.object({ name: z.string().min(1).max(100), batch: z.string() });

function keepPin(writing: Connection, given: unknown): { pinned: string } {
  const { name, batch } = newPin.parse(given);
  const { id, name: batchName } = findBatch(writing, batch);
  addPin(writing, { name, batches: [{ id, name: batchName }], replace: false, at: Date.now() });
  return { pinned: name };
}
