import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";
import type { ReportRow, ReportSummary } from "../shape/model.ts";
import type { RowSummary } from "../shape/reporter.ts";
import { isCalm } from "../model/row-figures.ts";
import { worstRows } from "../model/worst-rows.ts";
import { readPage } from "./page.ts";
import { mostPlainRows, plainHtml } from "./plain-html.ts";

/** The place of the data in the page, as scripts/build-app.ts left it. */
const dataPlace = "<!--tandem:data-->";
/** The place of what is seen without scripts, as the page's `index.html` has it. */
const plainPlace = "<!--tandem:plain-->";

/**
 * Number of characters compressed at once: enough to compress well, little enough that a browser shows rows while it
 * reads on.
 */
const pageCharacters = 400_000;

/** Number of compressed characters that a browser opens at once: rows beyond it are left out, and the page says so. */
const mostCharacters = 14_300_000;
/** Rows without a change may fill this share of it, so that there is room for those with one. */
const calmShare = 0.93;

/** `report.html` as it is made: `start` first, then what each row brings, then the end. */
export interface HtmlReport {
  start: string;
  /** The next piece of the page, to be written before those that follow; empty while rows are collected. */
  add: (row: ReportRow) => string | Promise<string>;
  /** True when there is room for another row, with or without a change: rows need not be made for nothing. */
  wants: (glance: RowSummary) => boolean;
  end: (summary: ReportSummary) => string;
}

/** `report.html` in the page that was built with the command. */
export function builtHtmlReport(): HtmlReport {
  return htmlReport(readPage("report"));
}

/** The same for the rows of a view alone, so many; the page says that it holds no others, and which of them it lacks. */
export function builtHtmlView(rows: number): HtmlReport {
  return htmlReport(readPage("report"), rows);
}

/**
 * Writes a report into the built page, which is its shell. The data are lines in an element that no browser runs, each
 * line JSON, compressed (gzip) and written in base64: no text can leave the element, because none of its letters means
 * anything in HTML. First the rows, `pageCharacters` at a time, at last the summary: what is held is one page of rows, and those
 * that are being compressed.
 */
export function htmlReport(shell: string, view: number | null = null): HtmlReport {
  const [before, between, after, ...more] = shell.split(new RegExp(`${dataPlace}|${plainPlace}`));
  if (before === undefined || between === undefined || after === undefined || more.length > 0) {
    throw new Error("the page of reports is not as it was built; install tandem again");
  }
  const worst = worstRows(mostPlainRows);
  let page: string[] = [];
  let collected = 0;
  /** Characters so far; of pages that are being compressed the most that they can take. */
  let written = 0;
  let shown = 0;
  const compressing = new Set<SentPage>();

  const takeRows = (): string => {
    const json = `[${page.join(",")}]`;
    page = [];
    collected = 0;
    return json;
  };

  const isKnown = (sent: SentPage, length: number): void => {
    if (compressing.delete(sent)) written += length - sent.most;
  };

  /** In a thread of the pool, while the next rows are made: it takes as long as the rows of a page. */
  const compressed = async (json: string): Promise<string> => {
    const sent = { json, most: mostOf(json) };
    compressing.add(sent);
    written += sent.most;
    const line = lineOf(await inPool(json));
    isKnown(sent, line.length);
    return line;
  };

  const compressedHere = (json: string): string => {
    // The last rows have room by what was written, and not by when it was: the same ones are shown each time.
    for (const sent of compressing) isKnown(sent, lineOf(gzipSync(sent.json)).length);
    const line = lineOf(gzipSync(json));
    written += line.length;
    return line;
  };

  const hasRoom = (calm: boolean): boolean => written <= mostCharacters * (calm ? calmShare : 1);

  return {
    wants: ({ isCalm: calm, rank }) => hasRoom(calm) || worst.wants(rank),
    start: `${before}\n`,
    add(row) {
      worst.add(row);
      if (!hasRoom(row.changes.every(isCalm))) return "";
      shown += 1;
      const text = JSON.stringify(row);
      page.push(text);
      collected += text.length;
      if (collected < pageCharacters) return "";
      const json = takeRows();
      const isFar = written + mostOf(json) <= mostCharacters * calmShare;
      return isFar ? compressed(json) : compressedHere(json);
    },
    end(summary) {
      const rows = page.length === 0 ? "" : compressedHere(takeRows());
      const data = lineOf(gzipSync(JSON.stringify({ summary, rows: shown, view })));
      return `${rows}${data}${between}${plainHtml(summary, worst.rows())}${after}`;
    },
  };
}

/** A page of rows that is being compressed. */
interface SentPage {
  json: string;
  /** Characters that it takes at the most. */
  most: number;
}

/** The most that a text takes compressed: each of its units is three bytes at the most, and three bytes are four letters. */
const mostOf = (json: string): number => json.length * 4 + 10_000;

const inPool = promisify(gzip);

const lineOf = (bytes: Buffer): string => `${bytes.toString("base64")}\n`;
