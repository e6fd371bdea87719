import { attemptsInRow } from "../../app/report/run-attempts.ts";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { stream } from "hono/streaming";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import { batchesBeside } from "../../store/batch-overview.ts";
import { findBatch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { storeFailure } from "../../store/store-failure.ts";
import { labelsOfJob } from "../../store/scores/labels.ts";
import { oneCase } from "../../store/compared/one-case.ts";
import { type Opened, type RowAnswer } from "../api.ts";
import { answerOfNight, caseNights } from "./case-nights.ts";
import type { BatchEntries } from "./home/batch-entries.ts";
import { batchState, isAtWork } from "./home/batch-state.ts";
import {
  keepLabel,
  keepPin,
  newLabel,
  newPin,
  oldLabel,
  oldPin,
  takeBackLabel,
  takeBackPin,
  whenFree,
} from "./changes.ts";
import type { Comparisons } from "./open-comparisons.ts";
import { exportedRows, savedPage } from "./export-rows.ts";
import type { HomeSuites } from "./home/home-suites.ts";
import type { OpenedComparison } from "./open-comparison.ts";
import { type SuiteHistories, versioned } from "./home/suite-histories.ts";
import type { RowQuery } from "../../report/row-index/row-index.ts";
import type { Wanted } from "./wanted-comparison.ts";

/** The parts that the routes work with: one connection reads, the other writes the labels of people. */
export interface ViewerParts {
  reading: Connection;
  writing: Connection;
  entries: BatchEntries;
  suites: HomeSuites;
  histories: SuiteHistories;
  comparisons: Comparisons;
  page: string;
}

const mostRows = 200;
/** Greatest size of a body: nothing that a person writes is longer. */
const mostBody = 64 * 1024;

export function viewerRoutes(parts: ViewerParts): Hono {
  const { reading, comparisons, entries, suites, histories } = parts;
  const app = new Hono();
  app.get("/", (context) => context.html(parts.page));
  app.get("/api/here", (context) => context.json({}));
  const again = (path: string, answer: (known: string, context: Context) => string | Promise<string>): void =>
    void app.get(path, async (context) => {
      const text = await answer(context.req.query("known") ?? "", context);
      return context.body(text, 200, { "content-type": "application/json" });
    });
  again("/api/batches", (known) => versioned(JSON.stringify(entries.list()), known));
  again("/api/home", (known) => versioned(JSON.stringify(suites.list()), known));
  again("/api/past", (known, { req }) => histories.answer(req.query("suite") ?? "", known));
  app.get("/api/state", (context) => {
    const { id, name } = findBatch(reading, context.req.query("batch") ?? "latest");
    return context.json({ batch: name, live: isAtWork(batchState(reading, id).state) });
  });
  app.get("/api/open", (context) => context.json(open(reading, comparisons, context)));
  app.get("/api/rows", async (context) => {
    const opened = openedOf(comparisons, context);
    if (opened === null) return notOpen(context);
    const [offset, limit] = [numberOf(context, "offset"), Math.min(mostRows, numberOf(context, "limit"))];
    const [columns, fields] = [context.req.queries("column") ?? [], context.req.queries("field") ?? []];
    return context.json(
      await opened.page(queryOf(context), { offset, limit, columns, fields, signal: context.req.raw.signal }),
    );
  });
  app.get("/api/at", async (context) => {
    const opened = openedOf(comparisons, context);
    if (opened === null) return notOpen(context);
    return context.json({ index: await opened.indexOf(queryOf(context), context.req.query("key") ?? "") });
  });
  app.get("/api/unlabelled", async (context) => {
    const opened = openedOf(comparisons, context);
    if (opened === null) return notOpen(context);
    return context.json({ key: await opened.nextUnlabelled(queryOf(context), context.req.query("key") ?? "") });
  });
  app.get("/api/row", (context) => {
    const opened = openedOf(comparisons, context);
    return opened === null ? notOpen(context) : context.json(rowOf(reading, opened, context));
  });
  app.get("/api/earlier", (context) => {
    const opened = openedOf(comparisons, context);
    return opened === null ? notOpen(context) : context.json(opened.earlier(context.req.query("key") ?? ""));
  });
  app.get("/api/nights", async (context) => {
    const opened = openedOf(comparisons, context);
    if (opened === null) return notOpen(context);
    const [key, target] = [context.req.query("key") ?? "", context.req.query("target") ?? ""];
    return context.json(await caseNights(reading, { batch: opened.planned.batch, key, target }));
  });
  app.get("/api/night-answer", (context) => {
    const [batch, key, target] = ["batch", "key", "target"].map((name) => context.req.query(name) ?? "");
    return context.json(answerOfNight(reading, { batch: batch ?? "", key: key ?? "", target: target ?? "" }));
  });
  app.get("/api/export.csv", (context) => exportRows(parts, context));
  app.get("/api/page.html", (context) => savePage(parts, context));
  addChanges(app, parts);
  app.notFound((context) => context.json({ error: "There is nothing at this address.", hint: null }, 404));
  return app;
}

function addChanges(app: Hono, { writing: db }: ViewerParts): void {
  const limited = bodyLimit({
    maxSize: mostBody,
    onError: (context) => context.json({ error: "That is more than can be kept.", hint: "Write a shorter note." }, 413),
  });
  const change = <Options>(schema: z.ZodType<Options>, write: (writing: Connection, given: Options) => object) => {
    return async (context: Context): Promise<Response> => {
      const given = schema.parse(await context.req.json());
      return context.json(await whenFree(() => write(db, given)));
    };
  };
  app.post("/api/labels", limited, change(newLabel, keepLabel));
  app.delete("/api/labels", limited, change(oldLabel, takeBackLabel));
  app.post("/api/pins", limited, change(newPin, keepPin));
  app.delete("/api/pins", limited, change(oldPin, takeBackPin));
}

/** Answers what goes wrong with the database, wherever that is met. */
export function answerFailure(database: string): (error: unknown, context: Context) => Response {
  return (error, context) => failed(storeFailure(database, error), context);
}

/** Answers an error: one that a person can do something about is told in words; the rest is a fault of ours. */
function failed(error: unknown, context: Context): Response {
  if (error instanceof AppError) {
    const status = error.code === "BATCH_NOT_FOUND" ? 404 : error.code === "STORE_FAILED" ? 503 : 400;
    return context.json({ error: error.message, hint: error.hint }, status);
  }
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const where = issue?.path.join(".") ?? "";
    return context.json({ error: `${where === "" ? "The request" : where}: ${issue?.message ?? ""}`, hint: null }, 400);
  }
  if (error instanceof SyntaxError) return context.json({ error: "The request is not JSON.", hint: null }, 400);
  const reason = error instanceof Error ? error.message : String(error);
  return context.json({ error: `tandem itself failed at this: ${reason}`, hint: null }, 500);
}

