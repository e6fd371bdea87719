import { gateLine } from "../../src/report/say/findings.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { changeFigure, changeRange, levelWords, pValue, scoreFigure } from "../../src/report/say/figures.ts";
import { githubAnnotations } from "../../src/report/formats/github.ts";
import { markdownText } from "../../src/report/text/markdown-text.ts";
import { duration } from "../../src/report/say/quantity.ts";
import { jsonText } from "../../src/lib/json.ts";
import { terminalText } from "../../src/report/terminal/terminal.ts";
import { concludeBatch } from "../../src/app/report/conclude.ts";
import { findBatch, setBatchState } from "../../src/store/batches.ts";
import { oneCase, plannedBatch, temporaryDatabase, temporaryFolder } from "../store/batch.ts";
import { hostileTexts } from "../report/reports.ts";
import { pageSummary } from "../report/html-file.ts";
import { reportFrom } from "../report/report-file.ts";
import { answerJob, gradeBatch, runOn, spec } from "./scored.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

/** A batch of these cases: what is expected of both, and what each side said; null: a failed run. */
async function concluded(cases: { expected: string; prod: string | null; test: string | null }[]) {
  const db = temporaryDatabase();
  const batch = await plannedBatch(
    db,
    cases.map(({ expected }, i) => oneCase(`k${i + 1}`, { expected, tags: { parity: i % 2 === 0 ? "even" : "odd" } })),
  );
  for (const [i, { prod, test: said }] of cases.entries()) {
    answerJob(db, `k${i + 1}`, "prod", prod);
    answerJob(db, `k${i + 1}`, "test", said);
  }
  setBatchState(db, batch.id, "finished");
  await gradeBatch(db, findBatch(db, batch.name), [
    { ...spec("correct", "contains"), primary: true },
    spec("similar", "chrf"),
  ]);
  const out = temporaryFolder();
  const end = { stopped: [], stops: [] };
  const conclusion = await concludeBatch(runOn(db, { out }), batch.name, end);
  const read = (name: string): string => readFileSync(join(out, batch.name, name), "utf8");
  return { ...conclusion, read };
}

const table = (csv: string): Record<string, string>[] => parse(csv, { columns: true });

