import { basename } from "node:path";
import { isPromptfooColumn } from "../../dataset/import/promptfoo.ts";
import { readDataset } from "../../dataset/read.ts";
import type { Sheets } from "../../dataset/sheets.ts";
import type { DatasetFormat } from "../../suite/suite.ts";
import { assertionOfText, readAssertion } from "../../score/promptfoo/assertion.ts";
import { anyMapping } from "../sheet.ts";
import { emptyTest, type PromptfooTest, type TestAssertion } from "./tests.ts";

/** The tests of a promptfoo sheet: a row is a test. Raises what is wrong with the file. */
export async function testsOfSheet(path: string, sheets: Sheets, format?: DatasetFormat): Promise<PromptfooTest[]> {
  const tests: PromptfooTest[] = [];
  for await (const page of readDataset({ mapping: anyMapping, endpoints: [], sheets, format, files: [path] })) {
    for (const { columns, source } of page) tests.push(testOfRow(columns, `${basename(path)}:${source.line}`));
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

function testOfRow(columns: Record<string, string>, place: string): PromptfooTest {
  const entries = Object.entries(columns).map(([name, cell]) => [name.trim(), cell] as const);
  const cellOf = (name: string): string => entries.find(([column]) => column === name)?.[1] ?? "";
  const numberOf = (name: string): number | null => {
    const cell = cellOf(name).trim();
    return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(cell) ? Number(cell) : null;
  };
  const metric = cellOf("__metric").trim();
  const asserts = entries.flatMap(([name, cell]): TestAssertion[] => {
    if (!/^__expected\d*$/.test(name) || cell.trim() === "") return [];
    const limit = numberOf(`__config:${name}:threshold`);
    return [
      {
        ...assertionOfText(cell, limit ?? undefined),
        weight: 1,
        metric: metric === "" ? null : metric,
        transform: null,
        config: null,
        judge: null,
        place,
      },
    ];
  });
  const tags = entries.flatMap(([name, cell]): [string, string][] => {
    const tag = /^__(description|metric)$/.exec(name)?.[1] ?? /^__metadata:(.+?)(?:\[\])?$/.exec(name)?.[1];
    return tag === undefined ? [] : [[tag, cell]];
  });
  const output = cellOf("__providerOutput");
  return {
    ...emptyTest,
    vars: Object.fromEntries(entries.filter(([name]) => !isPromptfooColumn(name))),
    asserts,
    tags: Object.fromEntries(tags),
    threshold: numberOf("__threshold"),
    prefix: cellOf("__prefix"),
    suffix: cellOf("__suffix"),
    output: output === "" ? null : output,
    place,
  };
}
