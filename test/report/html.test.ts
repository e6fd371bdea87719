import { createCipheriv } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { slowTest } from "../often.ts";
import type { ReportRow } from "../../src/report/shape/model.ts";
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

test("every row and the summary stand in the page as they were given", () => {
  const rows = [...syntheticRows(700)];
  const summary = syntheticSummary(700);
  const read = readBack(htmlOf(rows, summary));
  expect(read.rows).toEqual(rows);
  expect(read.end).toEqual({ summary, rows: 700 });
});

test("no text can leave the element that holds the data", () => {
  const [row] = syntheticRows(1);
  if (row === undefined) throw new Error("no row");
  const hostile = { ...row, key: "</script><script>alert(1)</script><!--tandem:data-->" };
  const html = htmlOf([hostile], { ...syntheticSummary(1), suite: "</script><!--" });
  expect(html.split("</script>").length).toBe(shell().split("</script>").length);
  expect(readBack(html).rows).toEqual([hostile]);
});

slowTest("a batch too large for a browser leaves calm rows out first, and tells how many are shown", () => {
  const [row] = syntheticRows(1);
  const side = row?.sides[0];
  const run = side?.runs[0];
  if (row === undefined || side === undefined || run === undefined) throw new Error("no row");
  // Texts that hardly compress.
  const random = createCipheriv("aes-128-ctr", Buffer.alloc(16), Buffer.alloc(16));
  const noise = (): string => random.update(Buffer.alloc(18_000)).toString("base64");
  const rows = Array.from({ length: 1000 }, (_, index): ReportRow => {
    const kind = index % 2 === 0 ? "same" : "changed";
    return {
      ...row,
      key: `row-${index}`,
      sides: [{ ...side, runs: [{ ...run, answer: noise() }] }],
      changes: row.changes.map((change) => ({ ...change, kind, trend: null })),
    };
  });
  const html = htmlOf(rows, syntheticSummary(1000));
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