describe("the reports of a batch", () => {
  test("show the same numbers in every format", async () => {
    const cases = Array.from({ length: 60 }, (_, i) => ({
      expected: "blue",
      prod: i % 10 === 0 ? "It is red." : "It is blue.",
      test: i === 7 ? null : i % 3 === 0 ? "It is green." : "It is blue.",
    }));
    const { read, ...conclusion } = await concluded(cases);
    const { summary, model } = conclusion;
    const [candidate] = summary.comparison.candidates;
    const [metric] = candidate?.metrics ?? [];
    const [decided] = summary.comparison.gates;
    const gate = model.gates.find(({ metric: name }) => name === "correct");
    if (gate === undefined || metric === undefined) throw new Error("nothing was compared");
    const passToFail = cases.filter(
      ({ prod, test: said }) => prod?.includes("blue") && said !== null && !said.includes("blue"),
    );
    expect(gate).toMatchObject({ cases: 60, baseline: 0.9, now: 39 / 60, state: "regression" });
    expect(gate).toMatchObject({
      worse: passToFail.length + 1,
      p: decided?.kind === "margin" ? decided.decided?.adjusted : null,
    });

    const report = reportFrom(read("report.json"));
    expect(report.gates).toEqual(model.gates);
    expect(pageSummary(read("report.html"))).toEqual({ summary: model, rows: 60, view: null });

    const rows = table(read("comparison.csv"));
    const passRate = (column: string): number => rows.filter((row) => Number(row[column]) === 1).length / rows.length;
    expect([passRate("prod.correct"), passRate("test.correct")]).toEqual([gate.baseline, gate.now]);
    expect(rows.filter(({ verdict }) => verdict === "worse")).toHaveLength(gate.worse);
    const runs = table(read("runs.csv"));
    const runsOf = (name: string) => runs.filter(({ target }) => target === name);
    expect(runsOf("test").filter(({ correct }) => correct === "1")).toHaveLength(39);

    const markdown = read("report.md");
    expect(markdown).toContain(`**${passToFail.length}** newly failing`);

    const junit = read("junit.xml");
    expect(junit).toContain(`tests="60" failures="${passToFail.length}" errors="1"`);
    const reported = terminalText(conclusion, { width: 200, lines: 60, color: false, details: true });
    expect(reported.replaceAll(/\s+/g, " ")).toContain(`REGRESSION ${model.verdict.sentence} `);
    expect(reported).toContain(`${passToFail.length} newly failing`);

    // Every metric of every format in the same figures, with the same rounding.
    expect(model.gates.map((each) => each.metric)).toEqual(["correct", "similar"]);
    const lines = reported.split("\n");
    for (const each of model.gates) {
      const about = model.metrics.find(({ name }) => name === each.metric);
      if (about === undefined || each.interval === null) throw new Error("it was not compared");
      const sides = [scoreFigure(each.baseline, about), scoreFigure(each.now, about)];
      const by = changeFigure(each.difference, about, { limit: each.margin });
      const within = changeRange(each.interval, about, each.margin);
      // Of a gate that it lost more than the limit, of another metric that it changed at all: in tables of their own.
      const p = pValue(each.state === null ? each.p : each.pLoss);
      const counts = [each.worse, each.better, each.cases].map(String);
      const cells = lines.find((line) => /^(?:[✗✓?!] {2})?\w+ {2}/.test(line) && line.includes(`${each.metric} `));
      expect(
        cells
          ?.trim()
          .replace(/^[✗✓?!]\s+/, "")
          .split(/ {2,}/),
      ).toEqual([each.metric, ...sides, by, within, p, ...counts]);
      const row = markdown
        .split("\n")
        .find((line) => line.includes("**") && line.includes(`<code>${each.metric}</code>`));
      const shown = [...sides, `**${by}**`, within, p, ...counts].map(markdownText);
      expect(
        row
          ?.split("|")
          .map((cell) => cell.trim())
          .slice(3, -1),
      ).toEqual(shown.map((cell) => cell.replaceAll("&#42;", "*")));
      if (each.state !== null) {
        const plain = gateLine(each, model.metrics);
        expect(plain).toContain(`${sides.join(" -> ")}, ${by} (likely ${within}, ${levelWords([each])})`);
        expect(junit).toContain(plain.replaceAll(">", "&gt;"));
      }
    }
    for (const target of model.targets) {
      const [p50, p99] = [duration(target.latency?.p50 ?? 0), duration(target.latency?.p99 ?? 0)];
      const answered = runsOf(target.name).filter(({ outcome }) => outcome === "answered").length;
      expect(answered).toBe(target.answered);
      const cells = lines
        .find((line) => line.startsWith(`${target.name} `))
        ?.trim()
        .split(/ {2,}/);
      expect(cells?.slice(1, 5)).toEqual([String(target.jobs), String(answered), p50, p99]);
      expect(markdown).toMatch(
        new RegExp(`<code>${target.name}</code> \\| ${target.jobs} \\| ${p50} \\| ${p99} \\| .* \\|`),
      );
      const side = summary.comparison.targets.find((each) => each.target === target.name);
      expect(side).toMatchObject({ answered, latency: { median: target.latency?.p50, p99: target.latency?.p99 } });
    }
    const whole = githubAnnotations(model).join("\n");
    expect(whole).toContain(`::${model.verdict.sentence.replaceAll("%", "%25")}`);
    expect(JSON.parse(jsonText({ version: storedVersion, ...summary }, 2))).toMatchObject({
      comparison: { candidates: [{ metrics: [{ baseline: gate.baseline, candidate: gate.now }, {}] }] },
    });
  });

  test("take hostile answers for texts, in every format", async () => {
    const { read, model } = await concluded(
      hostileTexts.map((text, i) => ({ expected: "never said", prod: `${text} ${i}`, test: `${i} ${text}` })),
    );
    expect(model.cases).toBe(hostileTexts.length);
    expect(read("report.html")).not.toMatch(/<[a-z][^>]*onerror=alert/i);
    expect(read("report.md").replaceAll(/<\/?(?:details|summary|code|pre)(?: dir="auto")?>/g, "")).not.toMatch(
      /<[a-z/!]/i,
    );
    expect(read("junit.xml")).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|<script|<img/u);
    expect(reportFrom(read("report.json")).cases).toBe(hostileTexts.length);
    for (const name of ["runs.csv", "comparison.csv"]) {
      const cells = parse(read(name)).flat();
      expect(cells.filter((cell) => /^\s*[=+@]|[^\t\n\r\P{Cc}]/u.test(cell))).toEqual([]);
    }
  });

  test("of a batch in which nothing was answered can all be written", async () => {
    const { read, exitCode } = await concluded([{ expected: "x", prod: null, test: null }]);
    expect(exitCode).toBe(4);
    expect(read("report.md")).toContain("⛔ Invalid");
    expect(read("junit.xml")).toContain('<error type="invalid"');
    expect(reportFrom(read("report.json")).validity.state).toBe("invalid");
  });
});
