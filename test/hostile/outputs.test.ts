import { unzipSync } from "fflate";
import { SaxesParser } from "saxes";
import { tablePieces } from "../../src/report/tables/selection.ts";
import type { FilePiece, TypedColumn } from "../../src/report/tables/table.ts";
import { xlsxEncoder } from "../../src/report/tables/workbook/workbook.ts";
import { expect, test } from "vitest";
import { withoutCommands } from "../../src/lib/ci-commands.ts";
import { githubAnnotations } from "../../src/report/formats/github.ts";
import { junitReport } from "../../src/report/formats/junit.ts";
import { markdownReport } from "../../src/report/formats/markdown/markdown.ts";
import { jsonReport } from "../../src/report/formats/json/report-json.ts";
import type { ReportRow, ReportSummary } from "../../src/report/shape/model.ts";
import { csvText } from "../../src/report/tables/csv.ts";
import { terminalText } from "../../src/report/terminal/terminal.ts";
import { visible } from "../../src/report/text/visible.ts";
import { aCase, answered, candidate, failed, prod, says } from "../compare/case-result.ts";
import { frameOf, hostileRow, hostileSummary, reportOf } from "../report/reports.ts";
import { toldOf } from "../report/run-summary.ts";
import { syntheticRows, syntheticSummary } from "../report/synthetic.ts";
import { annotationHarm, csvHarm, type Harm, jsonHarm, markdownHarm, terminalHarm, xmlHarm } from "./harm.ts";
import { openTally } from "./tally.ts";
import { hostile } from "./texts.ts";

const tally = openTally("every output of a report", 1_000);

const [calm] = syntheticRows(1);
if (calm === undefined) throw new Error("there is no row");

type Placed = (text: string) => { rows: ReportRow[]; summary: ReportSummary };

/** Places of a report where a stranger's text may stand: one after the other, so that none hides behind another. */
const places: Readonly<Record<string, Placed>> = {
  "the key": (text) => ({ rows: [{ ...hostileRow("x"), key: text }], summary: syntheticSummary(1) }),
  "the expected answer": (text) => ({ rows: [{ ...hostileRow("x"), expected: text }], summary: syntheticSummary(1) }),
  "the question": (text) => ({
    rows: [{ ...hostileRow("x"), input: [{ field: "input_prompt", text }] }],
    summary: syntheticSummary(1),
  }),
  "tags and columns, by name and value": (text) => ({
    rows: [{ ...hostileRow("x"), tags: { [text]: text }, columns: { [text]: text } }],
    summary: syntheticSummary(1),
  }),
  "answers, errors and reasons": (text) => ({
    rows: [{ ...hostileRow(text), key: "k" }],
    summary: syntheticSummary(1),
  }),
  "names and sentences of the batch": (text) => ({
    rows: [hostileRow("x")],
    summary: hostileSummary(syntheticSummary(1), text),
  }),
  "the names of targets": (text) => {
    const summary = syntheticSummary(1);
    return {
      rows: [hostileRow("x")],
      summary: { ...summary, targets: summary.targets.map((target) => ({ ...target, name: text })) },
    };
  },
};

const outputs: Readonly<Record<string, { of: (given: ReturnType<Placed>) => string; harm: Harm }>> = {
  "report.md": {
    of: ({ rows, summary }) => reportOf(markdownReport(frameOf(summary)), rows, summary),
    harm: markdownHarm,
  },
  "junit.xml": { of: ({ rows, summary }) => reportOf(junitReport(frameOf(summary)), rows, summary), harm: xmlHarm },
  "report.json": { of: ({ rows, summary }) => reportOf(jsonReport(frameOf(summary)), rows, summary), harm: jsonHarm },
  "report.json, printed": {
    of: ({ rows, summary }) => withoutCommands(reportOf(jsonReport(frameOf(summary)), rows, summary)),
    harm: (output) => [
      ...jsonHarm(output),
      ...terminalHarm(JSON.stringify(output)).filter((sign) => sign.includes("CI")),
    ],
  },
};

test.each(Object.keys(outputs))("%s takes every text for text, in every place", (name) => {
  const output = outputs[name];
  for (const [what, text] of hostile)
    for (const [place, placed] of Object.entries(places))
      tally.tried(what, `${place} of ${name}`, output?.harm(output.of(placed(text))) ?? []);
  expect(tally.through()).toEqual([]);
});

