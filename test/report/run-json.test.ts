import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { jsonText, isJsonObject } from "../../src/lib/json.ts";
import { aCase, answered, candidate, failed, prod, says } from "../compare/case-result.ts";
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

test("every member of the JSON is documented", () => {
  const page = readFileSync(new URL("../../docs/reference/json.md", import.meta.url), "utf8");
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    if (!isJsonObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name !== "run-failed") names.add(name);
      collect(inner);
    }
  };
  collect(JSON.parse(jsonText({ version: storedVersion, ...summary }, 2)));
  expect(Array.from(names).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
