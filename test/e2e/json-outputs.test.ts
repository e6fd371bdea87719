import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { jsonSchemaFile } from "../cli/json-schema-file.ts";
import { endedBatch } from "../viewer/viewing.ts";
import { Tandem } from "./tandem.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const helpDesk = fileURLToPath(new URL("../../datasets/help-desk/bots/prod", import.meta.url));

/** What is wrong with an output, by the schema of its command. */
function faultsOf(name: string, value: unknown): unknown[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  const validate = ajv.compile(JSON.parse(readFileSync(jsonSchemaFile(name), "utf8")));
  return validate(value) ? [] : (validate.errors ?? []).slice(0, 5);
}

async function printed(tandem: Tandem, ...args: string[]): Promise<{ name: string; value: unknown }> {
  const { out, err } = await tandem.run(...args, "--json");
  if (out === "") throw new Error(`tandem ${args.join(" ")} printed nothing: ${err}`);
  return { name: args[0] ?? "", value: JSON.parse(out) };
}

/** Every command line, in an order in which each finds what it needs; of a batch of two targets. */
const lines: string[][] = [
  ["check", "--offline", "suite.yaml"],
  ["check", "--offline", "suite.yaml", "--power", "--show", "en-1"],
  ["run", "suite.yaml", "--repeats", "2"],
  ["resume", "latest"],
  ["compare"],
  ["compare", "two~1:prod", "two:prod"],
  ["score", "--again"],
  ["score", "--list"],
  ["score", "--explain", "en-1"],
  ["label", "export", "-o", "labels.csv"],
  ["label", "import", "latest", "answered.csv"],
  ["label", "agreement"],
  ["pin", "two", "--as", "release"],
  ["pin"],
  ["judge", "rubrics"],
  ["report", "-o", "report.md"],
  ["export", "-o", "runs.jsonl"],
  ["batches"],
  ["batches", "--suite", "two"],
  ["batches", "show"],
  ["history", "two"],
  ["check", "suite.yaml"],
  ["init", "prompts.csv", "--dir", "made", "--yes"],
  ["completion", "bash"],
  ["batches", "prune", "--keep", "1", "--yes"],
];

describe("the JSON of commands", () => {
  slowTest("is what its schema says, for every command", async () => {
    const { tandem } = await endedBatch();
    tandem.file(
      "answered.csv",
      "key,target,repeat,label,note,author\nen-1,prod,1,good,,Ada\nen-1,test,1,bad,rude,Ada\n",
    );
    const faults: unknown[] = [];
    for (const line of lines) {
      const { name, value } = await printed(tandem, ...line);
      const found = "error" in Object(value) ? [value] : faultsOf(name, value);
      if (found.length > 0) faults.push({ line: line.join(" "), found });
    }
    expect(faults).toEqual([]);
  });

  test.each([["view"], ["serve", helpDesk]])("is told before `tandem %s` has ended", async (name, ...more) => {
    const { tandem } = await endedBatch();
    const { child } = tandem.begin(name, ...more, "--port", "0", "--json");
    const line = await new Promise<string>((resolve) => child.stdout?.once("data", resolve));
    expect(faultsOf(name, JSON.parse(line))).toEqual([]);
  });

  test("of an error has a schema too, and what is no output of a command does not fit one", async () => {
    const { value } = await printed(new Tandem(), "check", "--offline", "nowhere.yaml");
    const { value: error } = await printed(new Tandem(), "batches", "show", "x");
    expect(faultsOf("error", error)).toEqual([]);
    expect(faultsOf("error", value)).not.toEqual([]);
    expect(faultsOf("batches", { version: storedVersion, batches: [], more: true })).not.toEqual([]);
    expect(faultsOf("batches", { version: storedVersion, batches: [{ name: "x" }] })).not.toEqual([]);
  });
});