test("annotations are one command each", () => {
  for (const [what, text] of hostile)
    for (const [place, placed] of Object.entries(places))
      tally.tried(what, `${place} of an annotation`, githubAnnotations(placed(text).summary).flatMap(annotationHarm));
  expect(tally.through()).toEqual([]);
});

test("cells of a CSV are no formulas, whatever splits them", async () => {
  for (const [what, text] of hostile) {
    for (const delimiter of [",", ";", "\t", "|"]) {
      const pieces = csvText(
        [
          ["k", text],
          [text, `x ${text}`],
        ],
        { excel: false, raw: false, delimiter },
      );
      const harm = csvHarm(Array.from(pieces).join(""));
      tally.tried(what, `a CSV split at ${JSON.stringify(delimiter)}`, harm);
    }
  }
  expect(tally.through()).toEqual([]);
});

test("the terminal shows nothing that it obeys", () => {
  const screen = { width: 100, lines: 60, color: false };
  for (const [what, text] of hostile) {
    const shown: Record<string, string> = {
      "an answer": terminalText(toldOf([aCase("k", [says(prod, "x"), says(candidate, text)])]), screen),
      "a key": terminalText(toldOf([aCase(text, [says(prod, "x"), says(candidate, "y")])]), screen),
      "an error": terminalText(toldOf([aCase("k", [says(prod, "x"), failed(candidate, text)])]), screen),
      "a member": terminalText(
        toldOf([aCase("k", [answered(prod, { [text]: 1 }), answered(candidate, { [text]: text })])]),
        screen,
      ),
      "a line": visible(text),
    };
    for (const [place, output] of Object.entries(shown))
      tally.tried(what, `${place} in the terminal`, terminalHarm(withoutCommands(output)));
  }
  expect(tally.through()).toEqual([]);
});

/** Addresses and cells that a spreadsheet would follow or calculate. */
const live = [
  "=1+1",
  "=cmd|' /C calc'!A0",
  "@SUM(A1)",
  '+HYPERLINK("https://evil.example")',
  "file:///etc/passwd",
  "javascript:alert(1)",
  "\\\\evil.example\\share",
  'https://evil.example/"><f>1+1</f>',
  "ms-excel:ofe|u|https://evil.example/x.xlsx",
  "#Runs!A1",
  "]]>",
  "x".repeat(40_000),
];

/** Everything in a workbook that is more than text. */
function workbookHarm(file: Uint8Array): string[] {
  const parts = Object.entries(unzipSync(file));
  return parts.flatMap(([name, bytes]) => {
    const text = new TextDecoder().decode(bytes);
    const harm: string[] = /vba|external|ddeLink|embeddings|customXml/i.test(name) ? [`a part ${name}`] : [];
    const parser = new SaxesParser();
    let characters = 0;
    parser.on("error", (error) => void harm.push(`no XML in ${name}: ${error.message.slice(0, 80)}`));
    parser.on("opentag", ({ name: tag, attributes }) => {
      if (tag === "f" || tag === "oleObject" || tag === "ddeLink") harm.push(`an element ${tag}`);
      if (tag === "c") characters = 0;
      const { Target = "", TargetMode } = attributes;
      if (TargetMode === "External" && !/^https?:\/\//i.test(Target)) harm.push(`a link to ${Target.slice(0, 60)}`);
    });
    parser.on("text", (piece) => {
      characters += piece.length;
      if (name.includes("worksheets") && characters > 32_767) harm.push("a cell that is too long");
    });
    parser.write(text).close();
    return [...harm, ...(/[^\t\n\r\P{Cc}]/u.test(text) ? ["a control"] : [])];
  });
}

test("a workbook holds texts, and links to the web alone", () => {
  const columns: TypedColumn[] = [
    { name: "case_key", type: "text" },
    { name: "url", type: "link" },
  ];
  for (const [what, text] of [...hostile, ...live.map((each) => [each.slice(0, 40), each] as const)]) {
    const named: TypedColumn[] = [...columns, { name: text, type: "text" }];
    const encoderOf = (all: readonly TypedColumn[]) => xlsxEncoder(all, { excel: false, raw: false, name: "Runs" });
    const pieces = tablePieces({ columns: named, rows: [[text, text, `x ${text}`]] }, encoderOf);
    const file = Buffer.concat(Array.from(pieces, (piece: FilePiece) => Buffer.from(piece)));
    tally.tried(what, "a workbook", workbookHarm(file));
  }
  expect(tally.through()).toEqual([]);
});
