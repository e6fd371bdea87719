import { basename } from "node:path";
import { isPromptfooColumn } from "../../dataset/import/promptfoo.ts";
import { readDataset } from "../../dataset/read.ts";
import type { Sheets } from "../../dataset/sheets.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { DatasetFormat } from "../../suite/suite.ts";
import { assertionOfText, readAssertion } from "../../score/promptfoo/assertion.ts";
import { anyMapping } from "../sheet.ts";
import { Placed } from "./place.ts";
import { type PromptfooTest, readTest, type TestReading } from "./tests.ts";

/** The tests of a promptfoo sheet: a row is a test. Raises what is wrong with the file. */
export async function testsOfSheet(
  path: string,
  { sheets, format }: { sheets: Sheets; format?: DatasetFormat | undefined },
  reading: TestReading,
): Promise<PromptfooTest[]> {
  const tests: PromptfooTest[] = [];
  for await (const page of readDataset({ mapping: anyMapping, endpoints: [], sheets, format, files: [path] })) {
    for (const { columns, source } of page)
      tests.push(readTest(new Placed(testOfRow(columns), `${basename(path)}:${source.line}`), reading));
  }
  return tests;
}

/** True for tests with an expectation that only a judge or code can grade. */
export const needConversion = (tests: readonly PromptfooTest[]): boolean =>
  tests.some(({ asserts }) =>
    asserts.some((assertion) => {
      const read = "set" in assertion ? null : readAssertion(assertion);
      return read !== null && ("rubric" in read || "code" in read);
    }),
  );

/** A row in the form that a test has in a configuration. */
function testOfRow(columns: Record<string, string>): JsonObject {
  const entries = Object.entries(columns).map(([name, cell]) => [name.trim(), cell] as const);
  const cellOf = (name: string): string => entries.find(([column]) => column === name)?.[1] ?? "";
  const numberOf = (name: string): number | null => {
    const cell = cellOf(name).trim();
    return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(cell) ? Number(cell) : null;
  };
  const expectations = entries.filter(([name, cell]) => /^__expected\d*$/.test(name) && cell.trim() !== "");
  const tags = entries.flatMap(([name, cell]): [string, string][] => {
    const tag = /^__(description|metric)$/.exec(name)?.[1] ?? /^__metadata:(.+?)(?:\[\])?$/.exec(name)?.[1];
    return tag === undefined ? [] : [[tag, cell]];
  });
  return {
    vars: Object.fromEntries(entries.filter(([name]) => !isPromptfooColumn(name))),
    assert: expectations.map(([name, cell]) => ({
      ...assertionOfText(cell, numberOf(`__config:${name}:threshold`) ?? undefined),
      metric: cellOf("__metric").trim(),
    })),
    metadata: Object.fromEntries(tags),
    threshold: numberOf("__threshold"),
    options: { prefix: cellOf("__prefix"), suffix: cellOf("__suffix") },
    providerOutput: cellOf("__providerOutput") || null,
  };
}
