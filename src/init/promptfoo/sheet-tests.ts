import { isPromptfooColumn } from "../../dataset/import/promptfoo.ts";
import { readDataset } from "../../dataset/read.ts";
import type { DatasetFormat } from "../../suite/suite.ts";
import { assertionOfText, type PromptfooAssertion, readAssertion } from "../../score/promptfoo/assertion.ts";
import { anyMapping } from "../sheet.ts";
import type { PromptfooTest } from "./tests.ts";

/** The tests of a promptfoo sheet: a row is a test. Raises what is wrong with the file. */
export async function testsOfSheet(path: string, folder: string, format?: DatasetFormat): Promise<PromptfooTest[]> {
  const tests: PromptfooTest[] = [];
  for await (const page of readDataset({ mapping: anyMapping, endpoints: [], folder, format, files: [path] })) {
    for (const { columns } of page) tests.push(testOfRow(columns));
  }
  return tests;
}

/** True when a row of the sheet has an expectation that only a judge or code can grade. */
export async function needsConversion(path: string, folder: string, format?: DatasetFormat): Promise<boolean> {
  const tests = await testsOfSheet(path, folder, format);
  return tests.some(({ asserts }) =>
    asserts.some((assertion) => {
      const read = readAssertion(assertion);
      return "rubric" in read || "code" in read;
    }),
  );
}

function testOfRow(columns: Record<string, string>): PromptfooTest {
  const entries = Object.entries(columns).map(([name, cell]) => [name.trim(), cell] as const);
  const cellOf = (name: string): string => entries.find(([column]) => column === name)?.[1]?.trim() ?? "";
  const asserts = entries.flatMap(([name, cell]): PromptfooAssertion[] => {
    if (!/^__expected\d*$/.test(name) || cell.trim() === "") return [];
    const limit = Number.parseFloat(cellOf(`__config:${name}:threshold`));
    return [assertionOfText(cell, Number.isNaN(limit) ? undefined : limit)];
  });
  const tags = entries.flatMap(([name, cell]): [string, string][] => {
    const tag = /^__(description|metric)$/.exec(name)?.[1] ?? /^__metadata:(.+?)(?:\[\])?$/.exec(name)?.[1];
    return tag === undefined ? [] : [[tag, cell]];
  });
  const threshold = Number.parseFloat(cellOf("__threshold"));
  return {
    vars: Object.fromEntries(entries.filter(([name]) => !isPromptfooColumn(name))),
    asserts,
    tags: Object.fromEntries(tags),
    threshold: Number.isNaN(threshold) ? null : threshold,
  };
}
