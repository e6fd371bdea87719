import { expect, test } from "vitest";
import { Tandem } from "./tandem.ts";

test("a sheet that is piped in is looked at for its form and then run, though it comes once", async () => {
  const tandem = new Tandem()
    .file("bots/one.yaml", 'answers: { ".*": { output_text: "Yes" } }\n')
    .file("talks.csv", "talk,role,content,at\nA,user,Hi,2026-01-01\nA,bot,Ho,2026-01-02\nA,user,And?,2026-01-03\n")
    .under("exec < talks.csv");
  const words = "run - --deployment a=local:. --endpoint video-bots --example-id one".split(" ");
  const { code, out, err } = await tandem.run(...words);
  // Nothing grades the answers, so nothing is decided.
  expect(code, err).toBe(4);
  expect(out + err).toContain("standard input, rows 2-4: 2 rows");
  expect(err).toContain("2/2 (100 %)");
});
