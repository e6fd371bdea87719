import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { jsonText } from "../../src/lib/json.ts";
import { aCase, answered, candidate, failed, prod, says } from "../compare/case-result.ts";
import { jsonSchemaFile } from "../cli/json-schema-file.ts";
import { toldOf } from "./run-summary.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const judge = { name: "strict", deployment: "judge", questions: 3, asked: 2, failed: 0, cost: 0.6, checks: [] };
const { summary } = toldOf(
  [
    aCase("a", [says(prod, "ten"), says(candidate, "twenty \u001b[31m\u2028</script>")], { expected: "ten" }),
    aCase("b", [says(prod, "x"), failed(candidate, "boom")]),
    aCase("c", [answered(prod, { output_text: ["a"], references: [1] }), answered(candidate, { output_text: ["a"] })]),
  ],
  { judges: [judge] },
);

test("the JSON of a run is what its schema says", () => {
  const schema = JSON.parse(readFileSync(jsonSchemaFile("run"), "utf8"));
  const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  fits(JSON.parse(jsonText({ version: storedVersion, ...summary }, 2)));
  expect(fits.errors ?? []).toEqual([]);
});
