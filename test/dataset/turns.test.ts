import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Case } from "../../src/dataset/case.ts";
import { loadSuite } from "../../src/suite/load.ts";
import { temporaryFolder } from "../store/batch.ts";
import { readDataset, inspectDataset } from "./reading.ts";

const suiteText = `
dataset: talks.csv
case: { key: id, turns: script, expected: golden, opening: before, tags: [language] }
deployments: { prod: { base_url: "http://127.0.0.1:1" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;

async function suiteOf(table: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "talks.csv"), table);
  writeFileSync(join(folder, "suite.yaml"), suiteText);
  const { suite } = await loadSuite(join(folder, "suite.yaml"), {});
  return { files: suite.datasets, mapping: suite.mapping, endpoints: ["video-bots"] as const, folder };
}

async function casesOf(table: string): Promise<Case[]> {
  const cases: Case[] = [];
  for await (const page of readDataset(await suiteOf(table))) cases.push(...page);
  return cases;
}

const header = "id,script,golden,before,language";

describe("a conversation in one cell", () => {
  test("becomes a case for each turn, with keys of its row, in the order of the turns", async () => {
    const cases = await casesOf(
      `${header}\nhours,"[""कब खुलता है?"", ""और रविवार को?""]",by ten,"[{""role"":""system"",""content"":""short""}]",hi\nfees,How much?,5 crowns,,en\n`,
    );
    expect(cases.map(({ key, cluster, turn, expected }) => [key, cluster, turn, expected])).toEqual([
      ["hours/1", "hours", 1, null],
      ["hours/2", "hours", 2, "by ten"],
      ["fees/1", "fees", 1, "5 crowns"],
    ]);
    expect(cases.map(({ input }) => input)).toEqual([
      { input_prompt: "कब खुलता है?", messages: [{ role: "system", content: "short" }] },
      { input_prompt: "और रविवार को?" },
      { input_prompt: "How much?" },
    ]);
    expect(cases[1]).toMatchObject({
      tags: { language: "hi" },
      source: { row: 2, line: 2 },
      columns: { __prompt: "और रविवार को?" },
    });
  });

  test("takes the expected answer of each turn from a list of as many", async () => {
    const cases = await casesOf(
      `${header}\na,"[""x"",""y""]","[""one"",""two""]",,\nb,"[""x"",""y""]","[""one""]",,\n`,
    );
    expect(cases.map(({ expected }) => expected)).toEqual(["one", "two", null, '["one"]']);
  });

  test("that does not fit is told with its row and the place inside of the cell, all at once", async () => {
    const rows = [
      'a,"[""x"", oops]",,,',
      'b,"[""x"", 5]",,,',
      'c,"[""x"", "" ""]",,,',
      "d,,,,",
      "e,[],,,",
      'f,"[""ok""]",,,',
    ];
    const table = [header, ...rows].join("\n");
    await expect(casesOf(table)).rejects.toThrow(
      /talks\.csv:2.*\(row 2\).*column "script" is not JSON.*character 7[\s\S]*entry 2 is the number 5[\s\S]*a blank turn: entry 2[\s\S]*\(row 5\).*has no turns[\s\S]*\(row 6\).*has no turns/,
    );
    const { faults } = await inspectDataset(await suiteOf(table));
    expect(faults.count).toBe(5);
    expect(faults.listed.every(({ column }) => column === "script")).toBe(true);
  });

  test("of a key that is there twice is a fault, and a column that is not there is named", async () => {
    await expect(casesOf(`${header}\na,x,,,\na,y,,,\n`)).rejects.toThrow('"a/1"');
    await expect(casesOf("id,scripts,golden,before,language\na,x,,,\n")).rejects.toThrow("case.turns");
  });
});

test("a suite that says a conversation in two ways is refused, each with its place", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "suite.yaml");
  writeFileSync(path, suiteText.replace("key: id, ", "turn: n, cluster: id, input: { input_prompt: q }, "));
  const refused = loadSuite(path, {});
  await expect(refused).rejects.toThrow("case.cluster cannot be used together with turns");
  await expect(refused).rejects.toThrow("case.turn cannot be used together with turns");
  await expect(refused).rejects.toThrow("case.input.input_prompt cannot be used together with turns");
});
