import { createCipheriv } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { slowTest } from "../often.ts";
import type { ReportRow } from "../../src/report/shape/model.ts";
import { htmlReport } from "../../src/report/formats/html.ts";
import { htmlOf, shell } from "./html-file.ts";
import { syntheticRows, syntheticSummary } from "./synthetic.ts";

interface Read {
  rows: ReportRow[];
  end: { summary: unknown; rows: number };
}

/** The data in the page, as a browser reads it: up to the first end of the element. */
function readBack(html: string): Read {
  const [, after = ""] = html.split('id="data">');
  const [data = ""] = after.split("</script");
  const pages = data
    .trim()
    .split("\n")
    .map((line) => JSON.parse(gunzipSync(Buffer.from(line, "base64")).toString()));
  const end = pages.pop();
  return { rows: pages.flat(), end };
}

const random = createCipheriv("aes-128-ctr", Buffer.alloc(16), Buffer.alloc(16));

/** A text that hardly compresses. */
const noiseOf = (characters: number): string => random.update(Buffer.alloc((characters * 3) / 4)).toString("base64");

test("every row and the summary stand in the page as they were given", async () => {
  const rows = [...syntheticRows(700)];
  const summary = syntheticSummary(700);
  const read = readBack(await htmlOf(rows, summary));
  expect(read.rows).toEqual(rows);
  expect(read.end).toEqual({ summary, rows: 700, view: null });
});

test("a view that was saved knows how many rows it had, so that its page can say which it lacks", async () => {
  const report = htmlReport(shell(), 3);
  const [row] = syntheticRows(1);
  if (row === undefined) throw new Error("no row");
  const html = `${report.start}${await report.add(row)}${report.end(syntheticSummary(3))}`;
  expect(readBack(html).end).toMatchObject({ rows: 1, view: 3 });
});

test("no text can leave the element that holds the data", async () => {
  const [row] = syntheticRows(1);
  if (row === undefined) throw new Error("no row");
  const hostile = { ...row, key: "</script><script>alert(1)</script><!--tandem:data-->" };
  const html = await htmlOf([hostile], { ...syntheticSummary(1), suite: "</script><!--" });
  expect(html.split("</script>").length).toBe(shell().split("</script>").length);
  expect(readBack(html).rows).toEqual([hostile]);
});

test("pages compressed in the pool are the same as those compressed here, in the order of the rows", async () => {
  const rows = [...syntheticRows(1_500)];
  const report = htmlReport(shell());
  const pieces = rows.map((row) => report.add(row));
  const later = pieces.filter((piece) => piece instanceof Promise);
  const end = report.end(syntheticSummary(1_500));
  const texts: string[] = [];
  for (const piece of pieces) texts.push(await piece);
  expect(later.length).toBeGreaterThan(1);
  for (const line of texts.join("").trim().split("\n")) {
    const bytes = Buffer.from(line, "base64");
    expect(gzipSync(gunzipSync(bytes)).equals(bytes)).toBe(true);
  }
  expect(readBack([report.start, ...texts, end].join("")).rows).toEqual(rows);
});

test("the same rows have room whether the pages before are compressed by then or not", async () => {
  const rows = [...syntheticRows(40)].map((row) => ({ ...row, key: row.key + noiseOf(500_000) }));
  const waited: string[] = [];
  const [patient, hasty] = [htmlReport(shell()), htmlReport(shell())];
  for (const row of rows) waited.push(await patient.add(row));
  const texts = await Promise.all(rows.map(async (row) => hasty.add(row)));
  expect(texts).toEqual(waited);
  expect(texts.filter((text) => text !== "").length).toBeLessThan(rows.length);
  expect(hasty.end(syntheticSummary(40))).toBe(patient.end(syntheticSummary(40)));
});

slowTest("a batch too large for a browser leaves calm rows out first, and tells how many are shown", async () => {
  const [row] = syntheticRows(1);
  const side = row?.sides[0];
  const run = side?.runs[0];
  if (row === undefined || side === undefined || run === undefined) throw new Error("no row");
  const rows = Array.from({ length: 1000 }, (_, index): ReportRow => {
    const kind = index % 2 === 0 ? "same" : "changed";
    return {
      ...row,
      key: `row-${index}`,
      sides: [{ ...side, runs: [{ ...run, answer: noiseOf(24_000) }] }],
      changes: row.changes.map((change) => ({ ...change, kind, trend: null })),
    };
  });
  const html = await htmlOf(rows, syntheticSummary(1000));
  const { rows: shown, end } = readBack(html);
  const calm = shown.filter(({ changes }) => changes[0]?.kind === "same").length;
  expect(html.length).toBeLessThan(16_000_000);
  expect(end.rows).toBe(shown.length);
  expect(calm).toBeLessThanOrEqual(shown.length - calm);
});

test("the policy of the page allows its own script and style by their hashes, and no network", () => {
  const [, policy = ""] = /Content-Security-Policy" content="([^"]+)"/.exec(shell()) ?? [];
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'$/,
  );
});

test("headline, figures, places, next step and rows stand as HTML beside the data, for where scripts are off", async () => {
  const rows = [...syntheticRows(200)];
  const summary = syntheticSummary(200);
  const [, scriptless = ""] = (await htmlOf(rows, summary)).split('id="scriptless">');
  expect(scriptless).toContain("<h1");
  expect(scriptless).toContain(summary.verdict.sentence);
  expect(scriptless.match(/<details(?: open)?><summary dir="auto">row /g)?.length).toBe(20);
  expect(scriptless).toMatch(/<table><thead>.*correct/);
  expect(scriptless).not.toMatch(/<script|style=/);
});

test("texts of strangers are text there, too", async () => {
  const hostile = "</main><script>alert(1)</script><img src=x onerror=alert(1)>";
  const rows = [...syntheticRows(40)].map((row) => ({
    ...row,
    expected: hostile,
    input: [{ field: "input_prompt", text: hostile }],
    sides: row.sides.map((side) => ({ ...side, runs: side.runs.map((run) => ({ ...run, answer: hostile })) })),
  }));
  const [, scriptless = ""] = (await htmlOf(rows, { ...syntheticSummary(40), suite: hostile })).split(
    'id="scriptless">',
  );
  expect(scriptless).not.toMatch(/<script|<img/);
  expect(scriptless).toContain("&lt;script&gt;");
});