/** Makes a comparison ready in the background; the page asks again until it is. */
function open(db: Connection, comparisons: Comparisons, context: Context): Opened {
  const { req } = context;
  const wanted: Wanted = {
    batch: req.query("batch") ?? null,
    against: req.query("against") ?? null,
    sides: req.queries("side") ?? [],
  };
  const { id, state, verdict, planned } = comparisons.open(wanted);
  if (state.kind === "failed") throw state.error;
  if (state.kind === "ready") {
    const { summary, counts } = state.index;
    const isRun = wanted.against === null && wanted.sides.length === 0;
    const beside = isRun ? batchesBeside(db, planned.batch.id) : null;
    return { id, ready: true, summary, counts, beside };
  }
  const { done, of } = state.kind === "at" ? state : { done: 0, of: 0 };
  const compares = planned.settings.pairs.length > 0;
  return { id, ready: false, waiting: state.kind === "waiting", compares, done, of, verdict };
}

function openedOf(comparisons: Comparisons, context: Context): OpenedComparison | null {
  const opened = comparisons.get(context.req.query("id") ?? "");
  return opened?.state.kind === "ready" ? opened : null;
}

/** The answer after a restart, or when many others were opened: the page opens the comparison again by itself. */
function notOpen(context: Context): Response {
  return context.json({ error: "This comparison is not open any more.", hint: "Load the page again." }, 410);
}

function queryOf({ req }: Context): RowQuery {
  return {
    pair: Math.min(numberOfText(req.query("pair")), 1000),
    text: req.query("q") ?? "",
    sort: req.query("sort") ?? "rank",
    list: req.query("list") ?? "",
  };
}

const numberOf = ({ req }: Context, name: string): number => numberOfText(req.query(name));

/** A whole number from 0; 0 where none is given. */
function numberOfText(text: string | undefined): number {
  const number = Number(text ?? 0);
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}

function rowOf(db: Connection, opened: OpenedComparison, context: Context): RowAnswer | null {
  const found = oneCase(db, opened.planned.batches, context.req.query("key") ?? "");
  if (found === null) return null;
  const labels = labelsOfJob(db);
  const known = found.jobs.map(({ jobId }) => [String(jobId), labels(jobId)] as const);
  return {
    row: attemptsInRow(db)(opened.row(found, opened.placeOf(found))),
    labels: Object.fromEntries(known.filter(([, list]) => list.length > 0)),
  };
}

/** The rows that a query finds, in the order of the dataset, with the columns of `tandem export`. */
async function exportRows({ reading, comparisons }: ViewerParts, context: Context): Promise<Response> {
  const opened = openedOf(comparisons, context);
  if (opened === null) return notOpen(context);
  const form = context.req.query("form") === "runs" ? "runs" : "comparison";
  const places = await opened.places(queryOf(context));
  context.header("content-type", "text/csv; charset=utf-8");
  context.header("content-disposition", `attachment; filename="${form}.csv"`);
  return stream(context, async (out) => {
    for await (const page of exportedRows(reading, opened, { places, form })) {
      if (out.aborted) return;
      // A slow reader is waited for.
      if (page !== "") await out.write(page);
    }
  });
}

/** The rows that a query finds, or the one with a key, as a page of their own. */
async function savePage({ reading, comparisons }: ViewerParts, context: Context): Promise<Response> {
  const opened = openedOf(comparisons, context);
  if (opened === null) return notOpen(context);
  const places = await placesToSave(reading, opened, context);
  const name = encodeURIComponent(
    `${opened.planned.batch.name}${context.req.query("key") === undefined ? "" : "-row"}.html`,
  );
  context.header("content-type", "text/html; charset=utf-8");
  context.header("content-disposition", `attachment; filename*=UTF-8''${name}`);
  return stream(context, async (out) => {
    for await (const piece of savedPage(reading, opened, places)) {
      if (out.aborted) return;
      if (piece !== "") await out.write(piece);
    }
  });
}

async function placesToSave(db: Connection, opened: OpenedComparison, context: Context): Promise<Uint32Array> {
  const key = context.req.query("key");
  if (key === undefined) return opened.places(queryOf(context));
  const found = oneCase(db, opened.planned.batches, key);
  if (found !== null) return Uint32Array.of(opened.placeOf(found));
  throw new AppError("USAGE", "There is no such row in this comparison.", { hint: "Load the page again." });
}
