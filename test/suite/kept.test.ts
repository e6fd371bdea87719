import { expect, test } from "vitest";
import { faultsOf } from "../../src/lib/fault.ts";
import { suiteFile } from "../../src/suite/schema/schema.ts";

test("an unknown key inside of a key that is kept otherwise than it is written is refused, with what was meant", () => {
  const deployments = { prod: { base_url: "local:.", price: { run: 1, imput: 2 } } };
  const input = { input_prompt: { column: "question", typ: "text" } };
  const faults = faultsOf(suiteFile, { dataset: "rows.csv", case: { input }, deployments });
  expect(faults.map(({ path, hint }) => [path.join("."), hint])).toEqual([
    ["case.input.input_prompt.typ", 'Did you mean "type"?'],
    ["deployments.prod.price.imput", 'Did you mean "input"?'],
  ]);
});
