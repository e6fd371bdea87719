import { expect, test } from "vitest";
import { Tandem } from "./tandem.ts";

test("an endpoint that is not known is one fault: the rows are not measured by another one", async () => {
  const tandem = new Tandem().file("fees.csv", "id,weeks\n1,2\n2,\n3,4\n").file(
    "suite.yaml",
    `dataset: fees.csv
case: { key: id, input: { variables.weeks: weeks } }
deployments: { here: { base_url: "local:." } }
targets:
  fee: { deployment: here, endpoint: function, example_id: fee }
scorers: [{ name: any, type: regex, value: ".", primary: true }]
`,
  );
  const { code, out } = await tandem.run("check", "--offline", "--json", "suite.yaml");
  expect(code).toBe(2);
  expect(JSON.parse(out).faults).toEqual([
    {
      file: "suite.yaml",
      line: 5,
      column: expect.any(Number),
      message: expect.stringContaining(
        'targets.fee.endpoint must be video-bots, functions or chat-completions, got "function"',
      ),
    },
  ]);
});
